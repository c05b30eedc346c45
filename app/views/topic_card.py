"""Beside the picture of a query: the card of what is selected, and the topics that are on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import address, graph_style
from app.graph_links import node_key, node_name, parent_links, word_text
from app.graph_view import topic_probability
from app.plain import html_text, markdown_text
from app.views import navigation
from app.words import graph as graph_words
from app.words import query as words
from core.inference import Posterior

if TYPE_CHECKING:
    from core.storage import Run

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
    found = topic_probability(posterior)
    on = [topic for topic in found if found[topic] > graph_style.ON_THRESHOLD]
    on.sort(key=lambda topic: -found[topic])
    st.markdown(f"**{words.ON_TITLE}**")
    if not on:
        nearest = max(found, key=found.__getitem__, default=None)
        st.caption(words.NOTHING_ON if nearest is None else _nearly(run, nearest, found[nearest]))
    for topic in on[:LIST_TOPICS]:
        _show_on_topic(run, topic, found[topic], graph_style.PALETTES[palette]["on"][0])
    if len(on) > LIST_TOPICS:
        st.caption(words.more_on(len(on) - LIST_TOPICS))


def _nearly(run: Run, topic: int, probability: float) -> str:
    name = markdown_text(run.topic_labels[topic])
    return words.nothing_on(name, graph_style.figures(probability))


def _show_on_topic(run: Run, topic: int, probability: float, colour: str) -> None:
    with st.container(gap=None, key=f"on-{topic}"):
        label = f"● {markdown_text(run.topic_labels[topic])} {graph_style.figures(probability)}"
        key = node_key(run, topic)
        st.button(
            label, key=f"list-{key}", type="tertiary", on_click=address.put, args=("sel", key)
        )
        st.html(
            BAR.format(
                width=100 * probability,
                colour=colour,
                words=html_text(", ".join(_top_words(run, topic, LIST_WORDS))),
            )
        )


def show_selected(run: Run, posterior: Posterior, key: str) -> None:
    """Show the card of a selected topic or word of the local model, if there is one."""
    n_topics = run.network.graph.n_topics
    for topic, probability in topic_probability(posterior).items():
        if node_key(run, topic) == key:
            code = run.network.graph.topic_ids[topic]
            _show_card(run, topic, graph_words.topic_hover("", code, probability)[1])
    for token in posterior.evidence.present + posterior.evidence.absent:
        if node_key(run, n_topics + token) == key:
            _show_card(run, n_topics + token, "")


def _show_card(run: Run, node: int, state: str) -> None:
    """Label, state, words and parents of a topic; only the parents of a word."""
    with st.container(border=True, gap="xsmall", key="card"):
        st.markdown(f"**{markdown_text(node_name(run, node))}**")
        if node < run.network.graph.n_topics:
            st.caption(markdown_text(state))
            top = ", ".join(_top_words(run, node, CARD_WORDS))
            st.markdown(f"{words.CARD_WORDS}: {markdown_text(top)}")
        st.markdown(_parents(run, node))
        with st.container(horizontal=True):
            if st.button(words.OPEN_IN_GRAPH, key="open-in-graph"):
                navigation.open_in_graph(node_key(run, node))
            st.button(words.CARD_CLOSE, key="close-card", type="tertiary",
                      on_click=address.put, args=("sel", ""))  # fmt: skip


def _parents(run: Run, node: int) -> str:
    names = [
        f"{markdown_text(run.topic_labels[link.parent])} ({graph_words.percent(link.probability)})"
        for link in parent_links(run.network, node)[:CARD_PARENTS]
    ]
    return f"{words.CARD_PARENTS}: {', '.join(names)}" if names else words.CARD_NO_PARENTS


def _top_words(run: Run, topic: int, count: int) -> list[str]:
    return [word_text(word) for word, _, _ in run.topic_words.words(topic, count)]
