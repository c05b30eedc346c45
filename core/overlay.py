"""Overlay: what a person says about the topics of a model; it never touches the parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from orrery.core.errors import InputError

# A name longer than this is a description, and fits nowhere.
LONGEST_LABEL = 120


@dataclass(frozen=True)
class Overlay:
    """Labels, hidden topics and merges for the eye, by the permanent ids of the topics.

    Topics that the model does not have are kept and ignored: training on may bring a model
    without them, and with them again.

    Attributes
    ----------
    labels : mapping of str to str
        A person's own name for a topic.
    hidden : frozenset of str
        Topics that pictures leave out; inference does not.
    merged : mapping of str to str
        Topics that are shown as part of another one, which is not merged itself.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    merged: Mapping[str, str] = field(default_factory=dict)

    def shown_labels(self, topic_ids: Sequence[str], made: Sequence[str]) -> tuple[str, ...]:
        """Names of all topics: a person's where there is one, else the one made of words."""
        return tuple(
            self.labels.get(topic, label) for topic, label in zip(topic_ids, made, strict=True)
        )

    def about(self, topics: Collection[str]) -> Overlay:
        """What is said about these topics alone."""
        return Overlay(
            {topic: label for topic, label in self.labels.items() if topic in topics},
            self.hidden.intersection(topics),
            {
                part: whole
                for part, whole in self.merged.items()
                if part in topics and whole in topics
            },
        )

    def with_label(self, topic: str, label: str) -> Overlay:
        """Name a topic; an empty name leads back to the one made of its words.

        Raises
        ------
        InputError
            If the name is longer than ``LONGEST_LABEL``, or cannot be shown.
        """
        name = " ".join(label.split())
        if len(name) > LONGEST_LABEL:
            raise InputError(
                f"the name has {len(name)} characters; shorten it to {LONGEST_LABEL} or fewer"
            )
        if not name.isprintable():
            raise InputError("the name holds a sign that cannot be shown; leave it out")
        others = {key: value for key, value in self.labels.items() if key != topic}
        return replace(self, labels=others | ({topic: name} if name else {}))

    def with_hidden(self, topic: str, is_hidden: bool) -> Overlay:
        """Leave a topic out of pictures, or show it again."""
        change = frozenset([topic])
        return replace(self, hidden=self.hidden | change if is_hidden else self.hidden - change)

    def with_merged(self, topic: str, into: str) -> Overlay:
        """Show a topic as part of another one; an empty ``into`` parts it again.

        What was part of the topic becomes part of the other one too.

        Raises
        ------
        InputError
            If the two are one and the same.
        """
        leader = self.merged.get(into, into)
        if topic == leader:
            raise InputError(f"{topic} cannot be part of itself; choose another topic")
        others = {
            part: (leader if whole == topic and into else whole)
            for part, whole in self.merged.items()
            if part != topic
        }
        return replace(self, merged=others | ({topic: leader} if into else {}))
