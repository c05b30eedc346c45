"""The path from one topic to another on the Graph page: its choice and its picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.components.graph_component import draw_graph
from orrery.app.graph.links import is_node, node_name, whole
from orrery.app.graph.path import is_real, path_picture, strongest_path
from orrery.app.session import address, choice, memory
from orrery.app.text.escaping import file_name, markdown_text
from orrery.app.words import graph as words

if TYPE_CHECKING:
    from orrery.core.run import Run

END = "to"


def end_of_way(run: Run, start: int) -> int:
    """Topic that the address names as the other end, or -1."""
    ids, code = run.network.graph.topic_ids, address.get(END)
    end = whole(run, ids.index(code)) if code in ids else -1
    return end if end != start and start < len(ids) else -1


def choose_end(run: Run, start: int) -> None:
    """Draw the choice of the other end; an emptied choice leads back to the neighbourhood."""
    ids, labels = run.network.graph.topic_ids, run.topic_labels
    codes = [
        code
        for topic, code in enumerate(ids)
        if topic != start and topic not in run.shown_as and topic not in run.hidden_topics
    ]
    end = end_of_way(run, start)
    chosen = ids[end] if end >= 0 else None
    if memory.recall(END) != chosen:
        memory.remember(END, chosen)
    name = dict(zip(ids, labels, strict=True))
    st.selectbox(
        words.PATH_TO,
        codes if chosen in {None, *codes} else [chosen, *codes],
        index=None,
        key=END,
        format_func=lambda code: name[code],
        placeholder=words.PATH_HINT,
        help=words.PATH_HELP,
        on_change=_keep,
    )


def _keep() -> None:
    address.put(END, memory.recall(END) or "")


def show_way(run: Run, start: int, end: int, go_to: Callable[[str], None]) -> None:
    """Draw the strongest path, and say how strong it is."""
    path = strongest_path(run, start, end)
    names = [markdown_text(node_name(run, node)) for node in (start, end)]
    if path is None:
        st.info(words.NO_PATH.format(start=names[0], end=names[1]))
        return
    strengths = [link.probability for link in path.links]
    if not is_real(run, path):
        between = [markdown_text(node_name(run, node)) for node in path.nodes[1:-1]]
        st.info(words.no_real_path(names, between, math.prod(strengths)))
        return
    draw_graph(
        path_picture(run, path),
        key="graph-path",
        on_click=lambda clicked: go_to(clicked.node) if is_node(clicked.node) else None,
        wait_for_double_click=False,
        save_as=file_name(choice.model_name(run), *(node_name(run, node) for node in (start, end))),
    )
    st.caption(f"{words.path(strengths, math.prod(strengths))} {words.HINT_FOCUS}")
