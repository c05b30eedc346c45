"""Views that a person keeps in a story: their URL parameters, default titles and pictures."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.model.story import MAX_TITLE, KeptView, Story, one_line, plain_note
from ...core.model.topic_model import Run
from . import strings as shell_strings
from .strings import PAGE_TITLES

# URL parameters for the story and the view that are shown or edited.
STORY, STEP, VIEW = "story", "step", "view"
PLAYING = (STORY, STEP)
# Parameters that are stored in the story itself, or that belong to no page.
_NOT_KEPT = frozenset(("corpus", "run", "tour", *PLAYING))
# Pages whose URL does not determine their content.
_PAGES_NOT_KEPT = frozenset(("", "home", "corpus", "train", "stories", "share", "help"))
# Pictures are drawn in three widths, for a phone, a tablet and a screen.
NARROW, WIDE, WIDEST = 356.0, 940.0, 1160.0

Parameters = Mapping[str, Sequence[str]]
# Values for JSON, which the explorer reads.
Picture = dict[str, Any]


def can_keep(page: str) -> bool:
    """Whether the URL of a page determines its content."""
    return page not in _PAGES_NOT_KEPT


def kept_parameters(address: Parameters) -> tuple[tuple[str, str], ...]:
    """Parameters that determine a page's content, in a canonical order."""
    return tuple(
        (name, value)
        for name in sorted(address)
        if name not in _NOT_KEPT
        for value in address[name]
    )


def new_view(page: str, address: Parameters, title: str, note: str) -> KeptView:
    """View of a page at a URL (InputError if a text is too long or there is no title)."""
    pairs = kept_parameters(address)
    return KeptView(secrets.token_hex(6), page, pairs, one_line(title), plain_note(note))


def address_of(story: Story, view: KeptView) -> dict[str, list[str]]:
    """Parameters of the URL of a kept view."""
    address: dict[str, list[str]] = {}
    for name, value in view.parameters:
        address.setdefault(name, []).append(value)
    origin = {"corpus": story.corpus, "run": story.run}
    return address | {name: [value] for name, value in origin.items() if value}


def kind_of(page: str, address: Parameters) -> str:
    """Kind of a view, in a word or two."""
    if page == "query":
        return shell_strings.COMPARISON if _first(address, "q2") else shell_strings.QUERY
    if page == "graph":
        if _first(address, "to"):
            return shell_strings.PATH
        kinds = {"topic": shell_strings.TOPIC, "word": shell_strings.WORD}
        named = (kind for name, kind in kinds.items() if _first(address, name))
        return next(named, shell_strings.MAP)
    if page == "documents":
        return shell_strings.DOCUMENT if _first(address, "doc") else shell_strings.DOCUMENTS
    return PAGE_TITLES.get(page, page)


def suggested_title(
    page: str, address: Parameters, run: Run | None, document: Callable[[str], str] = str
) -> str:
    """Default title of a view; ``document`` gives the title of a document by its id."""
    kind = kind_of(page, address)
    if run is not None:
        kind = run.terms.translated(kind)
    name = _first(address, "doc") if page == "documents" else ""
    about = " ".join((document(name) if name else _about(page, address, run)).split())
    title = about if page == "query" and about else f"{kind}: {about}" if about else kind
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 2].rstrip()} …"


def _about(page: str, address: Parameters, run: Run | None) -> str:
    if page == "query":
        return " | ".join(filter(None, (_first(address, "q"), _first(address, "q2"))))
    if page == "graph":
        start, end = (_label(run, _first(address, name)) for name in ("topic", "to"))
        return " → ".join(filter(None, (start or _first(address, "word"), end)))
    if page == "documents":
        return _first(address, "find") or _label(run, _first(address, "on"))
    return _label(run, _first(address, "topic"))


def _label(run: Run | None, name: str) -> str:
    """Label of a topic by its id, or the id if the model does not have the topic."""
    name = name.removeprefix("topic:")
    if run is None or name not in run.network.graph.topic_number:
        return name
    return run.topic_labels[run.network.graph.topic_number[name]]


def chosen(
    address: Parameters, name: str, default: str, options: Sequence[str] | None = None
) -> str:
    """Value of a parameter, or the default if it is missing or not among the options."""
    value = next(iter(address.get(name, ())), default)
    return value if options is None or value in options else default


def _first(address: Parameters, name: str) -> str:
    return chosen(address, name, "").strip()


def drawn(heading: str, caption: str, draw: Callable[[float], str], **more: Any) -> Picture:
    """Picture with a heading and a caption; ``draw`` makes an SVG of a given width."""
    pictures = {"widest": draw(WIDEST), "wide": draw(WIDE), "narrow": draw(NARROW)}
    return {"kind": "picture", "heading": heading, "caption": caption, **pictures, **more}
