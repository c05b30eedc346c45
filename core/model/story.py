"""Stories: views of a model that a person kept, each with a note, in an order of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..utils.errors import InputError, gone

LONGEST_TITLE, LONGEST_NOTE = 200, 10_000
_LINE_ENDS = {"\r\n": "\n", "\r": "\n", "\u2028": "\n", "\u2029": "\n"}


@dataclass(frozen=True)
class KeptView:
    """A page as its address says, kept.

    Attributes
    ----------
    key : str
        Unique in its story, and never given again.
    page : str
        Name of the page.
    parameters : tuple of pairs of str
        What its address says, without the corpus and the model; a name may occur several times.
    title, note : str
        What a person says about it: a line, and any text.
    """

    key: str
    page: str
    parameters: tuple[tuple[str, str], ...]
    title: str
    note: str = ""


@dataclass(frozen=True)
class Story:
    """Kept views of one model in the order in which they are told.

    Attributes
    ----------
    name : str
        Unique in its workspace.
    title : str
    corpus, run : str
        The corpus and the model, as an address names them; either may be empty.
    views : tuple of KeptView
    """

    name: str
    title: str
    corpus: str
    run: str
    views: tuple[KeptView, ...] = ()

    def place_of(self, key: str) -> int:
        """Place of a view in the order, from 0 (InputError if it is gone)."""
        for place, view in enumerate(self.views):
            if view.key == key:
                return place
        raise gone("this view")

    def with_view(self, view: KeptView, place: int | None = None) -> Story:
        """The story with one view more, at its end where no place is given."""
        before = len(self.views) if place is None else max(place, 0)
        return replace(self, views=(*self.views[:before], view, *self.views[before:]))

    def without(self, key: str) -> Story:
        """The story without a view."""
        place = self.place_of(key)
        return replace(self, views=self.views[:place] + self.views[place + 1 :])

    def moved(self, key: str, place: int) -> Story:
        """The story with a view at another place, from 0; beyond the ends counts as the ends."""
        view = self.views[self.place_of(key)]
        return self.without(key).with_view(view, place)

    def said(self, key: str, title: str, note: str) -> Story:
        """The story with another title and note of a view.

        Raises
        ------
        InputError
            If one is too long, there is no title, or the view is gone.
        """
        place = self.place_of(key)
        view = replace(self.views[place], title=one_line(title), note=plain_note(note))
        return replace(self, views=(*self.views[:place], view, *self.views[place + 1 :]))


def one_line(title: str) -> str:
    """Return a title as one line of what can be shown (InputError if it is empty or too long)."""
    line = " ".join(_shown(title).split())
    if not line:
        raise InputError("give it a title")
    if len(line) > LONGEST_TITLE:
        raise InputError(
            f"the title has {len(line):,} characters; shorten it to {LONGEST_TITLE} or fewer"
        )
    return line


def plain_note(note: str) -> str:
    """Return a note as lines of what can be shown (InputError if it is too long)."""
    for end, plain in _LINE_ENDS.items():
        note = note.replace(end, plain)
    text = "\n".join(_shown(line).rstrip() for line in note.split("\n")).strip()
    if len(text) > LONGEST_NOTE:
        raise InputError(
            f"the note has {len(text):,} characters; shorten it to {LONGEST_NOTE:,} or fewer"
        )
    return text


def _shown(text: str) -> str:
    """Text without signs that are no letters to anyone, such as half a character or a null."""
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "" for sign in text)
