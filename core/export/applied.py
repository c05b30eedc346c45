"""New documents by the topics of a trained model: one row for each document, in the order given.

The topics equal the output of `NoisyOrTopics.transform`. The table also contains the words that
the model does not know, and how well each document is explained, compared with the training
documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, NamedTuple

import numpy as np
import pyarrow as pa

from ..data.corpus import Corpus, evenly_spaced
from ..data.folders import FILE, files_of
from ..data.known_words import KnownWords, find_known_words
from ..data.raw import RawDocuments, RawMatrix
from ..inference.infer import infer_activations
from ..inference.novelty import (
    MARKED_SHARE,
    FitReference,
    TrainingWords,
    WordFit,
    fit_reference,
    training_words,
    word_fit,
)
from ..inference.thresholds import ON_THRESHOLD
from ..model.topic_model import TopicModel
from ..utils.types import FloatArray, Int64Array, ProgressCallback, no_progress
from .formats import check_extension
from .tables import (
    BLOCK,
    DIGITS,
    MAX_CELLS,
    MIN_PROBABILITY,
    free_ending,
    posterior_with_errors,
    write_blocks,
)

# Training documents to which new documents are compared, evenly spaced, and new documents whose
# probabilities are checked by exact inference or importance sampling, which takes 0.1 s for each.
MAX_REFERENCE, N_CHECKED = 3_000, 40
# Share of the probabilities whose error is at most the reported one.
CHECKED_SHARE = 0.95
# Unknown words named in the summary, and unknown words of a document in the table.
MAX_NAMED, MAX_LISTED = 20, 50
# Shares of the work that are done after reading, and after reading the training documents.
READ, COMPARED = 0.3, 0.4
# Columns before the topics.
COLUMNS = ("document", "on", "words", "unknown_words", "unexplained", "fits_worse", "marked")


@dataclass
class Applied:
    """Summary of the documents of a table, complete when all its blocks are made."""

    n_documents: int
    n_without_words: int = 0  # documents without a word of the vocabulary
    n_marked: int = 0  # documents that resemble hardly any training document
    is_compared: bool = True  # whether training documents were available for comparison
    # Mean share of the words that only the leak explains, of documents with words; 1 without any.
    unexplained: float = 0.0
    # Unknown words in most documents, and the numbers of documents.
    unknown_words: list[tuple[str, int]] = field(default_factory=list)
    # Nearly all probabilities of `MIN_PROBABILITY` or more have at most this error.
    error: float = 0.0
    n_checked: int = 0  # probabilities by which this error was measured


class _Block(NamedTuple):
    rows: Int64Array
    fit: WordFit
    probability: FloatArray  # shape (n_rows, n_topics)
    error: FloatArray | None


def write_applied(
    model: TopicModel,
    raw: RawDocuments | RawMatrix,
    file: IO[bytes],
    extension: str,
    *,
    trained_on: Corpus | None = None,
    errors: bool = False,
    progress: ProgressCallback = no_progress,
) -> Applied:
    """Write the topics of new documents to an open file as CSV or Parquet.

    Columns: ``document`` (its id); ``on`` (names of the topics that are on, the most probable
    first); ``words`` (number of different known words); ``unknown_words``; ``unexplained`` (share
    of its words that only the leak explains, unknown words among them); ``fits_worse`` (share of
    the training documents of a similar length that resemble the others less than this document
    does; empty without a comparison); ``marked`` (whether that share is below `MARKED_SHARE`);
    ``file`` (path of a document of a folder or archive, missing for other sources); and for each
    topic its probability under its id, and optionally its error under its id with
    `` error``. Parquet has all digits of the probabilities; CSV has six
    decimals and begins with a byte-order mark.

    Parameters
    ----------
    trained_on : Corpus, optional
        Training documents, to which the new documents are compared.
    errors : bool
        Whether to estimate the error of each probability, which takes about 0.1 s per document.

    Raises
    ------
    InputError
        If the extension is unknown.
    """
    check_extension(extension)
    known = find_known_words(raw, model, lambda done: progress(READ * done))
    worse, files = _share_worse(model, known, trained_on), files_of(known.corpus.documents)
    progress(COMPARED)
    counts = Counter(word for words in known.unknown for word in words)
    errors_found = _checked_errors(model, known.corpus)
    summary = Applied(
        n_documents=known.corpus.n_documents,
        n_without_words=int((np.diff(known.corpus.token_ptr) == 0).sum()),
        is_compared=worse is not None,
        unknown_words=sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_NAMED],
        error=float(np.quantile(errors_found, CHECKED_SHARE)) if len(errors_found) else 0.0,
        n_checked=len(errors_found),
    )
    blocks = _blocks(
        model,
        known,
        errors=errors,
        progress=lambda done: progress(COMPARED + (1.0 - COMPARED) * done),
    )
    tables = (_table(model, known, block, worse, files, extension, summary) for block in blocks)
    write_blocks(tables, file, extension, has_texts=True)
    has_words = np.diff(known.corpus.token_ptr) > 0
    has_words |= np.array([len(words) > 0 for words in known.unknown], bool)
    n_with_words = int(has_words.sum())
    summary.unexplained = summary.unexplained / n_with_words if n_with_words else 1.0
    return summary


def _share_worse(
    model: TopicModel, known: KnownWords, trained_on: Corpus | None
) -> FloatArray | None:
    """Share of the training documents that fit worse than each document, if they are known."""
    if trained_on is None:
        return None
    words, reference = compare_with(model, trained_on)
    if reference is None:
        return None
    n_unknown = count_unknown(known)
    resemblance = words.resemblance(known.corpus, n_unknown)
    n_words = np.diff(known.corpus.token_ptr) + n_unknown
    return reference.share_below(reference.novelty(n_words, resemblance))


def compare_with(
    model: TopicModel, trained_on: Corpus
) -> tuple[TrainingWords, FitReference | None]:
    """Words of the training documents, and their resemblance to each other."""
    words = training_words(trained_on)
    rows = evenly_spaced(np.arange(trained_on.n_documents), MAX_REFERENCE)
    compared = trained_on.subset(rows)
    known = KnownWords(compared, [()] * len(rows))
    if not model.recipe.matrix:
        # The corpus does not store the words that the recipe dropped.
        known = find_known_words(RawDocuments(compared.documents), model)
    n_unknown = count_unknown(known)
    n_words = np.diff(known.corpus.token_ptr) + n_unknown
    return words, fit_reference(n_words, words.resemblance(known.corpus, n_unknown, rows))


def count_unknown(known: KnownWords) -> Int64Array:
    """Number of different words of each document outside the vocabulary."""
    return np.array(list(map(len, known.unknown)), np.int64)


def _blocks(
    model: TopicModel,
    known: KnownWords,
    *,
    errors: bool,
    progress: ProgressCallback = no_progress,
) -> Iterator[_Block]:
    corpus, n_topics = known.corpus, model.network.graph.n_topics
    n_unknown = count_unknown(known)
    size = max(1, min(BLOCK, MAX_CELLS // max(n_topics, 1)))
    for begin in range(0, corpus.n_documents, size):
        rows = np.arange(begin, min(begin + size, corpus.n_documents), dtype=np.int64)
        found = infer_activations(model.network, corpus, rows)
        fit = word_fit(model.network, corpus.subset(rows), found, n_unknown[rows])
        probability = found.toarray()
        error = _errors(model, corpus, rows, probability) if errors else None
        yield _Block(rows, fit, probability, error)
        progress((begin + len(rows)) / corpus.n_documents)


def _errors(
    model: TopicModel, corpus: Corpus, rows: Int64Array, probability: FloatArray
) -> FloatArray:
    """Estimated errors: distance from the exact or sampled posterior, and its standard error."""
    exact = posterior_with_errors(model, corpus, rows)
    distance = probability - exact.probability.toarray()
    return np.asarray(
        distance if exact.error is None else np.hypot(distance, exact.error.toarray())
    )


def _checked_errors(model: TopicModel, corpus: Corpus) -> FloatArray:
    """Errors of the probabilities of topics that may be on, in a few documents."""
    rows = evenly_spaced(np.flatnonzero(np.diff(corpus.token_ptr) > 0), N_CHECKED)
    probability = infer_activations(model.network, corpus, rows).toarray()
    return _errors(model, corpus, rows, probability)[probability >= MIN_PROBABILITY]


def _table(
    model: TopicModel,
    known: KnownWords,
    block: _Block,
    share_worse: FloatArray | None,
    files: list[str] | None,
    extension: str,
    summary: Applied,
) -> pa.Table:
    """Table of a block of documents, whose figures are added to the summary."""
    fit, rows = block.fit, block.rows.tolist()
    worse = np.full(len(rows), np.nan) if share_worse is None else share_worse[rows]
    is_marked = worse < MARKED_SHARE
    summary.n_marked += int(is_marked.sum())
    summary.unexplained += float(fit.unexplained.sum())
    ids = known.corpus.documents["id"].astype(str)
    values = (
        pa.array(ids.iloc[rows].tolist(), pa.string()),
        pa.array(_names_on(model, block.probability), pa.string()),
        fit.n_known,
        pa.array([" ".join(known.unknown[row][:MAX_LISTED]) for row in rows], pa.string()),
        np.round(fit.unexplained, DIGITS),
        pa.array(np.round(worse, DIGITS), from_pandas=True),
        is_marked,
    )
    topics = model.network.graph.topic_ids
    # The id of a topic can be any text, including the name of another column.
    tail = free_ending((*COLUMNS, FILE), topics)
    mark = free_ending(topics, topics, " error")
    columns: dict[str, object] = {
        f"{name}{tail}": column for name, column in zip(COLUMNS, values, strict=True)
    }
    probability = block.probability
    if extension == ".csv":
        probability = np.round(probability, DIGITS)
    if files:
        columns[f"{FILE}{tail}"] = pa.array([files[row] for row in rows], pa.string())
    for topic, name in enumerate(topics):
        columns[name] = probability[:, topic]
        if block.error is not None:
            columns[f"{name}{mark}"] = np.round(block.error[:, topic], DIGITS)
    return pa.table(columns)


def _names_on(model: TopicModel, probability: FloatArray) -> list[str]:
    """Names of the topics of each document that are on and displayed, the most probable first."""
    listed = []
    for row in probability:
        on = np.flatnonzero(row > ON_THRESHOLD)
        on = on[np.argsort(-row[on], kind="stable")].tolist()
        shown = (model.shown_as.get(topic, topic) for topic in on)
        names = (model.topic_labels[topic] for topic in shown if topic not in model.hidden_topics)
        listed.append("; ".join(dict.fromkeys(names)))
    return listed
