"""What is kept of an address, and what a kept view is called before a person says better.

What a story takes along of a view that the offline explorer cannot work out (no streamlit).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.model.story import LONGEST_TITLE, KeptView, Story, one_line, plain_note
from . import strings as shell_strings
from .strings import PAGE_TITLES

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Where an address says which view of which story is shown or edited.
STORY, STEP, VIEW = "story", "step", "view"
PLAYING = (STORY, STEP)
# What the story itself says, or belongs to no page.
_NOT_KEPT = frozenset(("corpus", "run", "tour", *PLAYING))
# There is nothing on these that an address would bring back another day.
_WITHOUT_VIEWS = frozenset(("", "home", "corpus", "train", "stories", "share", "help"))

Parameters = Mapping[str, Sequence[str]]


def can_keep(page: str) -> bool:
    """Whether the address of a page says what it shows."""
    return page not in _WITHOUT_VIEWS


def kept_parameters(address: Parameters) -> tuple[tuple[str, str], ...]:
    """What an address says of its page, in the same order for the same content."""
    return tuple(
        (name, value)
        for name in sorted(address)
        if name not in _NOT_KEPT
        for value in address[name]
    )


def new_view(page: str, address: Parameters, title: str, note: str) -> KeptView:
    """Keep a page as its address says (InputError if a text is too long or there is no title)."""
    pairs = kept_parameters(address)
    return KeptView(secrets.token_hex(6), page, pairs, one_line(title), plain_note(note))


def address_of(story: Story, view: KeptView) -> dict[str, list[str]]:
    """Parameters of the address at which a kept view is seen."""
    address: dict[str, list[str]] = {}
    for name, value in view.parameters:
        address.setdefault(name, []).append(value)
    chosen = {"corpus": story.corpus, "run": story.run}
    return address | {name: [value] for name, value in chosen.items() if value}


def kind_of(page: str, address: Parameters) -> str:
    """What a view is, in a word or two."""
    if page == "query":
        return shell_strings.COMPARISON if _first(address, "q2") else shell_strings.QUERY
    if page == "graph":
        if _first(address, "to"):
            return shell_strings.PATH
        return (
            _first_of(address, {"topic": shell_strings.TOPIC, "word": shell_strings.WORD})
            or shell_strings.MAP
        )
    if page == "documents":
        return shell_strings.DOCUMENT if _first(address, "doc") else shell_strings.DOCUMENTS
    return PAGE_TITLES.get(page, page)


def suggested_title(
    page: str, address: Parameters, run: Run | None, document: Callable[[str], str] = str
) -> str:
    """Name a view by what it shows; ``document`` gives the title of a document by its id."""
    kind = kind_of(page, address)
    name = _first(address, "doc") if page == "documents" else ""
    about = " ".join((document(name) if name else _about(page, address, run)).split())
    title = about if page == "query" and about else f"{kind}: {about}" if about else kind
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 2].rstrip()} …"


def _about(page: str, address: Parameters, run: Run | None) -> str:
    if page == "query":
        return shell_strings.compared(
            [text for text in (_first(address, "q"), _first(address, "q2")) if text]
        )
    if page == "graph":
        ends = [_first(address, "topic") or _first(address, "word"), _first(address, "to")]
        return shell_strings.way([_label(run, end) for end in ends if end])
    if page == "documents":
        return _first(address, "find") or _label(run, _first(address, "on"))
    return _label(run, _first(address, "topic"))


def _label(run: Run | None, name: str) -> str:
    """Name of a topic by its id, anything else unchanged."""
    name = name.removeprefix("topic:")
    if run is None or name not in run.network.graph.topic_number:
        return name
    return run.topic_labels[run.network.graph.topic_number[name]]


def chosen(
    address: Parameters, name: str, default: str, options: Sequence[str] | None = None
) -> str:
    """What a page chooses at an address: what it says, or the default where that is no option."""
    said = next(iter(address.get(name, ())), default)
    return said if options is None or said in options else default


def _first(address: Parameters, name: str) -> str:
    return chosen(address, name, "").strip()


def _first_of(address: Parameters, kinds: Mapping[str, str]) -> str:
    return next((kind for name, kind in kinds.items() if _first(address, name)), "")


# A page as wide as a phone, and as wide as a screen: pictures are drawn for both.
NARROW, WIDE = 356.0, 940.0

# As JSON can hold it: what the explorer reads of a view.
Picture = dict[str, Any]


def drawn(heading: str, caption: str, draw: Callable[[float], str], **more: Any) -> Picture:
    """A picture with what is said above it; ``draw`` makes an SVG of a width."""
    pictures = {"wide": draw(WIDE), "narrow": draw(NARROW)}
    return {"kind": "picture", "heading": heading, "caption": caption, **pictures, **more}
