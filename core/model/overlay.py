"""Overlay: what a person says about the topics of a model; it never touches the parameters.

Edits of an overlay: each knows what it found, so that nobody's words are replaced unseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..utils.errors import InputError

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


Field = Literal["name", "note", "hidden", "merged"]
FIELDS: tuple[Field, ...] = ("name", "note", "hidden", "merged")
# What a person writes in tables; topics are merged on their cards.
WRITTEN: tuple[Field, ...] = ("name", "note", "hidden")
YES = "yes"

# What is said about topics, by their ids: "" where nothing is, and ``YES`` of a hidden topic.
Said = Mapping[str, Mapping[Field, str]]


@dataclass(frozen=True)
class Edit:
    """One thing that is said about a topic, as it was seen and as it is to be.

    Attributes
    ----------
    topic : str
        Permanent id.
    field : str
        One of ``FIELDS``.
    before, after : str
        Empty where nothing is said; ``merged`` holds the id of the whole.
    """

    topic: str
    field: Field
    before: str
    after: str

    def turned_back(self) -> Edit:
        """The edit that undoes this one."""
        return replace(self, before=self.after, after=self.before)


class ConflictError(InputError):
    """Someone else said something else about the same topics in the meantime.

    Attributes
    ----------
    edits : tuple of Edit
        Those that stand against it, with what is said now as ``before``.
    """

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        first = edits[0]
        more = f" and {len(edits) - 1} more" if len(edits) > 1 else ""
        super().__init__(
            f"the {first.field} of {first.topic}{more} was changed elsewhere in the meantime; "
            "nothing was saved, choose which to keep"
        )
        self.edits = edits


def said_of(overlay: Overlay, field: Field) -> dict[str, str]:
    """What an overlay says in a field, by topic; topics of which it says nothing are left out."""
    if field == "hidden":
        return dict.fromkeys(overlay.hidden, YES)
    return dict({"name": overlay.labels, "note": overlay.notes, "merged": overlay.merged}[field])


def differences(before: Overlay, after: Overlay) -> tuple[Edit, ...]:
    """Edits that lead from one overlay to another, by kind and then by topic."""
    found = []
    for kind in FIELDS:
        old, new = said_of(before, kind), said_of(after, kind)
        changed = (topic for topic in old.keys() | new.keys() if old.get(topic) != new.get(topic))
        found += [Edit(t, kind, old.get(t, ""), new.get(t, "")) for t in sorted(changed)]
    return tuple(found)


def edits_towards(overlay: Overlay, wanted: Said) -> tuple[Edit, ...]:
    """Edits that make an overlay say what is wanted of some topics, and leave all others.

    Raises
    ------
    InputError
        If a name or note is too long, or cannot be shown; the topic is named.
    """
    said = {kind: said_of(overlay, kind) for kind in FIELDS}
    found = []
    for topic, fields in wanted.items():
        for kind, value in fields.items():
            before, after = said[kind].get(topic, ""), _checked_edit(topic, kind, value)
            if before != after:
                found.append(Edit(topic, kind, before, after))
    return tuple(found)


def apply_edits(overlay: Overlay, edits: Iterable[Edit]) -> Overlay:
    """Overlay with the edits made; one that finds what it leads to already changes nothing.

    Raises
    ------
    ConflictError
        If an edit finds something else than what was seen; then none is made.
    """
    chosen = tuple(edits)
    said = {field: said_of(overlay, field) for field in FIELDS}
    stale = tuple(
        replace(edit, before=said[edit.field].get(edit.topic, ""))
        for edit in chosen
        if said[edit.field].get(edit.topic, "") not in (edit.before, edit.after)
    )
    if stale:
        raise ConflictError(stale)
    return force_edits(overlay, chosen)


def force_edits(overlay: Overlay, edits: Iterable[Edit]) -> Overlay:
    """Overlay with the edits made, whatever they find."""
    said = {field: said_of(overlay, field) for field in FIELDS}
    for edit in edits:
        if edit.after:
            said[edit.field][edit.topic] = edit.after
        else:
            said[edit.field].pop(edit.topic, None)
    return Overlay(said["name"], frozenset(said["hidden"]), said["merged"], said["note"])


def same_names(names: Iterable[str]) -> list[str]:
    """Names that are given more than once, each once, in alphabetical order."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def _checked_edit(topic: str, field: Field, value: str) -> str:
    try:
        if field == "name":
            return checked_label(value)
        return checked_note(value) if field == "note" else value
    except InputError as error:
        raise InputError(f"{topic}: {error}") from None
