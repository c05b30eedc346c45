"""Stories: ordered views of a model, each with a note."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..utils.errors import InputError, deleted_error

# In characters.
MAX_TITLE, MAX_NOTE = 200, 10_000
_LINE_ENDS = {"\r\n": "\n", "\r": "\n", "\u2028": "\n", "\u2029": "\n"}


@dataclass(frozen=True)
class KeptView:
    """Saved page of the app."""

    key: str  # unique in its story, and never used again
    page: str  # name of the page
    # Query of the page's address, without corpus and model; a name may occur several times.
    parameters: tuple[tuple[str, str], ...]
    title: str  # one line
    note: str = ""


@dataclass(frozen=True)
class Story:
    """Ordered views of one model."""

    name: str  # unique in its workspace
    title: str
    corpus: str  # corpus and model, as in an address; either may be empty
    run: str
    views: tuple[KeptView, ...] = ()

    def place_of(self, key: str) -> int:
        """Position of a view, from 0; `InputError` if it does not exist."""
        for place, view in enumerate(self.views):
            if view.key == key:
                return place
        raise deleted_error("this view")

    def view(self, key: str) -> KeptView:
        """View with a key; `InputError` if it does not exist."""
        return self.views[self.place_of(key)]

    def with_view(self, view: KeptView, place: int | None = None) -> Story:
        """Story with an additional view, by default at the end."""
        before = len(self.views) if place is None else max(place, 0)
        return replace(self, views=(*self.views[:before], view, *self.views[before:]))

    def without(self, key: str) -> Story:
        """Story without a view."""
        place = self.place_of(key)
        return replace(self, views=self.views[:place] + self.views[place + 1 :])

    def moved(self, key: str, place: int) -> Story:
        """Story with a view moved to another position, from 0, limited to the ends."""
        return self.without(key).with_view(self.view(key), place)

    def with_texts(self, key: str, title: str | None = None, note: str | None = None) -> Story:
        """Story with another title or note of a view; None keeps the present one.

        Raises `InputError` if either is too long, the title is empty, or the view does not exist.
        """
        place = self.place_of(key)
        view = self.views[place]
        if title is not None:
            view = replace(view, title=one_line(title))
        if note is not None:
            view = replace(view, note=plain_note(note))
        return replace(self, views=(*self.views[:place], view, *self.views[place + 1 :]))


def one_line(title: str) -> str:
    """Return a title as one printable line; `InputError` if it is empty or too long."""
    line = " ".join(_shown(title).split())
    if not line:
        raise InputError("give it a title")
    if len(line) > MAX_TITLE:
        raise InputError(
            f"the title has {len(line):,} characters; shorten it to {MAX_TITLE} or fewer"
        )
    return line


def plain_note(note: str) -> str:
    """Return a note as printable lines; `InputError` if it is too long."""
    for end, plain in _LINE_ENDS.items():
        note = note.replace(end, plain)
    text = "\n".join(_shown(line).rstrip() for line in note.split("\n")).strip()
    if len(text) > MAX_NOTE:
        raise InputError(
            f"the note has {len(text):,} characters; shorten it to {MAX_NOTE:,} or fewer"
        )
    return text


def _shown(text: str) -> str:
    """Text without characters that cannot be printed, such as half a surrogate pair or a null."""
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "" for sign in text)
