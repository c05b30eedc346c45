"""Documents that are most relevant to a query or similar to a document, cached."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ...core.data.corpus import Corpus
from ...core.inference.evidence import Evidence
from ...core.inference.nearest import (
    nearest_documents,
    query_topics,
    topic_likeness,
    word_gains,
)
from ...core.inference.posterior import Posterior
from ...core.model.topic_model import Run
from ..shell import resources
from ..shell import strings as shell_strings
from ..shell.loaders import AS_STORED

# Number of cached results.
MAX_CACHED = 256


def nearest(
    run: Run, corpus: Corpus, posterior: Posterior, count: int, tokens: tuple[int, ...] = ()
) -> list[int]:
    """Rows of the documents that are most relevant to a query.

    ``tokens`` are the tokens of the query with repetitions, if it is a text.
    """
    tokens = tokens or posterior.evidence.present
    return _nearest(run, run.corpus_path, posterior.evidence, tokens, count, corpus, posterior)


@st.cache_data(max_entries=MAX_CACHED, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def _nearest(
    run: Run,
    folder: Path,
    evidence: Evidence,
    tokens: tuple[int, ...],
    count: int,
    _corpus: Corpus,
    _posterior: Posterior,
) -> list[int]:
    """Cached until the files of the model or corpus change."""
    likeness = expected = None
    stored = resources.sound_activations(run)
    if stored is not None and len(stored.rows):
        topics = query_topics(run.network.graph.n_topics, _posterior)
        likeness = topic_likeness(stored.probability, stored.rows, _corpus.n_documents, topics)
    elif _posterior.samples is not None:
        expected = word_gains(run.network, _posterior).score
    rows, _ = nearest_documents(_corpus, count, tokens, evidence.absent, likeness, expected)
    return [int(row) for row in rows]
