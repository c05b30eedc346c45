"""The card of a topic, and beside the picture of a query the topics that are on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.frame import navigation
from orrery.app.graph import style
from orrery.app.graph.links import (
    has_card,
    node_key,
    node_name,
    shown_children,
    shown_parents,
    word_text,
)
from orrery.app.graph.selection import hidden_count, shown_estimate, topic_estimate
from orrery.app.panels import topic_panel
from orrery.app.session import address, model_facts
from orrery.app.text.escaping import html_text, markdown_text
from orrery.app.topics.ordinary import is_ordinary
from orrery.app.topics.spellings import spellings
from orrery.app.words import graph as graph_words
from orrery.app.words import query as query_words
from orrery.app.words import topic as words
from orrery.app.words.figures import figures_of, margin
from orrery.core.exporting.thresholds import FINE_ERROR, ON_THRESHOLD
from orrery.core.inference import Estimate, Posterior

if TYPE_CHECKING:
    from orrery.core.run import Run

CARD_WORDS = 10
CARD_PARENTS = 4
LIST_TOPICS = 8
LIST_WORDS = 6
BAR = (
    '<div style="height:6px;border-radius:3px;background:rgba(127,140,155,.25);margin:0 0 4px">'
    '<div style="height:6px;border-radius:3px;width:{width:.0f}%;background:{colour}"></div></div>'
    '<div style="font-size:.8rem;opacity:.75;line-height:1.35">{words}</div>'
)


def show_on_topics(run: Run, posterior: Posterior, palette: str) -> None:
    """List the topics that are on, the most probable first, with bars and their words."""
    found = shown_estimate(run, posterior)
    on = [topic for topic in found if found[topic].value > ON_THRESHOLD]
    on.sort(key=lambda topic: -found[topic].value)
    st.markdown(f"**{query_words.ON_TITLE}**")
    if not on:
        nearest = max(found, key=lambda topic: found[topic].value, default=None)
        nothing = query_words.NOTHING_ON
        if nearest is not None:
            nothing = _nearly(run, nearest, found[nearest], posterior.evidence.present)
        st.caption(nothing)
    for topic in on[:LIST_TOPICS]:
        _show_on_topic(run, topic, found[topic], style.PALETTES[palette]["on"][0])
    if len(on) > LIST_TOPICS:
        st.caption(query_words.more_on(len(on) - LIST_TOPICS))
    hidden = hidden_count(run, posterior)
    if hidden:
        st.caption(graph_words.hidden_topics(hidden))


def roughness(*posteriors: Posterior) -> str:
    """Say how far probabilities may be off, where it shows in two digits."""
    error = max(posterior.largest_error for posterior in posteriors)
    is_fine = error <= FINE_ERROR
    return "" if is_fine else query_words.roughness(margin(error))


def _nearly(run: Run, topic: int, known: Estimate, present: Sequence[int]) -> str:
    """Say which topic is nearest, and whether the query's words tell of none at all."""
    name, n_topics = markdown_text(run.topic_labels[topic]), run.network.graph.n_topics
    ordinary = []
    if all(is_ordinary(run, n_topics + token) for token in present):
        ordinary = [markdown_text(word_text(run.vocabulary[token])) for token in present]
    return query_words.nothing_on(name, figures_of(known), ordinary)


def _show_on_topic(run: Run, topic: int, known: Estimate, colour: str) -> None:
    with st.container(gap=None, key=f"on-{topic}"):
        figures = figures_of(known)
        label = f"● {markdown_text(run.topic_labels[topic])} {figures}"
        key = node_key(run, topic)
        st.button(
            label, key=f"list-{key}", type="tertiary", on_click=address.put, args=("sel", key)
        )
        st.html(
            BAR.format(
                width=100 * known.value,
                colour=colour,
                words=html_text(", ".join(_top_words(run, topic, LIST_WORDS))),
            )
        )


