"""Documents by topics, block by block: a row for each topic of each document, or a wide table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from scipy import sparse

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.corpus import Corpus
from orrery.core.errors import InputError
from orrery.core.evidence import Evidence
from orrery.core.inference import infer, infer_activations
from orrery.core.model import TopicModel
from orrery.core.watch import Watch, unwatched

# Local models of so many documents fit into memory at once, and so many cells of a wide table.
BLOCK, MOST_CELLS = 2_000, 4_000_000
# Finer steps than these are beyond what the methods know.
DIGITS = 6
# A topic less probable than this is as good as off, and most of the table would be such.
LEAST_PROBABILITY = 0.01


@dataclass(frozen=True)
class Asked:
    """What the table is to hold.

    Attributes
    ----------
    wide : bool
        A row a document and a column a topic; else a row for each topic of each document.
    errors : bool
        Also standard errors: by sums over all states, or draws, which takes longer than the
        messages that are sent otherwise and have none.
    least : float
        Of the long table: less probable topics are left out.
    """

    wide: bool = False
    errors: bool = False
    least: float = LEAST_PROBABILITY


class _Found(NamedTuple):
    """Topics of some documents, (n_rows, n_topics), both with the same pattern."""

    probability: sparse.csr_array
    error: sparse.csr_array | None


def document_blocks(
    model: TopicModel,
    corpus: Corpus,
    asked: Asked,
    watch: Watch = unwatched,
) -> Iterator[pa.Table]:
    """Tables of the documents' topics, each document read as a whole (closed world).

    Columns of the long table: ``document``, ``topic``, ``name``, ``probability`` and, if asked,
    ``error``; of the wide one ``document``, then for each topic that has words its id, and if
    asked its id with `` error``. Rounded to six digits; topics that a person has hidden or merged
    are there like all others.

    Raises
    ------
    InputError
        If the corpus has another vocabulary than the model.
    """
    if corpus.vocabulary != model.vocabulary:
        raise InputError(
            "the corpus has another vocabulary than the model; "
            "use the corpus that it was trained from, or one imported with the same words"
        )
    n_topics = model.network.graph.n_topics
    size = max(1, min(BLOCK, MOST_CELLS // max(n_topics, 1))) if asked.wide else BLOCK
    make = _wide if asked.wide else _long
    for begin in range(0, corpus.n_documents, size):
        rows = np.arange(begin, min(begin + size, corpus.n_documents), dtype=np.int64)
        found = _by_posterior(model, corpus, rows) if asked.errors else _by_messages(
            model, corpus, rows
        )  # fmt: skip
        ids = corpus.documents["id"].iloc[rows].astype(str).tolist()
        yield make(model, ids, found, asked.least)
        watch((begin + len(rows)) / corpus.n_documents)


def _by_messages(model: TopicModel, corpus: Corpus, rows: Int64Array) -> _Found:
    return _Found(infer_activations(model.network, corpus, rows), None)


def _by_posterior(model: TopicModel, corpus: Corpus, rows: Int64Array) -> _Found:
    """The posterior of each document, by as many threads as there are processors."""

    def one(row: int) -> tuple[Int64Array, FloatArray, FloatArray]:
        evidence = Evidence(tuple(corpus.tokens_of(row).tolist()), closed_world=True)
        posterior = infer(model.network, evidence)
        error = np.zeros(len(posterior.probability)) if posterior.error is None else posterior.error
        return posterior.local.topics.astype(np.int64), posterior.probability, error

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(one, rows.tolist()))
    topics = np.concatenate([np.zeros(0, np.int64), *(topic for topic, _, _ in found)])
    pointer = np.cumsum([0, *(len(topic) for topic, _, _ in found)])
    shape = (len(rows), model.network.graph.n_topics)
    probability, error = (
        sparse.csr_array((np.concatenate([np.zeros(0), *parts]), topics, pointer), shape=shape)
        for parts in ([p for _, p, _ in found], [e for _, _, e in found])
    )
    return _Found(probability, error)


def _long(model: TopicModel, ids: list[str], found: _Found, least: float) -> pa.Table:
    table = found.probability
    is_kept = table.data >= least
    row = np.repeat(np.arange(len(ids)), np.diff(table.indptr))[is_kept].astype(np.int32)
    topic = table.indices[is_kept].astype(np.int32)
    columns = {
        "document": _named(row, ids),
        "topic": _named(topic, model.network.graph.topic_ids),
        "name": _named(topic, model.topic_labels),
        "probability": np.round(table.data[is_kept], DIGITS),
    }
    if found.error is not None:
        columns["error"] = np.round(found.error.data[is_kept], DIGITS)
    return pa.table(columns)


def _named(number: object, names: object) -> pa.DictionaryArray:
    texts = pa.array(list(names), pa.string())  # type: ignore[call-overload]
    return pa.DictionaryArray.from_arrays(pa.array(number, pa.int32()), texts)


def _wide(model: TopicModel, ids: list[str], found: _Found, least: float) -> pa.Table:
    topics = model.network.graph.topic_ids
    # Topics may have any name, and columns have one each.
    first, mark, taken = "document", " error", set(topics)
    while first in taken:
        first += "_"
    while any(f"{name}{mark}" in taken for name in topics):
        mark += "_"
    columns: dict[str, object] = {first: pa.array(ids, pa.string())}
    probability = np.round(found.probability.toarray(), DIGITS)
    error = None if found.error is None else np.round(found.error.toarray(), DIGITS)
    for topic, name in enumerate(topics):
        if topic in model.wordless_topics:
            continue
        columns[name] = probability[:, topic]
        if error is not None:
            columns[f"{name}{mark}"] = error[:, topic]
    return pa.table(columns)
