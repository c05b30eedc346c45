"""The documents nearest to the query, with the words that made them so marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from ....core.inference.evidence import Evidence
from ....core.inference.nearest import WordGains, nearest_documents, word_gains
from ...shared import document_excerpt
from ...shell import resources
from ...shell import strings as shell_strings
from ...text import excerpts
from ...text.excerpts import Part, document_text, excerpt, wanted_words
from ...workspace import catalog
from . import strings

if TYPE_CHECKING:
    from ....core.data.corpus import Corpus
    from ....core.model.topic_model import Run
    from ....core.utils.types import FloatArray
    from ...shared.answers import Answer


SHOWN = 5
MOST_OPEN = 256
# Words of a document that are marked, the most telling first, and the least that is worth a mark:
# the query makes the word twice as likely.
MOST_MARKED = 8
LEAST_GAIN = float(np.log(2.0))


def show(run: Run, answer: Answer, key: str = "near", title: str = strings.NEAREST_TITLE) -> None:
    """Draw the panel, or the sentence that says why it is empty; ``key`` begins its buttons'."""
    posterior = answer.posterior
    with st.container(gap="xsmall", key=f"{key}est"):
        st.subheader(title, anchor=False, help=strings.NEAREST_TITLE_HELP)
        corpus, problem = resources.corpus_of(run)
        if corpus is None:
            st.caption(problem)
            return
        gains = word_gains(run.network, posterior)
        rows = _nearest(str(run.folder), _stamp(run), posterior.evidence, corpus, gains.gain)
        if not rows:
            st.caption(strings.NONE)
            return
        typed = frozenset(run.vocabulary[token] for token in posterior.evidence.present)
        facets = resources.facets(run.corpus_path, corpus)
        st.html(excerpts.STYLE)
        for row in rows:
            parts = _excerpt(corpus, row, gains)
            document_excerpt.show(corpus, row, facets, parts, key=key, typed=typed)


def _stamp(run: Run) -> tuple[int, int]:
    """Changes when the model or its corpus does."""
    model = catalog.stamp(run.folder / "model" / "model.json")
    return model, catalog.stamp(run.corpus_path / "corpus.json")


@st.cache_data(show_spinner=shell_strings.WORKING, max_entries=MOST_OPEN)
def _nearest(
    folder: str,
    changed: tuple[int, int],
    evidence: Evidence,
    _corpus: Corpus,
    _gain: FloatArray,
) -> list[int]:
    return [int(row) for row in nearest_documents(_corpus, _gain, SHOWN, evidence.present)[0]]


def _excerpt(corpus: Corpus, row: int, gains: WordGains) -> list[Part]:
    """An excerpt of a document, with the words that made it near."""
    tokens = corpus.tokens_of(row)
    best = tokens[np.argsort(-gains.telling[tokens], kind="stable")][:MOST_MARKED]
    marked = best[gains.gain[best] >= LEAST_GAIN]
    weight = {corpus.vocabulary[token]: float(gains.telling[token]) for token in marked}
    return excerpt(document_text(corpus, row), wanted_words(weight))
