"""The neighbours of a topic in its full card: above, below, similar, and shown as part of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.graph.links import Link, node_key, shown_children, shown_parents
from orrery.app.panels import topic_edits
from orrery.app.session import address
from orrery.app.text.escaping import markdown_text
from orrery.app.topics.facts import similar_topics
from orrery.app.words import topic as words
from orrery.app.words.figures import percent
from orrery.core.overlay import Overlay

if TYPE_CHECKING:
    from orrery.core.run import Run

GoTo = Callable[[str], None]

LINKS_SHOWN = 6
SIMILAR_SHOWN = 5


def show_neighbours(run: Run, topic: int, go_to: GoTo) -> None:
    """Draw the lists; ``go_to`` is told the key of the topic that is chosen."""
    n_topics = run.network.graph.n_topics
    above = [(link.parent, link) for link in shown_parents(run, topic)]
    children = shown_children(run, topic)
    below = [(link.child, link) for link in children if link.child < n_topics]
    _show_links(run, words.ABOVE, above, go_to, words.NO_PARENTS if below else words.ALONE)
    _show_links(run, words.BELOW, below, go_to, words.NOTHING_BELOW)
    alike = [
        (other, Link(topic, other, cosine))
        for other, cosine in similar_topics(run.network, topic, SIMILAR_SHOWN)
        if other not in run.shown_as and other not in run.wordless_topics
    ]
    _show_links(run, words.SIMILAR, alike, go_to, words.NOTHING_SIMILAR)
    _show_parts(run, topic)


def _show_parts(run: Run, topic: int) -> None:
    """List the topics that are shown as part of this one, and offer those that could be."""
    ids, labels = run.network.graph.topic_ids, run.topic_labels
    is_fixed = topic_edits.is_fixed()
    for part in [part for part, shown in run.shown_as.items() if shown == topic]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{words.INCLUDES} {markdown_text(labels[part])}")
            is_apart = st.button(
                words.APART,
                key=topic_edits.key_for(run, f"apart-{ids[part]}"),
                type="tertiary",
                disabled=is_fixed,
            )
        if is_apart:
            topic_edits.change(run, partial(Overlay.with_merged, topic=ids[part], into=""))
    chosen = st.selectbox(
        words.TOGETHER,
        could_be_parts(run, topic),
        index=None,
        format_func=labels.__getitem__,
        placeholder=words.TOGETHER_HINT,
        help=words.TOGETHER_HELP,
        key=topic_edits.key_for(run, f"together-{ids[topic]}"),
        disabled=is_fixed,
    )
    if chosen is not None and chosen not in run.shown_as:
        topic_edits.change(run, partial(Overlay.with_merged, topic=ids[chosen], into=ids[topic]))


def could_be_parts(run: Run, topic: int) -> list[int]:
    """Topics of the same layer that are not part of another, the most similar first."""
    heights = run.network.graph.heights()
    same = [
        other for other in range(run.network.graph.n_topics) if heights[other] == heights[topic]
    ]
    alike = dict(similar_topics(run.network, topic, run.network.graph.n_topics))
    taken = {topic, *run.shown_as, *run.wordless_topics}
    free = [other for other in same if other not in taken]
    return sorted(free, key=lambda other: -alike.get(other, 0.0))


def _show_links(
    run: Run, title: str, links: list[tuple[int, Link]], go_to: GoTo, nothing: str
) -> None:
    """List topics with how strong the link is, each of them one click away."""
    with st.container(gap=None):
        st.markdown(f"**{title}**")
        for other, link in links[:LINKS_SHOWN]:
            key = node_key(run, other)
            label = markdown_text(run.topic_labels[other])
            text = f"{label} :small[:gray[{percent(link.probability)}]]"
            if st.button(text, key=f"card-{title}-{key}", type="tertiary"):
                address.put("card", "")
                go_to(key)
                st.rerun()
        if not links:
            st.caption(nothing)
        elif len(links) > LINKS_SHOWN:
            st.caption(words.more(len(links) - LINKS_SHOWN))
