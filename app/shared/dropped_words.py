"""Answer to a word that is in the texts but not in the vocabulary: the mean topics of its texts."""

from __future__ import annotations

import numpy as np
import streamlit as st

from ...core.drawing.strings import figures_of
from ...core.inference.dropped_words import DroppedWord, dropped_word
from ...core.inference.posterior import Estimate
from ...core.model.topic_model import Run
from ..shell import resources
from ..shell.loaders import AS_STORED
from ..text.safe_text import markdown_text

TOPICS_SHOWN, MIN_PROBABILITY, MAX_CACHED = 5, 0.1, 64


@st.cache_data(max_entries=MAX_CACHED, show_spinner=False, hash_funcs=AS_STORED)
def _found(run: Run, word: str) -> DroppedWord | None:
    corpus, _ = resources.corpus_of(run)
    stored = resources.sound_activations(run)
    if corpus is None or stored is None or run.recipe.matrix:
        return None
    return dropped_word(corpus, stored.probability, stored.rows, word)


def show(run: Run, word: str) -> bool:
    """Draw the mean topics of the texts with a word; return False if no text contains it."""
    found = _found(run, word)
    if found is None:
        return False
    st.caption(markdown_text(found.sentence))
    order = np.argsort(-found.probability, kind="stable")[:TOPICS_SHOWN]
    lines = []
    for topic in order.tolist():
        if found.probability[topic] < MIN_PROBABILITY or topic in run.hidden_topics:
            continue
        error = float(found.error[topic]) if found.n_read > 1 else 0.0
        figures = figures_of(Estimate(float(found.probability[topic]), error))
        lines.append(f"- {markdown_text(run.topic_labels[topic])}: {figures}")
    if lines:
        st.markdown("\n".join(lines))
    return True
