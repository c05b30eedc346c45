"""Two runs side by side: which topic became which, and a user's names and notes carried over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus, evenly_spaced
from ..inference.infer import infer_activations
from ..model.overlay import Edit, Field, Overlay, field_values
from ..model.topic_model import Run
from ..storage.activations import load_activations
from ..storage.corpora import is_trained_on, load_corpus
from ..storage.runs import model_folder
from ..utils.errors import InputError
from ..utils.types import Int64Array
from .topic_matching import TopicMatch, match_links, match_topics

# Documents in which topics are compared; more change a correlation by less than 0.01.
MAX_DOCUMENTS = 20_000
# With fewer common documents, a match could not be distinguished from chance.
MIN_DOCUMENTS = 20
# Fields of an overlay that are carried over.
CARRIED: tuple[Field, ...] = ("name", "note")


@dataclass(frozen=True, eq=False)
class RunMatch:
    """Topics of two runs, matched by the documents that both runs have."""

    first: Run
    other: Run
    documents: int  # number of common documents in which the topics are compared
    topics: TopicMatch
    links: int  # number of links of the first run that the other has between matched topics

    @cached_property
    def partner(self) -> dict[str, str]:
        """Id of the topic of the other run for each matched topic of the first.

        Hidden and merged topics are among them, since their names and stories are carried over.
        """
        ids, others = (run.network.graph.topic_ids for run in (self.first, self.other))
        pairs = enumerate(self.topics.matched.tolist())
        return {ids[topic]: others[match] for topic, match in pairs if match >= 0}

    @cached_property
    def displayed(self) -> dict[int, int]:
        """Matched topics of the first run and of the other that both runs display."""
        others, matched = set(self.other.displayed_topics), self.topics.matched.tolist()
        return {
            topic: matched[topic]
            for topic in self.first.displayed_topics
            if matched[topic] in others
        }

    @property
    def new(self) -> list[int]:
        """Displayed topics of the other run without a displayed match in the first."""
        taken = set(self.displayed.values())
        return [topic for topic in self.other.displayed_topics if topic not in taken]

    @property
    def gone(self) -> list[int]:
        """Displayed topics of the first run without a displayed match in the other."""
        return [topic for topic in self.first.displayed_topics if topic not in self.displayed]


def match_runs(first: Run, other: Run) -> RunMatch:
    """Match the topics of two runs in the documents with the same id and text in both corpora.

    Raises InputError if a run has no corpus, or the runs have too few documents in common.
    """
    corpora = load_corpus(first.corpus_path), load_corpus(other.corpus_path)
    for run, corpus in zip((first, other), corpora, strict=True):
        if run.vocabulary != corpus.vocabulary:
            raise InputError(
                f"the corpus {run.corpus_path} has another vocabulary than the model; "
                "train on it again"
            )
    rows, other_rows = _common_rows(*corpora)
    if len(rows) < MIN_DOCUMENTS:
        raise InputError(
            f"the runs have {len(rows)} documents with the same id and text in common, and topics "
            f"are matched by {MIN_DOCUMENTS} or more; compare runs on the same documents"
        )
    some = evenly_spaced(np.arange(len(rows), dtype=np.int64), MAX_DOCUMENTS)
    rows, other_rows = rows[some], other_rows[some]
    lengths = np.diff(corpora[0].token_ptr)[rows]
    topics = match_topics(
        _probability(first, corpora[0], rows), _probability(other, corpora[1], other_rows), lengths
    )
    tokens = np.array([other.token_number.get(word, -1) for word in first.vocabulary], np.int64)
    graphs = first.network.graph, other.network.graph
    links = int(match_links(*graphs, topics.matched, tokens)[0].sum())
    return RunMatch(first, other, len(rows), topics, links)


def _common_rows(corpus: Corpus, other: Corpus) -> tuple[Int64Array, Int64Array]:
    """Rows of the documents that both corpora have, in the order of the first."""
    numbered = zip(other.documents["id"], other.documents["text"], strict=True)
    row_of = {document: row for row, document in enumerate(numbered)}
    documents = zip(corpus.documents["id"], corpus.documents["text"], strict=True)
    pairs = [(row, row_of[each]) for row, each in enumerate(documents) if each in row_of]
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _probability(run: Run, corpus: Corpus, rows: Int64Array) -> sparse.csr_array:
    """P(on) of the topics of a run in some documents, as stored with the model if possible."""
    stored = load_activations(model_folder(run.folder))
    is_trained = is_trained_on(run.folder, corpus)
    if stored is None or not is_trained or not np.isin(rows, stored.rows).all():
        return infer_activations(run.network, corpus, rows)
    return sparse.csr_array(stored.probability[np.searchsorted(stored.rows, rows)])


class NotCarried(NamedTuple):
    """A text of the first run that the other run does not get."""

    topic: str  # id of the topic in the first run
    field: str  # ``name``, ``note``, ``hidden``, ``merged`` or ``story``
    text: str
    reason: str


def carried_edits(match: RunMatch) -> tuple[tuple[Edit, ...], tuple[NotCarried, ...]]:
    """Edits of the other run that carry names and notes over, and what is not carried over.

    A name or note of a topic that is matched above the null is carried over, unless the other topic
    has one of its own.
    """
    edits, left = list[Edit](), list[NotCarried]()
    known = match.first.network.graph.topic_number
    for kind in CARRIED:
        current = field_values(match.other.overlay, kind)
        for topic, text in sorted(field_values(match.first.overlay, kind).items()):
            partner = match.partner.get(topic)
            if topic not in known:
                left.append(NotCarried(topic, kind, text, "the first run has no such topic"))
            elif partner is None:
                left.append(NotCarried(topic, kind, text, "no topic of the other run matches it"))
            elif current.get(partner, "") == "":
                edits.append(Edit(partner, kind, "", text))
            elif current[partner] != text:
                reason = f"{partner} has a {kind} of its own: {current[partner]}"
                left.append(NotCarried(topic, kind, text, reason))
    return tuple(edits), (*left, *_display_changes(match.first.overlay))


def _display_changes(overlay: Overlay) -> Iterator[NotCarried]:
    reason = "hidden and merged topics are not carried over"
    for topic in sorted(overlay.hidden):
        yield NotCarried(topic, "hidden", "", reason)
    for topic, whole in sorted(overlay.merged.items()):
        yield NotCarried(topic, "merged", whole, reason)
