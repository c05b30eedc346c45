"""The card of a topic or word, and the list of topics that are on in a query."""

from __future__ import annotations

import numpy as np
import streamlit as st

from ...core.data.suggestions import suggest
from ...core.drawing import explorer_strings, style
from ...core.drawing import strings as drawing_strings
from ...core.drawing.answer import answer_groups
from ...core.drawing.links import (
    has_card,
    node_key,
    node_name,
    shown_children,
    shown_parents,
    word_text,
)
from ...core.drawing.selection import hidden_count, shown_estimate, topic_estimate
from ...core.drawing.strings import figures_of, listed
from ...core.inference.posterior import Estimate, Posterior
from ...core.inference.thresholds import FINE_ERROR, group_of
from ...core.model.topic_model import Run
from ..shell import address, page
from ..text.safe_text import html_text, markdown_text
from . import cached_facts, cached_maps, dropped_words, stability, topic_panel, topic_strings
from . import strings as shared_strings

# Words and parents on a card; topics in a list, and words of each.
CARD_WORDS, CARD_PARENTS = 10, 4
LIST_TOPICS, LIST_WORDS = 8, 6
# Topics of the same name that are named.
MAX_NAMESAKES = 3
BAR = (
    '<div style="height:6px;border-radius:3px;background:rgba(127,140,155,.25);margin:0 0 4px">'
    '<div style="height:6px;border-radius:3px;width:{width:.0f}%;background:{colour}"></div></div>'
    '<div style="font-size:.8rem;opacity:.75;line-height:1.35">{words}</div>'
)


def is_ordinary(run: Run, node: int) -> bool:
    """Whether a word, where it occurs, is caused by its leak alone more often than by topics.

    As in `marginals`, the topics above the word are taken as independent: the leak alone causes
    the word with probability ``leak * (1 - prior) / (1 - leak)``.
    """
    leak, prior = -np.expm1(-run.network.leak[node]), run.prior[node]
    return bool(2.0 * leak * (1.0 - prior) > (1.0 - leak) * prior)


def show_on_topics(run: Run, posterior: Posterior, palette: str) -> None:
    """List the topics that are on or unsure, with bars and top words.

    If no topic is on, list the most probable ones. Each topic is in one list.
    """
    found = answer_groups(run, posterior)
    for title, topics in found.lists.items():
        st.markdown(f"**{run.terms.translated(title)}**")
        for topic, known in topics[:LIST_TOPICS]:
            _show_on_topic(run, topic, known, palette)
        if len(topics) > LIST_TOPICS:
            st.caption(
                run.terms.translated(shared_strings.MORE_ON.format(count=len(topics) - LIST_TOPICS))
            )
    if found.group != "on" and not found.is_hidden:
        # The query's words are named if all of them mostly occur without topics.
        n_topics, present = run.network.graph.n_topics, posterior.evidence.present
        is_explained = not all(is_ordinary(run, n_topics + token) for token in present)
        ordinary = [] if is_explained else [run.vocabulary[token] for token in present]
        names = [markdown_text(word_text(word)) for word in ordinary]
        advice = shared_strings.nothing_on(names, has_texts=run.has_texts)
        st.caption(run.terms.translated(advice))
    hidden = hidden_count(run, posterior)
    if hidden:
        st.caption(run.terms.translated(drawing_strings.hidden_topics(hidden)))


def roughness(*posteriors: Posterior) -> str:
    """Accuracy of probabilities, if their error changes the two digits shown; else empty."""
    error = max(posterior.largest_error for posterior in posteriors)
    if error <= FINE_ERROR:
        return ""
    return explorer_strings.ROUGHNESS.format(margin=shared_strings.margin(error))


def _show_on_topic(run: Run, topic: int, known: Estimate, palette: str) -> None:
    group = group_of(known.value)
    colour = style.PALETTES[palette]["on"][0] if group == "on" else style.BETWEEN
    with st.container(gap=None, key=f"on-{topic}"):
        mark = style.LEGEND_MARKS[group]
        label = f"{mark} {markdown_text(run.topic_labels[topic])} {figures_of(known)}"
        key, words = node_key(run, topic), html_text(", ".join(_top_words(run, topic, LIST_WORDS)))
        st.button(
            label, key=f"list-{key}", type="tertiary", on_click=address.put, args=("sel", key)
        )
        st.html(BAR.format(width=100 * known.value, colour=colour, words=words))


def show_selected(run: Run, posterior: Posterior, key: str) -> None:
    """Draw the card of the selected topic or word; nothing if it is not in the local model."""
    found = topic_estimate(posterior) | shown_estimate(run, posterior)
    for topic, known in found.items():
        if node_key(run, topic) == key:
            show_node(run, topic, drawing_strings.standing(known, run.terms))
    n_topics = run.network.graph.n_topics
    show_stranger(run, key)
    for token in posterior.evidence.tokens:
        if node_key(run, n_topics + token) == key:
            show_node(run, n_topics + token, "")


