"""A user's names, notes, hidden and merged topics; the parameters of the model never change.

Edits of an overlay contain the value that they replace, so conflicting edits are detected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..utils.errors import InputError

# Maximal number of characters of a name, and of a note.
MAX_LABEL = 120
MAX_NOTE = 1000


@dataclass(frozen=True)
class Overlay:
    """Labels, notes, hidden and merged topics, by the permanent ids of the topics.

    Topics that the model does not have are kept and ignored, because further training may remove
    topics and restore them.
    """

    labels: Mapping[str, str] = field(default_factory=dict)  # a user's name for a topic
    hidden: frozenset[str] = frozenset()  # topics that are not displayed; inference includes them
    # Topics shown as part of another one, which is not merged itself.
    merged: Mapping[str, str] = field(default_factory=dict)
    # A user's notes on topics, shown in the table of names only.
    notes: Mapping[str, str] = field(default_factory=dict)

    def shown_labels(self, topic_ids: Sequence[str], made: Sequence[str]) -> tuple[str, ...]:
        """Names of all topics: the user's, otherwise the one made of words."""
        return tuple(
            self.labels.get(topic, label) for topic, label in zip(topic_ids, made, strict=True)
        )

    def about(self, topics: Collection[str]) -> Overlay:
        """Part of the overlay that concerns these topics only."""
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
        """Name a topic; an empty name restores the one made of its words.

        Raises `InputError` if the name is longer than ``MAX_LABEL`` or not printable.
        """
        others = {key: value for key, value in self.labels.items() if key != topic}
        checked = checked_label(label)
        return replace(self, labels=others | ({topic: checked} if checked else {}))

    def with_hidden(self, topic: str, is_hidden: bool) -> Overlay:
        """Hide a topic, or show it again."""
        change = frozenset([topic])
        return replace(self, hidden=self.hidden | change if is_hidden else self.hidden - change)

    def with_merged(self, topic: str, into: str) -> Overlay:
        """Show a topic as part of another one; an empty ``into`` separates it again.

        Parts of the topic become parts of the other one too. Raises `InputError` if both are the
        same topic.
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
    """Return a name on one line; `InputError` if it is too long or not printable."""
    return _checked(label, "name", MAX_LABEL)


def checked_note(note: str) -> str:
    """Return a note on one line; `InputError` if it is too long or not printable."""
    return _checked(note, "note", MAX_NOTE)


def _checked(text: str, what: str, longest: int) -> str:
    line = " ".join(text.split())
    if len(line) > longest:
        raise InputError(f"the {what} has {len(line)} characters; shorten it to {longest} or fewer")
    # Not printable: control characters, and characters that change the direction of the text.
    if not line.isprintable():
        raise InputError(f"the {what} holds a sign that cannot be shown; leave it out")
    return line


Field = Literal["name", "note", "hidden", "merged"]
FIELDS: tuple[Field, ...] = ("name", "note", "hidden", "merged")
# Fields that a user edits in tables; topics are merged on their cards.
EDITED_FIELDS: tuple[Field, ...] = ("name", "note", "hidden")
YES = "yes"

# Values of the fields by topic id: "" without one, and ``YES`` for a hidden topic.
TopicValues = Mapping[str, Mapping[Field, str]]


@dataclass(frozen=True)
class Edit:
    """Change of one field of a topic."""

    topic: str  # permanent id
    field: Field  # one of ``FIELDS``
    # Old and new value, empty for none; for ``merged``, the id of the other topic.
    before: str
    after: str

    def inverse(self) -> Edit:
        """Edit that undoes this one."""
        return replace(self, before=self.after, after=self.before)


class ConflictError(InputError):
    """The fields of an edit were changed by someone else in the meantime.

    ``edits`` are the conflicting edits, with the current value as ``before``.
    """

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        first = edits[0]
        more = f" and {len(edits) - 1} more" if len(edits) > 1 else ""
        super().__init__(
            f"the {first.field} of {first.topic}{more} was changed elsewhere in the meantime; "
            "nothing was saved, choose which to keep"
        )
        self.edits = edits


def field_values(overlay: Overlay, field: Field) -> dict[str, str]:
    """Values of a field in an overlay, by topic; topics without a value are left out."""
    if field == "hidden":
        return dict.fromkeys(overlay.hidden, YES)
    return dict({"name": overlay.labels, "note": overlay.notes, "merged": overlay.merged}[field])


def differences(before: Overlay, after: Overlay) -> tuple[Edit, ...]:
    """Edits that change one overlay into another, sorted by field and then by topic."""
    found = []
    for kind in FIELDS:
        old, new = field_values(before, kind), field_values(after, kind)
        changed = (topic for topic in old.keys() | new.keys() if old.get(topic) != new.get(topic))
        found += [Edit(t, kind, old.get(t, ""), new.get(t, "")) for t in sorted(changed)]
    return tuple(found)


def edits_towards(overlay: Overlay, wanted: TopicValues) -> tuple[Edit, ...]:
    """Edits that set the wanted values of some topics and leave all others unchanged.

    Raises `InputError` if a name or note is too long or not printable; the message names the topic.
    """
    current = {kind: field_values(overlay, kind) for kind in FIELDS}
    found = []
    for topic, fields in wanted.items():
        for kind, value in fields.items():
            before, after = current[kind].get(topic, ""), _checked_edit(topic, kind, value)
            if before != after:
                found.append(Edit(topic, kind, before, after))
    return tuple(found)


def apply_edits(overlay: Overlay, edits: Iterable[Edit]) -> Overlay:
    """Overlay after the edits; an edit whose new value is already there changes nothing.

    Raises `ConflictError`, and applies no edit, if any finds another value than it expects.
    """
    chosen = tuple(edits)
    current = {field: field_values(overlay, field) for field in FIELDS}
    stale = tuple(
        replace(edit, before=current[edit.field].get(edit.topic, ""))
        for edit in chosen
        if current[edit.field].get(edit.topic, "") not in (edit.before, edit.after)
    )
    if stale:
        raise ConflictError(stale)
    return force_edits(overlay, chosen)


def force_edits(overlay: Overlay, edits: Iterable[Edit]) -> Overlay:
    """Overlay after the edits, whatever the current values are."""
    values = {field: field_values(overlay, field) for field in FIELDS}
    for edit in edits:
        if edit.after:
            values[edit.field][edit.topic] = edit.after
        else:
            values[edit.field].pop(edit.topic, None)
    return Overlay(values["name"], frozenset(values["hidden"]), values["merged"], values["note"])


def same_names(names: Iterable[str]) -> list[str]:
    """Names that occur more than once, each once, in alphabetical order."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def _checked_edit(topic: str, field: Field, value: str) -> str:
    try:
        if field == "name":
            return checked_label(value)
        return checked_note(value) if field == "note" else value
    except InputError as error:
        raise InputError(f"{topic}: {error}") from None
