"""Edits of an overlay: each knows what it found, so that nobody's words are replaced unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from orrery.core.errors import InputError
from orrery.core.overlay import Overlay, checked_label, checked_note

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
    """Edits that lead from one overlay to another, by field and then by topic."""
    found = []
    for field in FIELDS:
        old, new = said_of(before, field), said_of(after, field)
        changed = (topic for topic in old.keys() | new.keys() if old.get(topic) != new.get(topic))
        found += [Edit(t, field, old.get(t, ""), new.get(t, "")) for t in sorted(changed)]
    return tuple(found)


def edits_towards(overlay: Overlay, wanted: Said) -> tuple[Edit, ...]:
    """Edits that make an overlay say what is wanted of some topics, and leave all others.

    Raises
    ------
    InputError
        If a name or note is too long, or cannot be shown; the topic is named.
    """
    said = {field: said_of(overlay, field) for field in FIELDS}
    found = []
    for topic, fields in wanted.items():
        for field, value in fields.items():
            before, after = said[field].get(topic, ""), _checked(topic, field, value)
            if before != after:
                found.append(Edit(topic, field, before, after))
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


def _checked(topic: str, field: Field, value: str) -> str:
    try:
        if field == "name":
            return checked_label(value)
        return checked_note(value) if field == "note" else value
    except InputError as error:
        raise InputError(f"{topic}: {error}") from None
