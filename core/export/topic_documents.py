"""Documents of every topic: how many, in which years, and examples."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.columns import date_columns, named_column
from ..data.corpus import Corpus
from ..data.dates import UNKNOWN, read_dates, year_span
from ..data.folders import document_names
from ..inference.nearest import topic_keywords, typical_documents
from ..inference.thresholds import ON_THRESHOLD
from ..model.subtrees import find_subtrees, joined, subtree_documents
from ..model.topic_model import Run
from ..storage.activations import load_activations
from ..storage.corpora import training_corpus
from ..storage.runs import model_folder
from ..utils.errors import InputError
from ..utils.types import Int64Array

# Example documents of each topic, and letters of each.
N_TEXTS, TEXT_LETTERS = 4, 300


class Seen(NamedTuple):
    """Topics of the documents that the model was trained on."""

    documents: int  # number of documents
    # Shape (n_topics,): number of documents in which the topic is on, and in which any topic of its
    # subtree is on. A topic that is shown as another one is counted as that one.
    on: Int64Array
    subtree: Int64Array
    # First year of the bars, and years per bar; 0 without dates.
    first_year: int
    span: int
    of_years: Int64Array  # shape (n_bars,): documents of each bar
    # Shape (n_topics, n_bars): documents of each bar in which the topic is on.
    on_in_years: npt.NDArray[np.int64]
    # Beginning of each example document, and its title, label, year or id.
    texts: tuple[tuple[str, str], ...] = ()
    # Positions in ``texts`` of the most typical documents of every topic.
    examples: tuple[tuple[int, ...], ...] = ()


def seen_by(run: Run, *, with_texts: bool = False) -> Seen | None:
    """Count the topics of the documents that are stored with the model, or None.

    With ``with_texts``, the beginnings of the most typical documents are included. Raises
    InputError if texts are requested, but the corpus of the model is missing or has changed, or the
    topics of its documents were not stored.
    """
    stored = load_activations(model_folder(run.folder))
    corpus = training_corpus(run)
    if with_texts and not run.has_texts:
        raise InputError(
            f"{run.folder} was adopted from a graph and has no corpus of its own; leave the "
            "documents out"
        )
    if with_texts and corpus is None:
        raise InputError(
            f"the documents of {run.folder} cannot go along: its corpus is not there, or another "
            "than it was trained on; leave the documents out, or put the corpus back"
        )
    if stored is None or not len(stored.rows):
        if with_texts:
            raise InputError(
                f"the documents of {run.folder} cannot go along: which topics are on in them was "
                "not stored; leave the documents out, or train the model once more"
            )
        return None
    probability = stored.probability
    on = joined(probability > ON_THRESHOLD, run.shown_as)
    members = find_subtrees(run.network, hidden=run.unlinked_topics, shown_as=run.shown_as)
    counts = np.asarray(on.sum(axis=0)).ravel().astype(np.int64)
    subtree = subtree_documents(sparse.csr_array(probability > ON_THRESHOLD), members)
    if corpus is None or stored.rows[-1] >= corpus.n_documents:
        nothing = np.zeros(0, np.int64)
        return Seen(
            on.shape[0], counts, subtree, 0, 0, nothing, np.zeros((len(counts), 0), np.int64)
        )
    course = _course(on, _years(corpus)[stored.rows])
    seen = Seen(on.shape[0], counts, subtree, *course)
    if not with_texts:
        return seen
    texts, examples = _examples(run, corpus, stored.rows, probability)
    return seen._replace(texts=texts, examples=examples)


def seen_data(seen: Seen) -> dict[str, Any]:
    """Convert to plain values for JSON; counts of topics in years as pairs of bar and count."""
    courses = [
        [[int(bar), int(row[bar])] for bar in np.flatnonzero(row)] for row in seen.on_in_years
    ]
    return {
        "documents": seen.documents,
        "on": seen.on.tolist(),
        "family": seen.subtree.tolist(),
        "first_year": seen.first_year,
        "span": seen.span,
        "of_years": seen.of_years.tolist(),
        "on_in_years": courses if len(seen.of_years) else (),
        "texts": seen.texts,
        "examples": seen.examples,
    }


def _years(corpus: Corpus) -> npt.NDArray[np.int32]:
    dated = date_columns(corpus.documents)
    if not dated:
        return np.full(corpus.n_documents, UNKNOWN, np.int32)
    return read_dates(corpus.documents[dated[0]]).year


def _course(
    on: sparse.csr_array, year: npt.NDArray[np.int32]
) -> tuple[int, int, Int64Array, npt.NDArray[np.int64]]:
    """Fields ``first_year``, ``span``, ``of_years`` and ``on_in_years`` of `Seen`."""
    known = np.flatnonzero(year != UNKNOWN)
    if not len(known) or year[known].min() == year[known].max():
        return 0, 0, np.zeros(0, np.int64), np.zeros((on.shape[1], 0), np.int64)
    span = year_span(year[known])
    first = int(year[known].min()) // span * span
    bar = (year[known] - first) // span
    n_bars = int(bar.max()) + 1
    places = (np.ones(len(known), np.int64), (bar, known))
    in_bar = sparse.csr_array(places, shape=(n_bars, len(year)))
    of_years = np.bincount(bar, minlength=n_bars).astype(np.int64)
    return first, span, of_years, (in_bar @ on.astype(np.int64)).toarray().T


def _examples(
    run: Run, corpus: Corpus, rows: Int64Array, probability: sparse.csr_array
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[int, ...], ...]]:
    """Fields ``texts`` and ``examples`` of `Seen`, for all topics that are shown."""
    columns = sparse.csc_array(probability)
    place: dict[int, int] = {}
    examples: list[tuple[int, ...]] = []
    for topic in range(run.network.graph.n_topics):
        found: list[int] = []
        if topic not in run.hidden_topics and topic not in run.shown_as:
            surest = np.zeros(corpus.n_documents)
            for part in [topic, *(p for p, shown in run.shown_as.items() if shown == topic)]:
                span = slice(columns.indptr[part], columns.indptr[part + 1])
                at = rows[columns.indices[span]]
                surest[at] = np.maximum(surest[at], columns.data[span])
            found = typical_documents(corpus, surest, topic_keywords(run, topic), N_TEXTS)
        examples.append(tuple(place.setdefault(row, len(place)) for row in found))
    year = _years(corpus)
    names = document_names(corpus.documents)
    texts = tuple(_text(corpus, row, int(year[row]), names[row]) for row in place)
    return texts, tuple(examples)


def _text(corpus: Corpus, row: int, year: int, shown: str) -> tuple[str, str]:
    """Beginning of a document, or its words if it has no text; its title, label, year and name.

    A document with a title is named without its path or id, ``shown``.
    """
    cells = corpus.documents.iloc[row]
    words = (corpus.vocabulary[token] for token in corpus.tokens_of(row))
    text = " ".join(str(cells["text"] or " ".join(words)).split())
    if len(text) > TEXT_LETTERS:
        text = f"{text[:TEXT_LETTERS].rpartition(' ')[0] or text[:TEXT_LETTERS]} …"
    label = cells["label"] if isinstance(cells["label"], str) else ""
    name = named_column(corpus.documents, "title")
    title = " ".join(cells[name].split()) if name and isinstance(cells[name], str) else ""
    dated = "" if year == UNKNOWN or str(year) == label else str(year)
    known = (title, label, dated, "" if title else shown)
    return text, " · ".join(part for part in known if part)
