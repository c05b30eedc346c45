"""Overlay: what a person says about the topics of a model; it never touches the parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from orrery.core.errors import InputError

# A name longer than this is a description, and fits nowhere; a longer note is a text of its own.
LONGEST_LABEL = 120
LONGEST_NOTE = 1000


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
    notes : mapping of str to str
        What a person wants to remember of a topic; shown in the table of names alone.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    merged: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

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
            {topic: note for topic, note in self.notes.items() if topic in topics},
        )

    def with_label(self, topic: str, label: str) -> Overlay:
        """Name a topic; an empty name leads back to the one made of its words.

        Raises
        ------
        InputError
            If the name is longer than ``LONGEST_LABEL``, or cannot be shown.
        """
        return replace(self, labels=_with_text(self.labels, topic, checked_label(label)))

    def with_note(self, topic: str, note: str) -> Overlay:
        """Keep a note about a topic; an empty one removes it.

        Raises
        ------
        InputError
            If the note is longer than ``LONGEST_NOTE``, or cannot be shown.
        """
        return replace(self, notes=_with_text(self.notes, topic, checked_note(note)))

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


def checked_label(label: str) -> str:
    """A name as it is kept, on one line, or the reason why it cannot be (InputError)."""
    return _checked(label, "name", LONGEST_LABEL)


def checked_note(note: str) -> str:
    """A note as it is kept, on one line, or the reason why it cannot be (InputError)."""
    return _checked(note, "note", LONGEST_NOTE)


def _checked(text: str, what: str, longest: int) -> str:
    line = " ".join(text.split())
    if len(line) > longest:
        raise InputError(f"the {what} has {len(line)} characters; shorten it to {longest} or fewer")
    # Control characters, and those that turn the direction of what follows.
    if not line.isprintable():
        raise InputError(f"the {what} holds a sign that cannot be shown; leave it out")
    return line


def _with_text(texts: Mapping[str, str], topic: str, text: str) -> dict[str, str]:
    others = {key: value for key, value in texts.items() if key != topic}
    return others | ({topic: text} if text else {})
