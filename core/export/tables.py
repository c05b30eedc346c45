"""Documents by topics, block by block: a row for each topic of each document, or a wide table.

Topics by words, some topics at a time.

What a model says as tables for other programs: documents by topics, topics by words, training.

Tables are made and written a block of rows at a time, so that none has to fit into memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.evidence import Evidence
from ..inference.infer import infer, infer_activations
from ..model.topic_model import Run, TopicModel
from ..storage.reports import read_metrics
from ..utils.errors import InputError
from ..utils.parsing import guarded
from ..utils.progress import Watch, unwatched
from ..utils.types import FloatArray, Int64Array

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


WORD_BLOCK = 500
SCHEMA = pa.schema(
    [
        ("topic", pa.string()),
        ("name", pa.string()),
        ("word", pa.string()),
        ("weight", pa.float64()),
        ("probability", pa.float64()),
        ("lift", pa.float64()),
    ]
)


def word_blocks(model: TopicModel) -> Iterator[pa.Table]:
    """Tables of the words that each topic brings, the most telling first.

    Columns: ``topic`` (its id), ``name``, ``word`` (phrases with ``_``), ``weight`` of the link
    from the one to the other, empty where the way leads over other topics, ``probability`` of the
    word where this topic alone is on, and ``lift``, how many times as often that is as anyway
    (`orrery.core.model.labels.TopicWords`); both empty below one in a thousand.
    """
    n_topics = model.network.graph.n_topics
    for begin in range(0, max(n_topics, 1), WORD_BLOCK):
        topics = range(begin, min(begin + WORD_BLOCK, n_topics))
        rows = [row for topic in topics for row in _rows(model, topic)]
        columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
        pairs = zip(columns, SCHEMA, strict=True)
        arrays = [pa.array(column, field.type) for column, field in pairs]
        yield pa.table(arrays, schema=SCHEMA)


def _rows(
    model: TopicModel, topic: int
) -> Iterator[tuple[str, str, str, float | None, float | None, float | None]]:
    graph = model.network.graph
    span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
    children, weights = graph.child_idx[span], model.network.weight[graph.child_edge[span]]
    is_word = children >= graph.n_topics
    linked = dict(
        zip((children[is_word] - graph.n_topics).tolist(), weights[is_word].tolist(), strict=True)
    )
    name, label = graph.topic_ids[topic], model.topic_labels[topic]
    seen = set()
    for word, probability, lift in model.topic_words.words(topic, graph.n_tokens):
        token = model.token_number[word]
        seen.add(token)
        yield name, label, word, linked.get(token), probability, lift
    # Links too weak for the words that a topic is said to reach are links all the same.
    for token in sorted(linked.keys() - seen):
        yield name, label, model.vocabulary[token], linked[token], None, None


ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True)
class TableOptions:
    """What a table of documents is to hold; the other tables have no options.

    Attributes
    ----------
    asked : Asked
    corpus : Corpus or None
        The documents; needed for this table alone.
    watch : callable
        Told now and then what share of the documents is done.
    """

    asked: Asked = field(default_factory=Asked)
    corpus: Corpus | None = None
    watch: Watch = unwatched


def write_table(
    run: Run, kind: str, file: IO[bytes], ending: str, options: TableOptions | None = None
) -> int:
    """Write a table into an open file; returns its number of rows.

    In CSV a text that a spreadsheet would take for a formula stands behind an apostrophe; Parquet
    has every text as it is.

    Parameters
    ----------
    run : Run
    kind : str
        A key of `orrery.core.export.registry.TABLES`.
    file : binary file
    ending : str
        ``.csv`` or ``.parquet``.
    options : TableOptions, optional

    Raises
    ------
    InputError
        If there is no such ending, the run was not trained, or the corpus has other words.
    """
    check_ending(ending)
    blocks = _blocks(run, kind, options or TableOptions())
    return _write_csv(blocks, file) if ending == ".csv" else _write_parquet(blocks, file)


def check_ending(ending: str) -> None:
    """Refuse, before the work, a name by which no table is written (InputError)."""
    if ending not in ENDINGS:
        raise InputError(f"a table is written as .csv or .parquet, not as {ending or 'a file'}")


def _blocks(run: Run, kind: str, options: TableOptions) -> Iterator[pa.Table]:
    if kind == "documents":
        if options.corpus is None:
            raise InputError("a table of documents needs the corpus that they are in")
        return document_blocks(run, options.corpus, options.asked, options.watch)
    return word_blocks(run) if kind == "words" else _training(run)


def _training(run: Run) -> Iterator[pa.Table]:
    metrics = read_metrics(run.folder)
    if not len(metrics):
        raise InputError(f"{run.folder} holds no record of a training; it was not trained here")
    yield pa.Table.from_pandas(metrics, preserve_index=False).replace_schema_metadata(None)


def _write_parquet(blocks: Iterable[pa.Table], file: IO[bytes]) -> int:
    rows, writer = 0, None
    try:
        for block in blocks:
            writer = writer or pq.ParquetWriter(file, block.schema, compression="zstd")
            writer.write_table(block)
            rows += len(block)
    finally:
        if writer is not None:
            writer.close()
    return rows


def _write_csv(blocks: Iterable[pa.Table], file: IO[bytes]) -> int:
    rows = 0
    for number, block in enumerate(blocks):
        options = pa_csv.WriteOptions(include_header=number == 0)
        pa_csv.write_csv(_for_spreadsheets(block), file, options)
        rows += len(block)
    return rows


def _for_spreadsheets(block: pa.Table) -> pa.Table:
    """The block with plain columns whose texts and names are no formulas."""
    columns = [_plain(column) for column in block.columns]
    return pa.table(columns, names=[guarded(name) for name in block.column_names])


def _plain(column: pa.ChunkedArray) -> Any:
    if pa.types.is_dictionary(column.type):
        # Each text is looked at once, however often it stands there.
        chunk = column.combine_chunks()
        texts = pa.array([guarded(text) for text in chunk.dictionary.to_pylist()], pa.string())
        return texts.take(chunk.indices)
    if pa.types.is_string(column.type):
        texts = [None if text is None else guarded(text) for text in column.to_pylist()]
        return pa.array(texts, pa.string())
    return column
