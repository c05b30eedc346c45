"""The opening of the Graph page: families of topics as cards, each topic one click away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from app.graph_families import Family, families_of
from app.graph_links import node_key
from app.plain import markdown_text
from app.words import graph as words

if TYPE_CHECKING:
    from core.storage import Run

COLUMNS = 3
CHILDREN_SHOWN = 5
# More cards than this are no overview; the search finds the rest.
FAMILIES_SHOWN = 60


def show_overview(run: Run, threshold: float, go_to: Callable[[str], None]) -> None:
    """Draw the cards; ``go_to`` is told the key of the topic that was chosen."""
    families = families_of(run.network, threshold, run.hidden_topics, run.shown_as)
    together = [family for family in families if family.links][:FAMILIES_SHOWN]
    alone = [family for family in families if not family.links][:FAMILIES_SHOWN]
    columns = st.columns(COLUMNS, gap="small")
    # The next card goes where there is most room, so that the columns end level.
    filled = [0.0] * COLUMNS
    for family in together:
        shortest = filled.index(min(filled))
        with columns[shortest]:
            filled[shortest] += _show_family(run, family, go_to)
    if alone:
        shortest = filled.index(min(filled))
        with columns[shortest], st.container(border=True, gap=None):
            st.caption(words.ALONE)
            for family in alone:
                _topic_button(run, family.root, go_to)
    shown = len(alone) + sum(1 + min(len(family.links), CHILDREN_SHOWN) for family in together)
    hidden = len(run.hidden_topics)
    total = run.network.graph.n_topics - len(run.hidden_topics | set(run.shown_as))
    said = [words.overview(shown, total), words.HINT_OVERVIEW]
    said += [f"{words.hidden_topics(hidden)}."] if hidden else []
    st.caption(" ".join(said))


def _show_family(run: Run, family: Family, go_to: Callable[[str], None]) -> float:
    """Draw one card; answers how many lines it takes."""
    with st.container(border=True, gap=None):
        _topic_button(run, family.root, go_to, is_root=True)
        for link in family.links[:CHILDREN_SHOWN]:
            _topic_button(run, link.child, go_to)
        hidden = len(family.links) - CHILDREN_SHOWN
        if hidden > 0:
            st.caption(words.fold(hidden, words.FOLDED["children"]))
    return 1.5 + min(len(family.links), CHILDREN_SHOWN + 1)


def _topic_button(
    run: Run, topic: int, go_to: Callable[[str], None], *, is_root: bool = False
) -> None:
    key = node_key(run, topic)
    label = markdown_text(run.topic_labels[topic])
    st.button(
        f"**{label}**" if is_root else label,
        key=f"overview-{key}",
        help=run.network.graph.topic_ids[topic],
        type="tertiary",
        on_click=go_to,
        args=(key,),
    )