def show_selected(run: Run, posterior: Posterior, key: str) -> None:
    """Show the card of a selected topic or word of the local model, if there is one."""
    found = topic_estimate(posterior) | shown_estimate(run, posterior)
    for topic, known in found.items():
        if node_key(run, topic) == key:
            show_node(run, topic, graph_words.standing(known))
    n_topics = run.network.graph.n_topics
    show_stranger(run, key)
    evidence = posterior.evidence
    for token in evidence.present + evidence.absent + evidence.unknown:
        if node_key(run, n_topics + token) == key:
            show_node(run, n_topics + token, "")


def show_node(run: Run, node: int, state: str) -> None:
    """Show the card of the selected node, with what can be done with it."""
    with st.container(border=True, gap="xsmall", key="card"):
        show_card(run, node, state)
        with st.container(horizontal=True, gap="xsmall"):
            if node < run.network.graph.n_topics:
                topic_panel.offer(run, node, navigation.open_in_graph)
            if st.button(words.OPEN_IN_GRAPH, key="open-in-graph", type="tertiary"):
                navigation.open_in_graph(node_key(run, node))
            _close_button()


def show_stranger(run: Run, key: str) -> None:
    """For a selected word that the model does not know, name similar words that it knows."""
    kind, _, word = key.partition(":")
    if kind != "unknown":
        return
    with st.container(border=True, gap="xsmall", key="card"):
        st.markdown(f"**{markdown_text(word)}**")
        st.caption(words.STRANGER)
        alike = ", ".join(map(markdown_text, spellings(run.vocabulary).alike(word)))
        if alike:
            st.markdown(f"{words.ALIKE}: {alike}")
        _close_button()


def select(key: str) -> None:
    """Select what was clicked; clear the selection if it has no card or was selected already."""
    is_new = key != address.get("sel")
    address.put("sel", key if is_new and has_card(key) else "")


def _close_button() -> None:
    st.button(words.CLOSE, key="close-card", type="tertiary",
              on_click=address.put, args=("sel", ""))  # fmt: skip


def show_card(run: Run, node: int, state: str) -> None:
    """Name, state, words and parents of a topic; name and parents of a word.

    Parameters
    ----------
    run : Run
    node : int
        A topic or a word.
    state : str
        How a topic stands in a query, or "".
    """
    st.markdown(f"**{markdown_text(node_name(run, node))}**")
    if node < run.network.graph.n_topics:
        code, is_hidden = run.network.graph.topic_ids[node], node in run.hidden_topics
        # A topic that a person named has its name for an id too.
        shown = "" if code == run.topic_labels[node] else code
        # In a query it is the state that is asked for.
        documents = None if state else model_facts.counted(run).get(node)
        known = words.code(shown, state, documents=documents, is_hidden=is_hidden)
        if known:
            st.caption(markdown_text(known))
        top = ", ".join(_top_words(run, node, CARD_WORDS))
        st.markdown(f"{words.WORDS}: {markdown_text(top)}" if top else words.NO_WORDS)
    st.markdown(_parents(run, node))
    if node < run.network.graph.n_topics and (shelf := run.shelf_name(node)) is not None:
        st.markdown(f"{words.SHELF}: {markdown_text(shelf)}", help=graph_words.SHELF_HINT)


def _parents(run: Run, node: int) -> str:
    counted = model_facts.counted(run)
    names = [
        f"{markdown_text(run.topic_labels[link.parent])} "
        f"({words.link(link.probability, counted.get(link.parent))})"
        for link in shown_parents(run, node)[:CARD_PARENTS]
    ]
    if names:
        return f"{words.ABOVE}: {', '.join(names)}"
    n_topics = run.network.graph.n_topics
    if node >= n_topics:
        return graph_words.NO_TOPICS
    is_general = any(link.child < n_topics for link in shown_children(run, node))
    return words.NO_PARENTS if is_general else words.ALONE


def _top_words(run: Run, topic: int, count: int) -> list[str]:
    return [word_text(word) for word, _, _ in run.shown_words(topic, count)]
