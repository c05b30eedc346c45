"""Page set-up, sidebar and navigation of the app.

A read-only server shows a message instead of the pages that add corpora or train models.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from threading import Event

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ..core.utils.read_only import is_read_only
from .shared import model_summary, story_views, tour
from .shared import strings as shared_strings
from .shared.tour import PARAMETER as TOUR
from .shell import choice, empty_states, memory, routing
from .shell import page as page_frame
from .shell import strings as shell_strings
from .shell.kept import PLAYING
from .text.safe_text import markdown_text
from .tokens import TOKEN
from .workspace import catalog, last_place
from .workspace.catalog import Place


def draw_sidebar() -> None:
    """Draw the sidebar, which is the same on every page."""
    with st.sidebar:
        corpus, model = choice.corpus_place(), choice.model_place()
        _switch(shell_strings.SIDEBAR_CORPUS, choice.CORPUS, catalog.corpora(), corpus)
        _switch(shell_strings.SIDEBAR_MODEL, choice.MODEL, choice.models(), model)
        lost = choice.lost_model()
        _assumed_rate(lost)
        if lost is not None:
            st.caption(empty_states.why_some_closed(lost))
        sections = groupby(
            routing.links(), lambda link: shell_strings.PAGE_SECTIONS.get(link[0].url_path)
        )
        for heading, links in sections:
            with st.container(gap="xsmall", key=f"pages-{heading}"):
                if heading:
                    st.caption(heading)
                for page, parameters in links:
                    reason = empty_states.why_closed(page.url_path, lost)
                    st.page_link(
                        page,
                        width="stretch",
                        query_params=parameters,
                        disabled=bool(reason),
                        help=reason or None,
                    )


def _assumed_rate(place: Place | None) -> None:
    """Warn that every topic of a model made from a graph has the same rate by assumption."""
    found = None if place is None else model_summary.assumed_of(place.folder)
    if found is not None:
        text = shared_strings.assumed_rate(found.topic, found.rate)
        st.caption(
            markdown_text(text), help=markdown_text(shared_strings.assumed_help(found.topic))
        )


def _switch(label: str, kind: str, places: list[Place], chosen: Place | None) -> None:
    """Draw the menu of corpora or models."""
    key = f"sidebar-{kind}"
    memory.remember(key, chosen.name if chosen else None)

    def switched() -> None:
        choice.switch_to(kind, memory.recall(key))

    st.selectbox(
        label,
        [place.name for place in places],
        key=key,
        format_func=str,
        placeholder=shell_strings.NO_CORPUS if places else shell_strings.NONE_YET,
        disabled=not places,
        on_change=switched,
    )
    if chosen and chosen.read_only and kind == choice.CORPUS and not is_read_only():
        st.caption(markdown_text(shell_strings.SAMPLE_NOTE))


ASSETS = Path(str(files("orrery.assets")))
SIDEBAR_WIDTH = 232
# Set when a page has been drawn for the first visitor.
FIRST_PAGE_DRAWN = Event()
# Addresses that only this machine can reach.
OWN_ADDRESSES = frozenset(("127.0.0.1", "::1", "localhost"))
# Headers that a proxy adds to the requests of others.
PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto")
# Session value: the page that was recorded last.
PLACE = "place-kept"
# Session value: the page that was opened last, and how often it changed.
OPENED = "page-opened"
CLOSE_MENU = """<script>
// Page {changes} of the visit.
if ({changes} > 0 && window.innerWidth <= 768) {{
  const button = document.querySelector('[data-testid="stSidebarCollapseButton"] button');
  const place = button?.getBoundingClientRect();
  if (place && place.width > 0 && place.left >= 0) button.click();
}}
</script>"""
# Session value: whether the sidebar has been drawn.
SIDEBAR_DRAWN = "sidebar-drawn"
ICONS = {
    "home": ":material/home:",
    "query": ":material/search:",
    "graph": ":material/account_tree:",
    "map": ":material/scatter_plot:",
    "documents": ":material/article:",
    "groups": ":material/stacked_line_chart:",
    "corpus": ":material/description:",
    "train": ":material/show_chart:",
    "evaluate": ":material/balance:",
    "names": ":material/label:",
    "stories": ":material/slideshow:",
    "share": ":material/ios_share:",
    "help": ":material/help:",
}
# Pages that add corpora and train models; a read-only server shows a message instead.
WRITING = ("corpus", "train")


def main() -> None:
    """Set up the page, draw the sidebar and open the page that the address names."""
    st.set_page_config(
        shell_strings.APP,
        page_icon=str(ASSETS / "brand/logo.svg"),
        layout="wide",
        initial_sidebar_state=SIDEBAR_WIDTH,
        # With an entry of its own, Streamlit shows its menu, which contains the choice of a theme.
        menu_items={"About": shell_strings.ABOUT, "Get help": None, "Report a bug": None},
    )
    st.logo(
        str(ASSETS / "brand/wordmark.svg"), size="large", icon_image=str(ASSETS / "brand/logo.svg")
    )
    st.html(ASSETS / "app" / "app.css")
    if is_read_only():
        st.html(ASSETS / "app" / "read-only.css")
    pages = {
        name: st.Page(
            partial(show_refusal if is_read_only() and name in WRITING else render, name),
            title=shell_strings.PAGE_TITLES[name],
            icon=icon,
            url_path=name,
        )
        for name, icon in ICONS.items()
    }
    # Streamlit serves its default page only at "/". It redirects, so that every page of the app
    # has its own address.
    # Before the sidebar puts the default corpus and model into the URL.
    is_bare = not st.query_params
    front = st.Page(partial(_open_front, pages, is_bare), title=shell_strings.APP, default=True)
    page = st.navigation([front, *pages.values()], position="hidden")
    routing.keep_pages(pages, WRITING if is_read_only() else ())
    _close_menu(page.url_path)
    with page_frame.failures_shown(), _sidebar_drawn():
        routing.at_page(page.url_path, TOUR, *PLAYING)
        routing.keep_address()
        if page is not front:
            page_frame.show_notes(choice.not_here())
        tour.show_bar(page.url_path)
        story_views.show_player()
        page.run()
        story_views.show_keep_button(page.url_path)
        routing.keep_address()
        _keep_place(page.url_path)
    FIRST_PAGE_DRAWN.set()


def _close_menu(name: str) -> None:
    """Close the sidebar on a phone, where it lies over the page, after a page was chosen in it."""
    last, changes = memory.recall(OPENED, (name, 0))
    changes += last != name
    memory.remember(OPENED, (name, changes))
    with st.sidebar, st.container(key="close-menu"):
        # The number makes the browser run it after every change.
        st.html(CLOSE_MENU.format(changes=changes), unsafe_allow_javascript=True)


@contextmanager
def _sidebar_drawn() -> Iterator[None]:
    """Draw the sidebar before the page on a first visit, and after the page from then on.

    Later it is already visible, and a visitor who clicks in the page waits for the page.
    """
    if not memory.recall(SIDEBAR_DRAWN):
        draw_sidebar()
        memory.remember(SIDEBAR_DRAWN, True)
        yield
        return
    try:
        yield
    except Exception:
        # After an error on one page, the other pages must remain accessible.
        draw_sidebar()
        raise
    draw_sidebar()


def _is_own_machine() -> bool:
    """Whether only this machine can reach the server, as far as is known.

    A proxy on this machine lets others in; it passes its headers, or people enter a token.
    """
    is_shared = bool(os.environ.get(TOKEN)) or any(
        header in st.context.headers for header in PROXY_HEADERS
    )
    return str(st.get_option("server.address")) in OWN_ADDRESSES and not is_shared


def _keep_place(name: str) -> None:
    """Record the page, at which the app opens again; not on a server that others can reach."""
    is_playing = any(parameter in st.query_params for parameter in (TOUR, *PLAYING))
    if is_playing or not _is_own_machine() or name not in ICONS:
        return
    place = name, {key: st.query_params.get_all(key) for key in st.query_params}
    if memory.recall(PLACE) != place:
        memory.remember(PLACE, place)
        last_place.keep(catalog.workspace(), *place)


def _last_place() -> tuple[str, dict[str, list[str]]]:
    """Page and parameters that were open last, if their corpus and model still exist.

    Visitors of a server that others can reach do not see the page of its owner.
    """
    if is_read_only() or not _is_own_machine():
        return "", {}
    name, parameters = last_place.read(catalog.workspace())
    corpus, model = (
        next(iter(parameters.get(kind, ())), "") for kind in (choice.CORPUS, choice.MODEL)
    )
    is_there = not corpus or corpus in [place.name for place in catalog.corpora()]
    is_there = is_there and (not model or catalog.find_model(corpus, model) is not None)
    return (name, parameters) if name in ICONS and is_there else ("", {})


def _open_front(pages: dict[str, StreamlitPage], is_bare: bool) -> None:
    """Redirect to the page that was open last, with the same parameters.

    Without one, to the Query page if there is a model, else to Home. A first visit begins with the
    tour. If the URL is not bare, its parameters are kept.
    """
    name, parameters = _last_place() if is_bare else ("", {})
    if name:
        st.switch_page(pages[name], query_params=parameters)
    front = "query" if catalog.has_models() else "home"
    begin = tour.first_stop() if front == "query" else {}
    kept = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(pages[front], query_params={**begin, **kept})


def render(name: str) -> None:
    """Draw a page, which is imported when it is first opened."""
    reason = empty_states.why_closed(name, choice.lost_model())
    if reason:
        empty_states.closed_page(name, reason)
        return
    import_module(f".views.{name}.page", __package__).render()


def show_refusal(name: str) -> None:
    """Draw the message of a read-only server in place of a page."""
    st.title(shell_strings.PAGE_TITLES[name], anchor=False)
    done = shell_strings.ONLY_SHOWN_DONE[name]
    page_frame.show_notes([shell_strings.ONLY_SHOWN.format(done=done)])
    if st.button(shell_strings.ONLY_SHOWN_GO, key="only-shown-go"):
        routing.go_to("query")