def show_node(run: Run, node: int, state: str) -> None:
    """Draw the card of the selected node, with buttons."""
    with st.container(border=True, gap="xsmall", key="card"):
        show_card(run, node, state)
        with st.container(horizontal=True, gap="xsmall"):
            if node < run.network.graph.n_topics:
                topic_panel.offer(run, node, page.open_in_graph)
            if st.button(topic_strings.OPEN_IN_GRAPH, key="open-in-graph", type="tertiary"):
                page.open_in_graph(node_key(run, node))
            _close_button()


def show_stranger(run: Run, key: str) -> None:
    """Draw the card of a selected word that the model does not know, with similar words."""
    kind, _, word = key.partition(":")
    if kind != "unknown":
        return
    with st.container(border=True, gap="xsmall", key="card"):
        st.markdown(f"**{markdown_text(word)}**")
        st.caption(explorer_strings.STRANGER)
        alike = ", ".join(markdown_text(near.word) for near in suggest(run, word))
        if alike:
            st.markdown(f"{topic_strings.ALIKE}: {alike}")
        dropped_words.show(run, word)
        _close_button()


def same_name(run: Run, topic: int) -> str:
    """Sentence that names the other displayed topics with the name of a topic; "" without any."""
    ids, labels = run.network.graph.topic_ids, run.topic_labels
    others = [
        ids[other]
        for other in run.displayed_topics
        if other != topic and labels[other] == labels[topic]
    ]
    text = topic_strings.SAME_NAME if len(others) == 1 else topic_strings.SAME_NAMES
    return text.format(others=listed(others, MAX_NAMESAKES)) if others else ""


def select(key: str) -> None:
    """Select the clicked node; clear the selection if it has no card or was selected already."""
    is_new = key != address.get("sel")
    address.put("sel", key if is_new and has_card(key) else "")


def _close_button() -> None:
    st.button(topic_strings.CLOSE, key="close-card", type="tertiary",
              on_click=address.put, args=("sel", ""))  # fmt: skip


def show_card(run: Run, node: int, state: str) -> None:
    """Draw label, state, words and parents of a topic, or text and parents of a word.

    ``state`` is the state of a topic in a query, or empty.
    """
    st.markdown(f"**{markdown_text(node_name(run, node))}**")
    if node < run.network.graph.n_topics:
        code, is_hidden = run.network.graph.topic_ids[node], node in run.hidden_topics
        # The label that a person gave to a topic may be its id.
        shown = "" if code == run.topic_labels[node] else code
        # In a query the state is shown instead of the number of documents.
        documents = None if state else cached_facts.counted(run).get(node)
        with_below = 0
        if documents is not None:
            sizes = cached_maps.sized_tree(run, cached_maps.WEAKEST_LINK).subtree
            with_below = int(sizes.size[node]) if sizes.documents else 0
        caption = topic_strings.code(
            shown, state, documents=documents, with_below=with_below, is_hidden=is_hidden
        )
        if caption:
            st.caption(markdown_text(caption))
        same = same_name(run, node)
        if same:
            st.caption(markdown_text(same))
        top = ", ".join(_top_words(run, node, CARD_WORDS))
        words = run.terms.translated(explorer_strings.WORDS if top else explorer_strings.NO_WORDS)
        st.markdown(f"{words}: {markdown_text(top)}" if top else words)
        if sentence := stability.topic_sentence(run, node):
            st.caption(sentence, help=topic_strings.STABILITY_HELP)
        if passage := cached_facts.passages(run).get(node):
            st.markdown(f":orange[{markdown_text(topic_strings.repeated(*passage))}]")
    st.markdown(_parents(run, node), help=_parent_intervals(run, node) or None)
    if node < run.network.graph.n_topics and (group := run.topic_group_name(node)) is not None:
        st.markdown(
            f"{topic_strings.TOPIC_GROUP}: {markdown_text(group)}", help=explorer_strings.GROUP_HINT
        )


def _parents(run: Run, node: int) -> str:
    counted = cached_facts.counted(run)
    names = [
        f"{markdown_text(run.topic_labels[link.parent])} ("
        + ", ".join(
            filter(
                None,
                (
                    topic_strings.link(link.probability, counted.get(link.parent)),
                    stability.link_phrase(run, link.parent, node),
                ),
            )
        )
        + ")"
        for link in shown_parents(run, node)[:CARD_PARENTS]
    ]
    if names:
        return f"{explorer_strings.ABOVE}: {', '.join(names)}"
    n_topics = run.network.graph.n_topics
    if node >= n_topics:
        return run.terms.translated(explorer_strings.NO_TOPICS)
    is_general = any(link.child < n_topics for link in shown_children(run, node))
    return run.terms.translated(
        explorer_strings.NO_PARENTS if is_general else explorer_strings.ALONE
    )


def _parent_intervals(run: Run, node: int) -> str:
    """Intervals of the stability of the links in `_parents`, as a hover text."""
    lines = [
        f"{markdown_text(run.topic_labels[link.parent])}: {interval}"
        for link in shown_parents(run, node)[:CARD_PARENTS]
        if (interval := stability.link_interval(run, link.parent, node))
    ]
    return "\n\n".join(lines)


def _top_words(run: Run, topic: int, count: int) -> list[str]:
    return [word_text(word) for word, _, _ in run.shown_words(topic, count)]
