"""Panel with the documents nearest to the query, their matching words marked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.inference.nearest import WordGains, word_gains
from ....core.model.topic_model import Run
from ...shared import similar_documents, topic_documents
from ...shared.answers import Answer
from ...shell import resources
from ...text.safe_text import Part, document_text, excerpt, wanted_words
from . import strings

N_SHOWN = 5
# Number of marked words in an excerpt, and the log-gain from which a word is marked: the query
# makes it twice as likely.
MAX_MARKED = 8
MIN_GAIN = float(np.log(2.0))


def show(run: Run, answer: Answer, key: str = "near", title: str = strings.NEAREST_TITLE) -> None:
    """Draw the panel, or the reason why it is empty; its widget keys start with ``key``.

    Nothing for a model that was made from a graph.
    """
    posterior = answer.posterior
    if not run.has_texts:
        # The model was not made from texts.
        return
    with st.container(gap="xsmall", key=f"{key}est"):
        st.subheader(title, anchor=False, help=strings.NEAREST_TITLE_HELP)
        corpus, problem = resources.corpus_of(run)
        if corpus is None:
            st.caption(problem)
            return
        gains = word_gains(run.network, posterior)
        rows = similar_documents.nearest(run, corpus, posterior, N_SHOWN)
        if not rows:
            st.caption(strings.NONE)
            return
        typed = frozenset(run.vocabulary[token] for token in posterior.evidence.present)
        facets = resources.facets(run.corpus_path, corpus)
        for row in rows:
            parts = _excerpt(corpus, row, gains)
            topic_documents.show(corpus, row, facets, parts, key=key, typed=typed)


def _excerpt(corpus: Corpus, row: int, gains: WordGains) -> list[Part]:
    """Excerpt of a document around its most informative words."""
    tokens = corpus.tokens_of(row)
    best = tokens[np.argsort(-gains.score[tokens], kind="stable")][:MAX_MARKED]
    marked = best[gains.gain[best] >= MIN_GAIN]
    weight = {corpus.vocabulary[token]: float(gains.score[token]) for token in marked}
    return excerpt(document_text(corpus, row), wanted_words(weight))
