"""Tables of documents by topics, topics by words, and training metrics.

The tables are computed and written in blocks of rows, so that no whole table is in memory.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from scipy import sparse

from ..data.columns import as_text, date_columns, named_column
from ..data.corpus import Corpus
from ..data.folders import FILE, files_of
from ..inference.evidence import Evidence
from ..inference.infer import infer, infer_activations
from ..inference.thresholds import ON_THRESHOLD
from ..model.topic_model import Run, TopicModel
from ..storage.reports import read_metrics
from ..storage.stability import Stability, known_stability
from ..utils.errors import InputError
from ..utils.parsing import guarded
from ..utils.types import FloatArray, Int64Array, ProgressCallback, no_progress
from .formats import TABLES, check_extension

# Maximum documents in a block, and cells in a block of the wide table; they limit the memory.
BLOCK, MAX_CELLS = 2_000, 4_000_000
# Decimals of a number; more would exceed the accuracy of the inference.
DIGITS = 6
# Most topics of a document have a lower probability.
MIN_PROBABILITY = 0.01
# Columns of the long table that do not depend on the corpus.
LONG_COLUMNS = ("document", "topic", "name", "probability", "error", "on")


@dataclass(frozen=True)
class TableOptions:
    """Options of the table of documents; the other tables have no options."""

    corpus: Corpus | None = None  # corpus of the documents
    # One row per document and one column per topic; by default one row for each topic of each
    # document.
    wide: bool = False
    # Add standard errors. The posterior is then computed by exact inference or importance sampling,
    # which takes longer than belief propagation, the default.
    errors: bool = False
    least: float = MIN_PROBABILITY  # smallest probability of a topic in the long table
    # Progress callback; receives the share of the documents that is done.
    progress: ProgressCallback = no_progress


class Found(NamedTuple):
    """Posterior and standard errors, shape (n_rows, n_topics), with the same sparsity pattern."""

    probability: sparse.csr_array
    error: sparse.csr_array | None


def document_blocks(model: TopicModel, options: TableOptions) -> Iterator[pa.Table]:
    """Blocks of the table of documents; inference is in closed world.

    Columns of the long table: ``document``, ``topic``, ``name``, ``probability``, optionally
    ``error``, ``on`` ("yes" if the probability is above 0.5, else "no"), and the title and the date
    of the document under the names of their columns, if the corpus has them; of the wide table:
    ``document``, then the id of each topic, and optionally its id with `` error``. Numbers have six
    decimals. Topics that a user has hidden or merged are included; topics without words are not.
    Raises InputError if there is no corpus, or it has another vocabulary than the model.
    """
    corpus = options.corpus
    if corpus is None:
        raise InputError("a table of documents needs the corpus that they are in")
    if corpus.vocabulary != model.vocabulary:
        raise InputError(
            "the corpus has another vocabulary than the model; "
            "use the corpus that it was trained from, or one imported with the same words"
        )
    n_topics = model.network.graph.n_topics
    size = max(1, min(BLOCK, MAX_CELLS // max(n_topics, 1))) if options.wide else BLOCK
    facts = {} if options.wide else _facts(corpus)
    files = files_of(corpus.documents)
    for begin in range(0, corpus.n_documents, size):
        rows = np.arange(begin, min(begin + size, corpus.n_documents), dtype=np.int64)
        if options.errors:
            found = posterior_with_errors(model, corpus, rows)
        else:
            found = Found(infer_activations(model.network, corpus, rows), None)
        ids = corpus.documents["id"].iloc[rows].astype(str).tolist()
        if options.wide:
            yield _wide(model, ids, found, files and [files[row] for row in rows.tolist()])
        else:
            own = {name: [texts[row] for row in rows.tolist()] for name, texts in facts.items()}
            yield _long(model, ids, found, options.least, own)
        options.progress((begin + len(rows)) / corpus.n_documents)


def posterior_with_errors(model: TopicModel, corpus: Corpus, rows: Int64Array) -> Found:
    """Posterior of each document with standard errors, computed on all processors."""

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
    return Found(probability, error)


def _facts(corpus: Corpus) -> dict[str, list[str]]:
    """Title, date and file of each document by the names of their columns, if it has them."""
    documents, found = corpus.documents, dict[str, list[str]]()
    names = [named_column(documents, "title"), *date_columns(documents)[:1]]
    names += [FILE] if files_of(documents) else []
    for name in dict.fromkeys(filter(None, names)):
        title = corpus.recipe.column_title(name)
        # A column of the source can have any name.
        title += free_ending([title], [*LONG_COLUMNS, *found])
        found[title] = documents[name].map(as_text).tolist()
    return found


def _long(
    model: TopicModel, ids: list[str], found: Found, least: float, facts: dict[str, list[str]]
) -> pa.Table:
    table = found.probability
    is_wordless = np.isin(table.indices, list(model.wordless_topics))
    is_kept = (table.data >= least) & ~is_wordless
    row = np.repeat(np.arange(len(ids)), np.diff(table.indptr))[is_kept].astype(np.int32)
    topic = table.indices[is_kept].astype(np.int32)
    columns: dict[str, Any] = {
        "document": _named(row, ids),
        "topic": _named(topic, model.network.graph.topic_ids),
        "name": _named(topic, model.topic_labels),
        "probability": np.round(table.data[is_kept], DIGITS),
    }
    if found.error is not None:
        columns["error"] = np.round(found.error.data[is_kept], DIGITS)
    columns["on"] = _named(table.data[is_kept] > ON_THRESHOLD, ("no", "yes"))
    columns |= {name: _named(row, texts) for name, texts in facts.items()}
    return pa.table(columns)


def _named(number: npt.ArrayLike, names: Sequence[str]) -> pa.DictionaryArray:
    """Column of names by their numbers.

    Its dictionary has each text once; with repeated texts, equal tables become different files.
    """
    place = {text: n for n, text in enumerate(dict.fromkeys(names))}
    of_name = np.array([place[text] for text in names], np.int32)
    texts = pa.array(list(place), pa.string())
    return pa.DictionaryArray.from_arrays(of_name[np.asarray(number, np.int32)], texts)


def _wide(model: TopicModel, ids: list[str], found: Found, files: list[str] | None) -> pa.Table:
    topics = model.network.graph.topic_ids
    # The id of a topic can be any text, including the name of another column.
    first = "document" + free_ending(["document"], topics)
    mark = free_ending(topics, topics, " error")
    columns: dict[str, object] = {first: pa.array(ids, pa.string())}
    if files:
        columns[FILE + free_ending([FILE], topics)] = pa.array(files, pa.string())
    probability = np.round(found.probability.toarray(), DIGITS)
    error = None if found.error is None else np.round(found.error.toarray(), DIGITS)
    for topic, name in enumerate(topics):
        if topic in model.wordless_topics:
            continue
        columns[name] = probability[:, topic]
        if error is not None:
            columns[f"{name}{mark}"] = error[:, topic]
    return pa.table(columns)


def free_ending(names: Sequence[str], taken: Sequence[str], ending: str = "") -> str:
    """Shortest ending with underscores after it by which no name becomes one that is taken."""
    used = set(taken)
    while any(f"{name}{ending}" in used for name in names):
        ending += "_"
    return ending


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
    """Blocks of the table of topics and their words, the top words first.

    Columns: ``topic`` (its id), ``name``, ``word`` (phrases with ``_``), ``weight`` of the link
    between them, empty if they are connected only by other topics, ``probability`` of the word if
    this topic alone is on, and ``lift``, the ratio of this probability to the prior probability of
    the word (`orrery.core.model.labels.TopicWords`). The last two are empty below 0.001. If the
    stability of the model is known, also ``topic_found`` and ``link_found``, in how many of
    ``trainings`` the topic and the link were found again.
    """
    found = known_stability(model)
    n_topics = model.network.graph.n_topics
    for begin in range(0, max(n_topics, 1), WORD_BLOCK):
        topics = range(begin, min(begin + WORD_BLOCK, n_topics))
        rows = [row for topic in topics for row in _rows(model, topic)]
        columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
        pairs = zip(columns, SCHEMA, strict=True)
        arrays = [pa.array(column, field.type) for column, field in pairs]
        table = pa.table(arrays, schema=SCHEMA)
        yield table if found is None else _with_stability(table, model, found)


def _with_stability(table: pa.Table, model: TopicModel, found: Stability) -> pa.Table:
    """Table of topics and words with the counts of `Stability`."""
    graph, counts = model.network.graph, found.topic_counts.tolist()
    topics = [graph.topic_number[name] for name in table["topic"].to_pylist()]
    children = graph.edge_children().tolist()
    pairs = zip(graph.parent_idx.tolist(), children, strict=True)
    of_link = dict(zip(pairs, found.link_counts.tolist(), strict=True))
    words = [graph.n_topics + model.token_number[word] for word in table["word"].to_pylist()]
    links = [of_link.get(pair) for pair in zip(topics, words, strict=True)]
    for name, column in (
        ("topic_found", [counts[topic] for topic in topics]),
        ("link_found", links),
        ("trainings", [found.times] * len(topics)),
    ):
        table = table.append_column(name, pa.array(column, pa.int64()))
    return table


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
    # Words whose link is too weak to be among the topic's words.
    for token in sorted(linked.keys() - seen):
        yield name, label, model.vocabulary[token], linked[token], None, None


def training_blocks(run: Run) -> Iterator[pa.Table]:
    """Training metrics, one row per step, in one block."""
    metrics = read_metrics(run.folder)
    if not len(metrics):
        raise InputError(f"{run.folder} holds no record of a training; it was not trained here")
    yield pa.Table.from_pandas(metrics, preserve_index=False).replace_schema_metadata(None)


# Tables with words or titles in any script.
TABLES_OF_TEXTS = frozenset({"documents", "words"})


def write_table(
    run: Run, kind: str, file: IO[bytes], extension: str, options: TableOptions | None = None
) -> int:
    """Write a table to an open file, and return its number of rows.

    ``kind`` is a key of `orrery.core.export.formats.TABLES`, ``extension`` is ``.csv`` or
    ``.parquet``. In CSV, an apostrophe precedes a text that a spreadsheet would interpret as a
    formula, and tables of texts begin with a byte-order mark, without which Excel shows wrong
    letters; Parquet contains every text unchanged. Raises InputError if the extension is unknown,
    the run was not trained, or the vocabularies differ.
    """
    check_extension(extension)
    blocks = TABLES[kind].blocks(run, options or TableOptions())
    return write_blocks(blocks, file, extension, has_texts=kind in TABLES_OF_TEXTS)


def write_blocks(
    blocks: Iterable[pa.Table], file: IO[bytes], extension: str, *, has_texts: bool
) -> int:
    """Write blocks of rows to an open file as CSV or Parquet, and return the number of rows.

    A CSV file with ``has_texts`` begins with a byte-order mark, without which Excel shows wrong
    letters.
    """
    if extension != ".csv":
        return _write_parquet(blocks, file)
    if has_texts:
        file.write(codecs.BOM_UTF8)
    return _write_csv(blocks, file)


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
        columns = [_without_formulas(column) for column in block.columns]
        names = [guarded(name) for name in block.column_names]
        options = pa_csv.WriteOptions(include_header=number == 0)
        pa_csv.write_csv(pa.table(columns, names=names), file, options)
        rows += len(block)
    return rows


def _without_formulas(column: pa.ChunkedArray) -> Any:
    """Plain column in which no text is interpreted as a formula."""
    if pa.types.is_dictionary(column.type):
        # Each distinct text is checked once.
        chunk = column.combine_chunks()
        texts = pa.array([guarded(text) for text in chunk.dictionary.to_pylist()], pa.string())
        return texts.take(chunk.indices)
    if pa.types.is_string(column.type):
        texts = [None if text is None else guarded(text) for text in column.to_pylist()]
        return pa.array(texts, pa.string())
    return column
