"""Topic model: network, vocabulary, recipe and overlay; and trained runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..data.query import longest_phrase, parse_query
from ..data.recipe import Recipe
from ..utils import notebook
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int32Array, Int64Array
from .labels import TopicWords, marginals
from .network import Network
from .overlay import Overlay
from .subtrees import joined_prior, main_links
from .terms import Terms, terms_of
from .topic_groups import NO_GROUP, TopicGroups, visible_groups
from .topic_names import MIN_COHERENCE, NO_WORDS

# Probabilities that differ by less are equal: none of these topics is more frequent than another.
EQUAL = 1e-9


def tells_nothing(held_out: Mapping[str, Any]) -> bool:
    """Whether the test set is no more likely than under the baseline.

    ``held_out`` has the metrics of `orrery.core.evaluation.evaluate.Evaluation`. If the
    log-likelihood was not computed, the exact bound is compared instead, which is slightly lower.
    """
    likelihood = held_out["log_likelihood"]
    found = held_out["exact_bound"] if likelihood is None else likelihood
    return bool(found <= held_out["independent"])


@dataclass(frozen=True, eq=False, repr=False)
class TopicModel:
    """Network with its vocabulary, topic names and a user's changes.

    Attributes
    ----------
    recipe : Recipe
        Conversion of a query to tokens, the same as for the corpus.
    topic_labels : tuple of str, length n_topics
        Displayed topic names: the user's, otherwise those made of top words.
    made_labels : tuple of str, length n_topics
        Names made of the topics' top words.
    overlay : Overlay
        A user's changes of the display.
    summary : dict
        Report of the training.
    topic_groups : TopicGroups or None
        Topic groups; None without groups.
    coherence : tuple of (float or None), length n_topics, or None
        How well the words of each topic belong together (`TopicNames`); None if unknown.
    """

    network: Network
    vocabulary: tuple[str, ...]
    recipe: Recipe
    topic_labels: tuple[str, ...]
    made_labels: tuple[str, ...]
    overlay: Overlay
    summary: Mapping[str, Any]
    topic_groups: TopicGroups | None = field(default=None, kw_only=True)
    coherence: tuple[float | None, ...] | None = field(default=None, kw_only=True)

    @cached_property
    def terms(self) -> Terms:
        """The model's own words for topics and words."""
        return terms_of(self.summary)

    @property
    def has_no_structure(self) -> bool:
        """Whether the model had a test set after its training, which it `tells_nothing` about."""
        held_out = self.summary.get("held_out")
        return bool(held_out and "independent" in held_out and tells_nothing(held_out))

    @property
    def has_texts(self) -> bool:
        """Whether the model was trained on texts, not made from a graph."""
        return True

    @cached_property
    def token_number(self) -> dict[str, int]:
        """Number of each word of the vocabulary."""
        return {word: number for number, word in enumerate(self.vocabulary)}

    @cached_property
    def longest_phrase(self) -> int:
        """Number of words of the longest phrase in the vocabulary."""
        return longest_phrase(self.vocabulary)

    @cached_property
    def prior(self) -> FloatArray:
        """Prior probability of every node, shape (n_nodes,); see `marginals`."""
        return marginals(self.network)

    @cached_property
    def displayed_prior(self) -> FloatArray:
        """Prior probability of each topic with its parts, shape (n_topics,); see `joined_prior`."""
        return joined_prior(self.network, self.shown_as)

    @cached_property
    def topic_words(self) -> TopicWords:
        """Top words of every topic."""
        return TopicWords(self.network, self.vocabulary)

    @cached_property
    def wordless_topics(self) -> frozenset[int]:
        """Numbers of the topics without words (``is_wordless``) that no user has named."""
        topics = enumerate(zip(self.network.graph.topic_ids, self.topic_labels, strict=True))
        return frozenset(
            number
            for number, (name, label) in topics
            if label == NO_WORDS and name not in self.overlay.labels
        )

    @cached_property
    def hidden_topics(self) -> frozenset[int]:
        """Numbers of the topics that are not displayed: hidden by a user, or without words."""
        number = self.network.graph.topic_number
        by_person = {number[topic] for topic in self.overlay.hidden if topic in number}
        return self.wordless_topics | by_person

    @cached_property
    def displayed_topics(self) -> list[int]:
        """Numbers of the topics that are neither hidden nor shown as part of another one.

        Callers must not change the list.
        """
        left_out = self.hidden_topics | set(self.shown_as)
        return [topic for topic in range(self.network.graph.n_topics) if topic not in left_out]

    def are_equally_frequent(self, topics: Sequence[int]) -> bool:
        """Whether these topics have the same `displayed_prior`, to within `EQUAL`."""
        prior = self.displayed_prior[list(topics)]
        return not len(prior) or bool(np.ptp(prior) < EQUAL)

    @cached_property
    def unclear_topics(self) -> frozenset[int]:
        """Numbers of the topics whose names are not informative; some lists put them last.

        Their words are rarely together (``MIN_COHERENCE``): very general topics, or words of any
        conversation. A topic that a user has named is clear, and so are all topics if otherwise
        only named ones would be.
        """
        ids = self.network.graph.topic_ids
        named = {topic for topic, name in enumerate(ids) if name in self.overlay.labels}
        found = (
            {
                topic
                for topic, known in enumerate(self.coherence or ())
                if known is not None and known < MIN_COHERENCE
            }
            - named
            - self.wordless_topics
        )
        return frozenset(found if {*self.displayed_topics} - named - found else ())

    @cached_property
    def set_aside_topics(self) -> frozenset[int]:
        """Numbers of the displayed `unclear_topics` that have no place in the hierarchy.

        A topic above others keeps its place, because they would lose theirs.
        """
        graph = self.network.graph
        above = graph.parent_idx[: graph.parent_ptr[graph.n_topics]]
        return self.unclear_topics.intersection(self.displayed_topics).difference(above.tolist())

    @property
    def unlinked_topics(self) -> frozenset[int]:
        """Numbers of the topics that have no place in the hierarchy: hidden or set aside."""
        return self.hidden_topics | self.set_aside_topics

    @cached_property
    def main_parents(self) -> Int64Array:
        """Main parent of each node, -1 for none, shape (n_nodes,); see `main_links`.

        Topics that are set aside have neither a main parent nor children.
        """
        unlinked, aside = self.unlinked_topics, list(self.set_aside_topics)
        parents = main_links(self.network, hidden=unlinked, shown_as=self.shown_as)[0]
        parents[aside] = -1
        return parents

    @property
    def has_layers(self) -> bool:
        """Whether a displayed topic has another one as its main parent."""
        return bool((self.main_parents[: self.network.graph.n_topics] >= 0).any())

    @property
    def n_hidden(self) -> int:
        """Number of topics with words that a user has hidden."""
        return len(self.hidden_topics - self.wordless_topics)

    @cached_property
    def shown_as(self) -> dict[int, int]:
        """Numbers of topics that are shown as part of another one.

        Only topics of the same layer are merged: a path may connect topics of different layers, and
        merging them would create a cycle.
        """
        height, merged = self.network.graph.heights(), self.overlay.merged
        number = self.network.graph.topic_number
        known = [(number.get(part), number.get(whole)) for part, whole in merged.items()]
        return {
            part: whole
            for part, whole in known
            if part is not None and whole is not None and height[part] == height[whole]
        }

    def parts_of(self, node: int) -> list[int]:
        """Return a node and the topics that are shown as part of it."""
        return [node, *(part for part, shown in self.shown_as.items() if shown == node)]

    def shown_words(self, topic: int, count: int = 10) -> list[tuple[str, float, float]]:
        """Top words of a topic and of the topics shown as part of it, see `TopicWords.words`."""
        first, *others = self.parts_of(topic)
        return self.topic_words.words(first, count, others)

    @cached_property
    def topic_group_names(self) -> tuple[str, ...]:
        """Names of the topic groups; empty without groups."""
        return () if self.topic_groups is None else self.topic_groups.names(self.vocabulary)

    @cached_property
    def topic_group_of(self) -> tuple[int, ...]:
        """Group of every topic, which is the group of its root topic; ``NO_GROUP`` for none.

        A group with a single visible root is dropped. Topics that are set aside have no group. A
        topic that is shown as part of another one is in the group of that topic.
        """
        n_topics, parents = self.network.graph.n_topics, self.main_parents.tolist()
        if self.topic_groups is None:
            return (NO_GROUP,) * n_topics
        roots = []
        for topic in range(n_topics):
            root = self.shown_as.get(topic, topic)
            while parents[root] >= 0:
                root = parents[root]
            roots.append(root)
        visible = sorted({*roots} - (self.unlinked_topics | set(self.shown_as)))
        group = dict(
            zip(visible, visible_groups(self.topic_groups.of.tolist(), visible), strict=True)
        )
        return tuple(group.get(root, NO_GROUP) for root in roots)

    def topic_group_name(self, topic: int) -> str | None:
        """Name of the group of a topic; None without one."""
        group = self.topic_group_of[topic]
        return None if group == NO_GROUP else self.topic_group_names[group]

    @property
    def as_shown(self) -> tuple[frozenset[int], tuple[tuple[int, int], ...]]:
        """`unlinked_topics` and the sorted pairs of `shown_as`: a key of what is displayed."""
        return self.unlinked_topics, tuple(sorted(self.shown_as.items()))

    def with_overlay(self, overlay: Overlay) -> Self:
        """The same model with another overlay; results that do not depend on it are kept."""
        shown = overlay.shown_labels(self.network.graph.topic_ids, self.made_labels)
        other = replace(self, overlay=overlay, topic_labels=shown)
        for name in ("token_number", "longest_phrase", "prior", "topic_words"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def parse(self, text: str) -> tuple[Int32Array, list[str]]:
        """Token numbers and unknown words of a query; see `orrery.core.data.query.parse_query`."""
        return parse_query(self.recipe, self.token_number, text, self.longest_phrase)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.network.graph!r})"

    def _repr_html_(self) -> str:
        """HTML picture of the layers, and the topics below their main parents, for notebooks."""
        above = self.main_parents.tolist()
        parents = {topic: above[topic] for topic in self.displayed_topics}
        below = notebook.tree(self.topic_labels, parents)
        return notebook.graph_card("Topic model", self.network.graph, below)


@dataclass(frozen=True, eq=False, repr=False)
class Run(TopicModel):
    """Trained run: a model with its folder and settings."""

    folder: Path
    config: Mapping[str, Any]

    @property
    def has_texts(self) -> bool:
        """Whether the run was trained on texts, not adopted from a graph file."""
        settings = self.config.get("settings")
        is_adopted = isinstance(settings, Mapping) and "adopted" in settings
        return not (is_adopted and self.config.get("corpus", "") is None)

    @property
    def corpus_path(self) -> Path:
        """Folder of the training corpus; `InputError` for a model adopted from a graph file."""
        if self.config["corpus"] is None:
            raise InputError(f"{self.folder} was adopted from a graph and has no corpus of its own")
        return Path(self.config["corpus"])
