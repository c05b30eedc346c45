"""Topic models: a network with the words and the recipe that it was trained on.

Trained runs: a topic model with the folder and the settings that it came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ..data.query import longest_phrase, parse_query
from ..data.recipe import Recipe
from ..utils import notebook
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int32Array, Int64Array
from .labels import NO_WORDS, TopicWords, marginals
from .network import Network
from .overlay import Overlay
from .subtrees import main_links
from .topic_groups import NO_SHELF, Shelves, standing


@dataclass(frozen=True, eq=False, repr=False)
class TopicModel:
    """A network that knows its words.

    Attributes
    ----------
    network : Network
    vocabulary : tuple of str, length n_tokens
    recipe : Recipe
        How a query becomes tokens, as for the corpus.
    topic_labels : tuple of str, length n_topics
        The names to show: a person's own, else the one made of the topic's words.
    made_labels : tuple of str, length n_topics
        Names made of the topics' most telling words.
    overlay : Overlay
        What a person says about the topics.
    summary : dict
        What the training reported at its end.
    shelves : Shelves or None
        Topics side by side for a reader; None where they were not arranged.
    """

    network: Network
    vocabulary: tuple[str, ...]
    recipe: Recipe
    topic_labels: tuple[str, ...]
    made_labels: tuple[str, ...]
    overlay: Overlay
    summary: Mapping[str, Any]
    shelves: Shelves | None = field(default=None, kw_only=True)

    @cached_property
    def token_number(self) -> dict[str, int]:
        """Number of each word of the vocabulary."""
        return {word: number for number, word in enumerate(self.vocabulary)}

    @cached_property
    def longest_phrase(self) -> int:
        """Words of the longest phrase of the vocabulary."""
        return longest_phrase(self.vocabulary)

    @cached_property
    def prior(self) -> FloatArray:
        """Probability of every node before anything is known, shape (n_nodes,); see `marginals`."""
        return marginals(self.network)

    @cached_property
    def topic_words(self) -> TopicWords:
        """The telling words of every topic."""
        return TopicWords(self.network, self.vocabulary)

    @cached_property
    def wordless_topics(self) -> frozenset[int]:
        """Numbers of the topics that have died: no word tells them, and no person named them."""
        labels = enumerate(self.topic_labels)
        return frozenset(number for number, label in labels if label == NO_WORDS)

    @cached_property
    def hidden_topics(self) -> frozenset[int]:
        """Numbers of the topics that pictures and lists leave out.

        Those that a person has hidden, and those without words, which nobody has to hear of.
        """
        number = self.network.graph.topic_number
        by_person = {number[topic] for topic in self.overlay.hidden if topic in number}
        return self.wordless_topics | by_person

    @cached_property
    def main_parents(self) -> Int64Array:
        """Topic that each node hangs from, -1 for none, shape (n_nodes,); see `main_links`."""
        return main_links(self.network, hidden=self.hidden_topics, shown_as=self.shown_as)[0]

    @property
    def n_hidden(self) -> int:
        """How many topics a person has hidden that there would be to see."""
        return len(self.hidden_topics - self.wordless_topics)

    @cached_property
    def shown_as(self) -> dict[int, int]:
        """Topics that are shown as part of another one, by their numbers.

        Only topics of the same layer are: between others there may be a way, and the two as one
        would be above and below themselves.
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
        """Return a node and those that are shown as it."""
        return [node, *(part for part, shown in self.shown_as.items() if shown == node)]

    def shown_words(self, topic: int, count: int = 10) -> list[tuple[str, float, float]]:
        """Most telling words of a topic and of those that are shown as part of it.

        See `TopicWords.words`, which has those of the topic alone.
        """
        first, *others = self.parts_of(topic)
        return self.topic_words.words(first, count, others)

    @cached_property
    def shelf_names(self) -> tuple[str, ...]:
        """What each shelf is called; none where there are none."""
        return () if self.shelves is None else self.shelves.names(self.vocabulary)

    @cached_property
    def shelf_of(self) -> tuple[int, ...]:
        """Shelf that every topic is shown on, that of the one at its head; ``NO_SHELF`` for none.

        A shelf that keeps one family alone is none, and a topic that is part of another stands
        where that does.
        """
        n_topics, parents = self.network.graph.n_topics, self.main_parents.tolist()
        if self.shelves is None:
            return (NO_SHELF,) * n_topics
        heads = [_head(self.shown_as.get(topic, topic), parents) for topic in range(n_topics)]
        left_out = self.hidden_topics | set(self.shown_as)
        tops = sorted({*heads} - left_out)
        stands = dict(zip(tops, standing(self.shelves.of.tolist(), tops), strict=True))
        return tuple(stands.get(head, NO_SHELF) for head in heads)

    def shelf_name(self, topic: int) -> str | None:
        """What the shelf is called that a topic is shown on; None if it is on none."""
        shelf = self.shelf_of[topic]
        return None if shelf == NO_SHELF else self.shelf_names[shelf]

    @property
    def as_shown(self) -> tuple[frozenset[int], tuple[tuple[int, int], ...]]:
        """`hidden_topics` and the pairs of `shown_as` in order: a key of what is shown."""
        return self.hidden_topics, tuple(sorted(self.shown_as.items()))

    def with_overlay(self, overlay: Overlay) -> Self:
        """The same model, of whose topics a person says this; nothing else is worked out anew."""
        shown = overlay.shown_labels(self.network.graph.topic_ids, self.made_labels)
        other = replace(self, overlay=overlay, topic_labels=shown)
        for name in ("token_number", "longest_phrase", "prior", "topic_words"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def parse(self, text: str) -> tuple[Int32Array, list[str]]:
        """Token numbers and unknown words of a query; see `core.text.query.parse_query`."""
        return parse_query(self.recipe, self.token_number, text, self.longest_phrase)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.network.graph!r})"

    def _repr_html_(self) -> str:
        """A picture of its layers, and its topics by name, each below its main parent."""
        left_out = self.hidden_topics | set(self.shown_as)
        above = enumerate(self.main_parents[: self.network.graph.n_topics].tolist())
        parents = {topic: parent for topic, parent in above if topic not in left_out}
        below = notebook.tree(self.topic_labels, parents)
        return notebook.graph_card("Topic model", self.network.graph, below)


def _head(topic: int, parents: list[int]) -> int:
    """The topic that a topic hangs from in the end, which hangs from none."""
    while parents[topic] >= 0:
        topic = parents[topic]
    return topic


@dataclass(frozen=True, eq=False, repr=False)
class Run(TopicModel):
    """A trained run: a model with the folder and the settings that it came from."""

    folder: Path
    config: Mapping[str, Any]

    @property
    def corpus_path(self) -> Path:
        """Folder of the corpus that it was trained on.

        Raises
        ------
        InputError
            If the model was made of a graph file, without a corpus.
        """
        if self.config["corpus"] is None:
            raise InputError(f"{self.folder} was adopted from a graph and has no corpus of its own")
        return Path(self.config["corpus"])
