"""Lists of documents.

Which documents meet the conditions of a URL, in which order, and from where.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast, get_args

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ...core.data.corpus import Corpus
from ...core.data.groups import Grouping, Step
from ...core.document_map.files import DocumentMap
from ...core.drawing.links import topic_named, whole
from ...core.inference.nearest import topic_keywords, typical_documents
from ...core.inference.thresholds import ON_THRESHOLD
from ...core.model.topic_model import Run
from ...core.storage.activations import Activations, load_activations
from ...core.storage.corpora import training_corpus
from ...core.utils.errors import InputError
from ...core.utils.parsing import read_whole_number
from ..shell.kept import Parameters, chosen
from ..workspace.document_maps import map_of
from ..workspace.facets import NO_YEAR, Facets, read_facets, title_of
from ..workspace.search_index import search_now
from .topic_facts import on_probability

# URL parameters of the Documents page for a group that its own filters cannot select.
GROUP_PARAMETERS = ("by", "periods", "group")


def group_address(facets: Facets, grouping: Grouping, name: str) -> dict[str, str]:
    """URL parameters of the Documents page for a group."""
    if grouping.step == "value" and grouping.column == "label" and name in facets.labels:
        return {"label": name}
    if grouping.is_time and facets.years and name in grouping.names:
        years = _years_of(facets, grouping.has(name))
        if years:
            return {"years": years}
    values = (grouping.column, grouping.step, name)
    return dict(zip(GROUP_PARAMETERS, values, strict=True))


def _years_of(facets: Facets, members: npt.NDArray[np.bool_]) -> str:
    """Range of the filter of years that has exactly these documents; "" without one.

    The filter cannot select a month, or a period of another column of dates.
    """
    known = facets.year[members]
    if not len(known):
        return ""
    first, last = int(known.min()), int(known.max())
    is_same = np.array_equal((facets.year >= first) & (facets.year <= last), members)
    return f"{first}-{last}" if is_same and first != NO_YEAR else ""


def as_step(text: str) -> Step | None:
    """Length of periods in a URL; None if it is invalid."""
    return cast(Step, text) if text in get_args(Step) else None


# Documents on a page, letters of an excerpt, and topics named with it.
PAGE_SIZE, EXCERPT_LETTERS, TOPICS_SHOWN = 10, 260, 3

RowArray = npt.NDArray[np.int64]


class Page(NamedTuple):
    """A page of a list: its number from 1, the number of pages, and its rows."""

    number: int
    pages: int
    rows: slice


def page_of(requested: str, total: int, size: int = PAGE_SIZE) -> Page:
    """The page that a URL asks for, of a list with ``total`` rows."""
    pages = max(1, -(-total // size))
    number = min(read_whole_number(requested) or 1, pages)
    return Page(number, pages, slice((number - 1) * size, number * size))


# Choice of the documents without a topic, which have no place on the map, and its value in a URL.
WITHOUT_TOPIC, WITHOUT_TOPIC_NAME = -2, "none"
# Choice of the documents whose topics are all unsure, and its value in a URL.
UNSURE, UNSURE_NAME = -3, "unsure"


@dataclass(frozen=True)
class Choice:
    """Conditions on documents, all of which must hold."""

    found: RowArray | None = None  # rows that a search found, best first; None without a search
    # Is on, or one that is displayed as it; -1 for any, `WITHOUT_TOPIC` for documents without, and
    # `UNSURE` for documents in which no topic is sure to be on.
    topic: int = -1
    labels: tuple[str, ...] = ()  # one of these is the label; empty for any
    years: tuple[int, ...] = ()  # first and last year; empty for any
    group: npt.NDArray[np.bool_] | None = None  # members of a group, shape (n_documents,)


def choice_at(
    address: Parameters,
    facets: Facets,
    run: Run | None,
    activations: Activations | None,
    read: Callable[[str, Step | None], Grouping],
) -> Choice:
    """Filters of a URL; labels and topics that the corpus or the model lacks are ignored.

    ``read`` groups the documents by a column.
    """
    topic = -1
    if run is not None and activations is not None:
        topic = topic_chosen(run, chosen(address, "on", ""))
    labels = tuple(label for label in address.get("label", ()) if label in facets.labels)
    years: tuple[int, ...] = ()
    if facets.years:
        requested = read_years(chosen(address, "years", ""), *facets.years)
        years = requested if requested != facets.years else ()
    column, step, name = (chosen(address, parameter, "") for parameter in GROUP_PARAMETERS)
    group = None
    if name:
        with suppress(InputError):
            group = read(column, as_step(step)).has(name)
    return Choice(topic=topic, labels=labels, years=years, group=group)


def chosen_rows(
    choice: Choice,
    facets: Facets,
    run: Run | None,
    activations: Activations | None,
    corpus: Corpus,
) -> RowArray:
    """Rows of the documents that meet the conditions.

    They are in the order of the search, else the most typical of the topic first, else in the order
    of the corpus.
    """
    is_wanted = np.ones(len(facets.label), bool)
    if choice.labels:
        is_wanted &= np.isin(facets.label.astype(str), choice.labels)
    if choice.years:
        is_wanted &= (facets.year >= choice.years[0]) & (facets.year <= choice.years[1])
    if choice.group is not None:
        is_wanted &= choice.group
    order = np.arange(len(is_wanted), dtype=np.int64)
    if choice.topic != -1:
        if choice.topic == WITHOUT_TOPIC:
            order = rows_without_topic(activations)
        elif choice.topic == UNSURE:
            order = rows_unsure(activations)
        else:
            order = rows_of_topic(run, activations, choice.topic, corpus)
        is_on = np.zeros(len(is_wanted), bool)
        is_on[order] = True
        is_wanted &= is_on
    if choice.found is not None:
        order = choice.found
    return order[is_wanted[order]]


def orders(facets: Facets) -> list[str]:
    """Orders in which a list can be shown; "" is the order of `chosen_rows`."""
    dated = ["newest", "oldest"] if facets.years else []
    return ["", *dated, "title", *(["label"] if facets.labels else []), "longest", "shortest"]


def in_order(rows: RowArray, order: str, facets: Facets, corpus: Corpus) -> RowArray:
    """Rows in one of the `orders`; equal ones stay as they are."""
    if order not in orders(facets) or not order:
        return rows
    if order in ("newest", "oldest"):
        # Documents without a year come last.
        year = facets.year[rows].astype(np.int64)
        unknown = year == NO_YEAR
        return rows[np.lexsort((year if order == "oldest" else -year, unknown))]
    if order in ("longest", "shortest"):
        length = np.diff(corpus.token_ptr)[rows]
        return rows[np.argsort(length if order == "shortest" else -length, kind="stable")]
    if order == "label":
        names = [str(name) for name in facets.label[rows]]
    else:
        texts = corpus.documents["text"]
        names = [title_of(facets, row, str(texts.iat[row])) for row in rows.tolist()]
    keys = np.array([name.casefold() for name in names], object)
    return rows[np.argsort(keys, kind="stable")]


def read_years(text: str, first: int, last: int) -> tuple[int, int]:
    """Range of years in a URL, within the years of the corpus; all of them if it is invalid."""
    begin, end = (read_whole_number(part) for part in text.partition("-")[::2])
    if begin is None or end is None:
        return first, last
    low, high = max(first, min(begin, end)), min(last, max(begin, end))
    return (low, high) if low <= high else (first, last)


def rows_of_topic(
    run: Run | None, activations: Activations | None, topic: int, corpus: Corpus
) -> RowArray:
    """Documents in which a topic is on, the most typical first; empty if unknown.

    Their probabilities alone would not order them, since most are practically 1.
    """
    if run is None or activations is None:
        return np.empty(0, np.int64)
    probability = np.zeros(corpus.n_documents)
    probability[activations.rows] = on_probability(run, activations, topic)
    return np.array(typical_documents(corpus, probability, topic_keywords(run, topic)), np.int64)


def topic_chosen(run: Run, name: str) -> int:
    """Topic of a URL, ``WITHOUT_TOPIC`` or ``UNSURE`` for documents without a sure one, or -1."""
    topic = topic_named(run, name)
    others = {WITHOUT_TOPIC_NAME: WITHOUT_TOPIC, UNSURE_NAME: UNSURE}
    return others.get(name, -1) if topic < 0 else topic


def rows_without_topic(activations: Activations | None) -> RowArray:
    """Documents of which no topic has a stored probability; empty if unknown."""
    if activations is None:
        return np.empty(0, np.int64)
    without: RowArray = activations.rows[np.diff(activations.probability.indptr) == 0]
    return without


def rows_unsure(activations: Activations | None) -> RowArray:
    """Documents with stored probabilities of topics, none of which is on; empty if unknown."""
    if activations is None:
        return np.empty(0, np.int64)
    table = activations.probability
    is_on = np.asarray((table > ON_THRESHOLD).sum(axis=1)).ravel() > 0
    unsure: RowArray = activations.rows[~is_on & (np.diff(table.indptr) > 0)]
    return unsure


class TopicCounts(NamedTuple):
    """Numbers of the stored documents by what is known of their topics; they add up to all."""

    shown: int  # a topic is on that is not hidden
    hidden: int  # only hidden topics are on
    unsure: int  # no topic is on, but some have a stored probability
    without: int  # no topic has a stored probability
    on: int  # pairs of a document and a topic that is on and not hidden


def count_documents(run: Run, activations: Activations, on: sparse.csr_array) -> TopicCounts:
    """Count the stored documents by what is known of their topics; ``on`` is their `on_table`."""
    is_shown = np.ones(on.shape[1], np.int64)
    is_shown[list(run.hidden_topics)] = 0
    # Topics that are on in each document: all, and without hidden ones.
    n_on, n_shown = np.asarray(on.sum(axis=1)).ravel(), on @ is_shown
    shown, known = int((n_shown > 0).sum()), np.diff(activations.probability.indptr) > 0
    return TopicCounts(
        shown=shown,
        hidden=int((n_on > 0).sum()) - shown,
        unsure=int((known & (n_on == 0)).sum()),
        without=int((~known).sum()),
        on=int(n_shown.sum()),
    )


def topics_on(
    run: Run, activations: Activations | None, row: int, most: int, corpus: Corpus
) -> list[int]:
    """Topics that are on in a document, most probable first; empty if unknown.

    Topics that are equally probable in two digits are ordered by the sum of the weights with which
    they explain the words of the document.
    """
    if activations is None:
        return []
    place = int(np.searchsorted(activations.rows, row))
    if place >= len(activations.rows) or activations.rows[place] != row:
        return []
    table = activations.probability
    span = slice(table.indptr[place], table.indptr[place + 1])
    pairs = zip(table.data[span].tolist(), table.indices[span].tolist(), strict=True)
    on = [(probability, topic) for probability, topic in pairs if probability > ON_THRESHOLD]
    words = corpus.tokens_of(row)
    ranked = sorted(
        on, key=lambda pair: (-round(pair[0], 2), -_weight_of(run, pair[1], words), *pair)
    )
    shown = dict.fromkeys(whole(run, topic) for _, topic in ranked)
    return [topic for topic in shown if topic not in run.hidden_topics][:most]


def _weight_of(run: Run, topic: int, tokens: npt.NDArray[np.integer]) -> float:
    """Sum of the weights of the links from a topic to these words."""
    graph = run.network.graph
    span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
    is_here = np.isin(graph.child_idx[span], tokens + graph.n_topics)
    return float(run.network.weight[graph.child_edge[span]][is_here].sum())


def documents_with_topic(on: sparse.csr_array) -> npt.NDArray[np.int64]:
    """Number of the stored documents in which each topic is on, shape (n_topics,).

    ``on`` is their `on_table`. It is 0 for a topic that is displayed as part of another.
    """
    return np.asarray(on.sum(axis=0), np.int64).ravel()


@dataclass(frozen=True)
class Sources:
    """Data from which pictures of documents are made."""

    run: Run
    workspace: Path  # contains the search index
    corpus: Corpus  # the training corpus
    facets: Facets
    stored: Activations | None = None  # None if the run stored none
    found: DocumentMap | None = None  # None if no map was made

    def search(self, text: str) -> npt.NDArray[np.int64] | None:
        """Rows that a search finds, best first; None for an empty search."""
        return search_now(self.workspace, self.run.corpus_path, self.corpus, text)


def read_sources(run: Run, workspace: Path) -> Sources | None:
    """Read the data of a run; None if its corpus was deleted or changed."""
    try:
        corpus = training_corpus(run)
        if corpus is None:
            return None
        stored, found = load_activations(run.folder / "model"), map_of(run.folder, corpus)
    except InputError:
        return None
    return Sources(run, workspace, corpus, read_facets(corpus.documents), stored, found)
