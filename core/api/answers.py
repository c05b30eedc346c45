"""Results of a trained estimator: query, explanation of a topic, card of a topic, and the picture.

The picture of a query is the one in the app: active topics are green, inactive ones red.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..drawing.links import word_text
from ..drawing.local_model import Look, query_picture
from ..drawing.picture import Picture, canvas_data
from ..drawing.question import Question, notes
from ..drawing.svg import picture_svg
from ..inference.explanation import Message, Omission, explain, leave_one_out
from ..inference.most_probable import N_STATES, most_probable
from ..inference.posterior import Posterior
from ..inference.questions import Aim, best_questions
from ..inference.sensitivity import N_FIGURES, sensitivity
from ..inference.thresholds import MIN_LOG_ODDS
from ..model.topic_model import TopicModel
from ..utils import notebook
from ..utils.errors import InputError

if TYPE_CHECKING:
    from ..drawing.pyvis_network import Theme, TopicNetwork


# Words and linked topics shown on a card, and topics listed for a query.
WORDS_ON_CARD, LINKS_ON_CARD, TOPICS_LISTED = 12, 8, 12
SOURCES = {
    "leak": "before any word",
    "parent": "topic above",
    "child": "topic below",
    "token": "word",
    "absent": "absent word",
    "together": "all of it together",
}
EVERYTHING_ABSENT = "all that is not there"


@dataclass(frozen=True, eq=False)
class QueryResult:
    """Posterior of the topics given the words of a query.

    Attributes
    ----------
    model : TopicModel
    text : str
        The query as typed.
    posterior : Posterior
        Result of `orrery.infer`.
    unknown_words : tuple of str
        Words that are not in the vocabulary; they have no effect.
    notes : tuple of str
        What was guessed in reading the query, such as "no" making a word absent, and how to
        override it.
    """

    model: TopicModel
    text: str
    posterior: Posterior
    unknown_words: tuple[str, ...]
    _question: Question = field(repr=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """See the attributes."""
        return tuple(notes(self.model, self._question))

    @cached_property
    def topics(self) -> pd.DataFrame:
        """Topics of the local model, the most probable first.

        Columns ``id``, ``label``, ``probability``, ``error`` (its standard error: 0 for exact
        inference, missing if the method has no error estimate) and ``layer`` (1 above the words).
        """
        topics, probability = self.posterior.local.topics, self.posterior.probability
        graph = self.model.network.graph
        error = self.posterior.error
        frame = pd.DataFrame(
            {
                "id": [graph.topic_ids[topic] for topic in topics],
                "label": [self.model.topic_labels[topic] for topic in topics],
                "probability": probability,
                "error": np.full(len(topics), np.nan) if error is None else error,
                "layer": graph.heights()[topics],
            }
        )
        hidden = self.model.wordless_topics
        shown = np.array([topic not in hidden for topic in topics.tolist()], bool)
        ordered = frame[shown].sort_values("probability", ascending=False, kind="stable")
        return ordered.reset_index(drop=True)

    @property
    def log_probability(self) -> float:
        """Log-probability of the query, in nats."""
        return self.posterior.log_probability

    def explanations(self, n: int = N_STATES) -> pd.DataFrame:
        """The most probable joint states of all topics of the local model.

        Columns ``probability`` (posterior), ``log_joint`` (with the query, in nats), ``topics``
        (ids of the topics that are on), ``more`` and ``fewer`` (ids of the topics that are on here
        and not in the first row, and the reverse). The attributes ``exact`` and ``missed`` are
        those of `orrery.core.inference.most_probable.MostProbable`.
        """
        found = most_probable(self.model.network, self.posterior, n)
        ids = self.model.network.graph.topic_ids
        rows = []
        for number in range(len(found.state)):
            more, fewer = found.changes(number)
            on = tuple(ids[topic] for topic in found.on(number))
            changes = tuple(ids[topic] for topic in more), tuple(ids[topic] for topic in fewer)
            rows.append((found.probability[number], found.log_joint[number], on, *changes))
        frame = pd.DataFrame(rows, columns=["probability", "log_joint", "topics", "more", "fewer"])
        frame.attrs.update(exact=found.is_exact, missed=found.missed)
        return frame

    def questions(
        self,
        n: int = 5,
        *,
        topics: Sequence[str] | None = None,
        with_topics: bool = False,
        costs: Mapping[str, float] | None = None,
        aim: Aim = "information",
    ) -> pd.DataFrame:
        """The questions whose answer is most informative about undecided or given topics.

        Columns ``kind`` (``word`` or ``topic``), ``name`` (the word, or the id of the topic),
        ``bits``, ``yes`` (probability of the answer yes) and ``cost``. The bits are a sum over the
        topics, see `orrery.core.inference.questions.Question`. The attribute ``exact`` is whether
        they are exact, and ``complete`` whether the bits of all other words are too, so that no
        better question exists.

        Parameters
        ----------
        topics : sequence of str, optional
            Ids of the topics that the questions are about; default all undecided ones, or all
            topics of the local model if the aim is confirmation.
        with_topics : bool
            Whether the questions may be about these topics themselves.
        costs : mapping of str to float, optional
            Cost of asking for a word; rows are ordered by bits per cost.
        aim : {"information", "confirmation"}
            ``information`` settles the topics, ``confirmation`` usually makes some topic nearly
            certain quickly.

        Raises
        ------
        InputError
            If the model has no such word, topic or aim, or a cost is not positive.
        """
        graph, vocabulary = self.model.network.graph, self.model.vocabulary
        numbers = {word: token for token, word in enumerate(vocabulary)}
        unknown = [word for word in costs or {} if word not in numbers]
        unknown += [name for name in topics or () if name not in graph.topic_number]
        if unknown:
            raise InputError(f"the model has no word or topic {unknown[0]!r}; leave it out")
        for name in topics or ():
            self.posterior.position(graph.topic_number[name], name)
        found = best_questions(
            self.model.network,
            self.posterior,
            n,
            targets=None if topics is None else [graph.topic_number[name] for name in topics],
            with_topics=with_topics,
            costs={numbers[word]: cost for word, cost in (costs or {}).items()},
            aim=aim,
        )
        rows = [
            ("word", vocabulary[q.node], q.bits, q.yes, q.cost)
            if q.is_word
            else ("topic", graph.topic_ids[q.node], q.bits, q.yes, q.cost)
            for q in found.questions
        ]
        frame = pd.DataFrame(rows, columns=["kind", "name", "bits", "yes", "cost"])
        frame.attrs.update(exact=found.is_exact, complete=found.is_complete)
        return frame

    def sensitivity(self, topic: str, n: int = N_FIGURES) -> pd.DataFrame:
        """Weights and leaks on which the log-odds of a topic depend most.

        Columns ``parent`` (id of the topic above the edge; None for a leak), ``node`` (id of the
        topic or the word), ``value`` (weight or leak), ``slope`` (derivative of the log-odds by
        it, in nats), ``halved`` and ``doubled`` (probability of the topic with half and with twice
        the value, within the limits of a model), ``low`` and ``high`` (these two values).
        """
        graph = self.model.network.graph
        if topic not in graph.topic_number:
            known = f"use an id such as {graph.topic_ids[0]}" if graph.n_topics else "it has none"
            raise InputError(f"the model has no topic {topic!r}; {known}")
        number = graph.topic_number[topic]
        self.posterior.position(number, topic)
        found = sensitivity(self.model.network, self.posterior, number, n)
        names = [*graph.topic_ids, *self.model.vocabulary]
        rows = [
            (None if f.parent is None else names[f.parent], names[f.node], *f[2:])
            for f in found.figures
        ]
        columns = ["parent", "node", "value", "slope", "halved", "doubled", "low", "high"]
        return pd.DataFrame(rows, columns=columns)

    @property
    def svg(self) -> str:
        """Picture of the local model: active topics are green, inactive ones red."""
        return picture_svg(canvas_data(self._picture()))

    def _picture(self) -> Picture:
        run: Any = self.model
        return query_picture(run, self.posterior, self._question.typed, Look())

    def to_pyvis(self, theme: Theme = "light") -> TopicNetwork:
        """Picture of the query as a pyvis network, which can be restyled.

        Parameters
        ----------
        theme : {"light", "dark"}

        Returns
        -------
        TopicNetwork
            A `pyvis.network.Network` with nodes ``topic:ID`` and ``word:WORD``. The
            ``probability`` of a topic is its posterior; the ``probability`` of an edge
            is the one with which the parent activates its child. The HTML makes no network request
            (`orrery.core.drawing.pyvis_network`).
        """
        from ..drawing.pyvis_network import picture_network

        return picture_network(self._picture(), theme)

    def __repr__(self) -> str:
        lines = [f"query {self.text!r}"]
        if self.unknown_words:
            lines.append(f"not in the vocabulary: {', '.join(self.unknown_words)}")
        lines += self.notes
        rows = self.topics.head(TOPICS_LISTED).to_dict("records")
        lines += [f"{row['probability']:.2f}  {row['id']}  {row['label']}" for row in rows]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        picture = notebook.image(self.svg, self._picture().description)
        rows = [
            (notebook.state_mark(float(row["probability"])), row["label"], row["id"])
            for row in self.topics.head(TOPICS_LISTED).to_dict("records")
        ]
        facts = [f"log-probability {self.log_probability:.2f} nats", f"by {self.posterior.method}"]
        if self.unknown_words:
            facts.append(f"not in the vocabulary: {', '.join(self.unknown_words)}")
        facts += self.notes
        listed = notebook.table(("on", "topic", "id"), rows)
        return notebook.card(self.text, facts, picture, listed)


@dataclass(frozen=True, eq=False)
class Explanation:
    """Explanation why a topic is on or off given a query.

    Attributes
    ----------
    model : TopicModel
    posterior : Posterior
    topic : int
        Number of the topic.
    """

    model: TopicModel
    posterior: Posterior
    topic: int

    @property
    def probability(self) -> float:
        """Posterior probability of the topic given the query."""
        return float(self.posterior.probability[self.posterior.position(self.topic)])

    @cached_property
    def messages(self) -> pd.DataFrame:
        """Contributions for (above 0) and against the topic, the largest first.

        Columns ``source``, ``name`` and ``log_odds`` (nats). The contributions add up to the
        log-odds of the topic; see `orrery.explain`.
        """
        found = explain(self.model.network, self.posterior, self.topic)
        found.sort(key=lambda message: -abs(message.log_odds))
        rows = [(m.source, self._name_of_source(m), m.log_odds) for m in found]
        return pd.DataFrame(rows, columns=["source", "name", "log_odds"])

    @cached_property
    def without(self) -> pd.DataFrame:
        """Probability of the topic when one piece of the query is left out.

        Columns ``piece``, ``name`` and ``probability``; empty for one word or many words.
        """
        found = leave_one_out(self.model.network, self.posterior, self.topic)
        rows = [(o.piece, self._name_of_piece(o), o.without.value) for o in found]
        return pd.DataFrame(rows, columns=["piece", "name", "probability"])

    def _name_of_source(self, message: Message) -> str:
        if message.node is None:
            return EVERYTHING_ABSENT if message.source == "absent" else ""
        if message.source in ("parent", "child"):
            return self.model.topic_labels[message.node]
        return word_text(self.model.vocabulary[message.node])

    def _name_of_piece(self, omission: Omission) -> str:
        if omission.is_word:
            return word_text(self.model.vocabulary[omission.node])
        return self.model.topic_labels[omission.node]

    def __repr__(self) -> str:
        lines = [f"{self.model.topic_labels[self.topic]}: {self.probability:.2f}"]
        lines += [
            f"{row['log_odds']:+.2f}  {row['source']}  {row['name']}"
            for row in self.messages.to_dict("records")
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        largest = float(self.messages["log_odds"].abs().max())
        rows = [
            (
                SOURCES[row["source"]],
                row["name"],
                notebook.bar(row["log_odds"], largest),
                row["log_odds"],
            )
            for row in self.messages.to_dict("records")
            if abs(row["log_odds"]) >= MIN_LOG_ODDS
        ]
        parts = [notebook.table(("", "", "for or against", "nats"), rows)]
        if len(self.without):
            omitted = [
                (f"without {row['name']}", notebook.state_mark(row["probability"]))
                for row in self.without.to_dict("records")
            ]
            parts.append(notebook.table(("", "it would be"), omitted))
        title = f"Why {self.model.topic_labels[self.topic]}?"
        return notebook.card(title, [f"probability {self.probability:.2f}"], *parts)


@dataclass(frozen=True, eq=False)
class TopicCard:
    """Card of one topic: id, label, top words, parents, children and number of documents.

    Attributes
    ----------
    model : TopicModel
    topic : int
        Number of the topic.
    documents : int or None
        Number of training documents in which the topic is more likely on than off, if known.
    """

    model: TopicModel
    topic: int
    documents: int | None

    @property
    def id(self) -> str:
        """Permanent id of the topic."""
        return self.model.network.graph.topic_ids[self.topic]

    @property
    def label(self) -> str:
        """Label of the topic."""
        return self.model.topic_labels[self.topic]

    @cached_property
    def words(self) -> pd.DataFrame:
        """Top words: columns ``word``, ``probability`` given the topic, and ``lift``."""
        found = self.model.shown_words(self.topic, WORDS_ON_CARD)
        rows = [(word_text(word), probability, lift) for word, probability, lift in found]
        return pd.DataFrame(rows, columns=["word", "probability", "lift"])

    @property
    def parents(self) -> tuple[str, ...]:
        """Labels of the parents, the strongest first."""
        graph, weight = self.model.network.graph, self.model.network.weight
        edges = slice(graph.parent_ptr[self.topic], graph.parent_ptr[self.topic + 1])
        return self._labels(graph.parent_idx[edges], weight[edges])

    @property
    def children(self) -> tuple[str, ...]:
        """Labels of the child topics, the strongest first."""
        graph, weight = self.model.network.graph, self.model.network.weight
        places = slice(graph.child_ptr[self.topic], graph.child_ptr[self.topic + 1])
        below, edges = graph.child_idx[places], graph.child_edge[places]
        is_topic = below < graph.n_topics
        return self._labels(below[is_topic], weight[edges[is_topic]])

    def _labels(self, topics: np.ndarray, weight: np.ndarray) -> tuple[str, ...]:
        order = np.argsort(-weight, kind="stable")
        return tuple(self.model.topic_labels[topic] for topic in topics[order])

    def __repr__(self) -> str:
        return f"{self.id}  {self.label}: {', '.join(self.words['word'])}"

    def _repr_html_(self) -> str:
        layer = int(self.model.network.graph.heights()[self.topic])
        facts = [self.id, f"layer {layer}"]
        if self.documents is not None:
            facts.append(f"on in {self.documents} documents")
        for name, labels in (("below", self.parents), ("above", self.children)):
            if labels:
                facts.append(f"{name} {', '.join(labels[:LINKS_ON_CARD])}")
        rows = [
            (row["word"], notebook.bar(row["probability"], 1.0), row["probability"], row["lift"])
            for row in self.words.to_dict("records")
        ]
        header = ("word", "", "given the topic", "times as often as else")
        return notebook.card(self.label, facts, notebook.table(header, rows))
