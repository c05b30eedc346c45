"""The full card of a topic, in a dialog: its name, words, neighbours and documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from ...core.drawing import explorer_strings
from ...core.drawing.links import Link, node_key, shown_children, shown_parents
from ...core.drawing.strings import percent
from ...core.model.network import weight_to_probability
from ...core.model.overlay import MAX_LABEL, Overlay
from ...core.model.topic_model import Run
from ...core.storage.adoption import assumed_rate
from ...core.utils.lazy import LazyModule
from ...core.utils.read_only import is_read_only
from ..shell import address, memory, page
from ..text.safe_text import markdown_text
from . import cached_facts, stability, topic_changes, topic_documents, topic_strings
from .topic_facts import TopicWord, similar_topics, words_by_relevance, words_by_weight

if TYPE_CHECKING:
    import pandas as pd
    from streamlit.elements.lib.column_types import ColumnConfig
else:
    pd = LazyModule("pandas")

GoTo = Callable[[str], None]

LINKS_SHOWN = 6
SIMILAR_SHOWN = 5
TABLE_WORDS = 30
TABLE_HEIGHT = 352
# Values in the URL; readers of pyLDAvis did best near 0.6 (Sievert and Shirley 2014).
SHARES = tuple(f"{tenth / 10:.1f}" for tenth in range(11))
DEFAULT_SHARE = "0.6"
ORDERS = {name: name for name in (topic_strings.BY_RELEVANCE, topic_strings.BY_WEIGHT)}


def show_neighbours(run: Run, topic: int, go_to: GoTo) -> None:
    """List the neighbours; ``go_to`` gets the key of a topic that is clicked."""
    n_topics = run.network.graph.n_topics
    above = [(link.parent, link) for link in shown_parents(run, topic)]
    children = shown_children(run, topic)
    below = [(link.child, link) for link in children if link.child < n_topics]
    if above or below or run.has_layers:
        nothing_above = explorer_strings.NO_PARENTS if below else explorer_strings.ALONE
        _show_links(run, explorer_strings.ABOVE, above, go_to, nothing_above)
        _show_links(run, explorer_strings.BELOW, below, go_to, explorer_strings.NOTHING_BELOW)
    similar = similar_topics(run.network, topic, n_topics)
    displayed = set(run.displayed_topics)
    alike = [(other, cosine) for other, cosine in similar if other in displayed][:SIMILAR_SHOWN]
    _show_links(run, topic_strings.SIMILAR, alike, go_to, topic_strings.NOTHING_SIMILAR)
    _show_parts(run, topic)


def _show_parts(run: Run, topic: int) -> None:
    """List the topics that are displayed as part of this one, and offer to add others."""
    ids, labels = run.network.graph.topic_ids, run.topic_labels
    is_fixed, translated = topic_changes.is_fixed(), run.terms.translated
    for part in [part for part, shown in run.shown_as.items() if shown == topic]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{topic_strings.INCLUDES} {markdown_text(labels[part])}")
            is_apart = st.button(
                topic_strings.APART,
                key=topic_changes.key_for(run, f"apart-{ids[part]}"),
                type="tertiary",
                disabled=is_fixed,
            )
        if is_apart:
            topic_changes.change(run, partial(Overlay.with_merged, topic=ids[part], into=""))
    chosen = st.selectbox(
        translated(topic_strings.TOGETHER),
        could_be_parts(run, topic),
        index=None,
        format_func=labels.__getitem__,
        placeholder=translated(topic_strings.TOGETHER_HINT),
        help=translated(topic_strings.TOGETHER_HELP),
        key=topic_changes.key_for(run, f"together-{ids[topic]}"),
        disabled=is_fixed,
    )
    if chosen is not None and chosen not in run.shown_as:
        topic_changes.change(run, partial(Overlay.with_merged, topic=ids[chosen], into=ids[topic]))


def could_be_parts(run: Run, topic: int) -> list[int]:
    """Topics of the same layer that are not part of another, most similar first."""
    heights = run.network.graph.heights()
    same = [
        other for other in range(run.network.graph.n_topics) if heights[other] == heights[topic]
    ]
    alike = dict(similar_topics(run.network, topic, run.network.graph.n_topics))
    taken = {topic, *run.shown_as, *run.wordless_topics}
    free = [other for other in same if other not in taken]
    return sorted(free, key=lambda other: -alike.get(other, 0.0))


def _show_links(
    run: Run, title: str, links: Sequence[tuple[int, Link | float]], go_to: GoTo, nothing: str
) -> None:
    """List topics as buttons, with the strengths of their links, or with their similarities."""
    with st.container(gap=None):
        st.markdown(f"**{title}**")
        for other, link in links[:LINKS_SHOWN]:
            key = node_key(run, other)
            label = markdown_text(run.topic_labels[other])
            figures, interval = (
                _link_figures(run, link) if isinstance(link, Link) else (percent(link), None)
            )
            text = f"{label} :small[:gray[{figures}]]"
            if st.button(text, key=f"card-{title}-{key}", type="tertiary", help=interval):
                address.put("card", "")
                go_to(key)
                st.rerun()
        if not links:
            st.caption(run.terms.translated(nothing))
        elif len(links) > LINKS_SHOWN:
            st.caption(topic_strings.WEAKER.format(count=len(links) - LINKS_SHOWN))


def _link_figures(run: Run, link: Link) -> tuple[str, str | None]:
    """Strength of a link and the count of its stability, and the interval of this count."""
    figures = percent(link.probability)
    if phrase := stability.link_phrase(run, link.parent, link.child):
        figures += f", {phrase}"
    return figures, stability.link_interval(run, link.parent, link.child) or None


def offer(run: Run, topic: int, go_to: GoTo) -> None:
    """Draw the button that opens the full card, and the card if the URL names it."""
    code = run.network.graph.topic_ids[topic]
    st.button(topic_strings.MORE, key="more-card", on_click=address.put, args=("card", code))
    if address.get("card") == code:
        title = markdown_text(run.topic_labels[topic])
        dialog = st.dialog(title, width="large", on_dismiss=lambda: address.put("card", ""))
        dialog(_show)(run, topic, go_to)


def _show(run: Run, topic: int, go_to: GoTo) -> None:
    # Id, prior probability, and number of documents if it is known.
    facts = topic_strings.prior(
        float(run.prior[topic]),
        has_texts=run.has_texts,
        is_assumed=assumed_rate(run.summary) is not None,
    )
    used = cached_facts.usage(run)
    if used is not None:
        facts += f", {topic_strings.usage(int(used.size[topic]), used.documents)}"
    code = run.network.graph.topic_ids[topic]
    known = topic_strings.code(code, "", is_hidden=topic in run.hidden_topics)
    # A node of a graph may have its label as its id, which is the title.
    named = "" if known == run.topic_labels[topic] else f"{markdown_text(known)} · "
    facts = markdown_text(run.terms.translated(facts))
    st.caption(f"{named}{facts}. {stability.topic_sentence(run, topic)}".strip())
    _show_name(run, topic)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _show_words(run, topic)
    with right:
        show_neighbours(run, topic, go_to)
    topic_documents.show_documents(run, topic)


def _show_name(run: Run, topic: int) -> None:
    """Draw the form for the name and the buttons below it, and act on a click."""
    if is_read_only():
        return
    code, label = run.network.graph.topic_ids[topic], run.topic_labels[topic]
    own, is_hidden = run.overlay.labels.get(code), code in run.overlay.hidden
    # With a key, the box keeps a typed name if the topic was renamed elsewhere.
    box = topic_changes.key_for(run, f"new-name-{code}")
    # Name that the topic had when the box was filled; another one is a change by someone else.
    filled = f"{box}-filled"
    if memory.recall(box) is None:
        memory.remember(box, label)
        memory.remember(filled, own)
    name = _draw_name_form(run, code, box)
    is_back, is_turned = _draw_name_buttons(run, topic)
    if name is not None and own not in (name, memory.recall(filled)):
        memory.remember(filled, own)
        page.show_error(topic_strings.RENAMED.format(name=label))
    elif name is not None and name != label:
        topic_changes.change(run, lambda overlay: overlay.with_label(code, name), box)
    if is_back:
        topic_changes.change(run, lambda overlay: overlay.with_label(code, ""), box)
    if is_turned:
        topic_changes.change(run, lambda overlay: overlay.with_hidden(code, not is_hidden))


def _draw_name_form(run: Run, code: str, box: str) -> str | None:
    """Draw the box with this key, and return its text after a click that saves it, else None."""
    is_fixed = topic_changes.is_fixed()
    with (
        st.form(topic_changes.key_for(run, f"name-{code}"), border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        name: str = st.text_input(
            topic_strings.NAME,
            key=box,
            max_chars=MAX_LABEL,
            help=topic_strings.NAME_HELP if run.has_texts else topic_strings.NAME_HELP_OF_GRAPH,
            disabled=is_fixed,
        )
        is_saved = st.form_submit_button(topic_strings.SAVE, disabled=is_fixed)
    return name if is_saved else None


def _draw_name_buttons(run: Run, topic: int) -> tuple[bool, bool]:
    """Draw the row below the name.

    Returns
    -------
    tuple of bool
        Whether the name made of words is to be restored, and whether the topic is to be hidden, or
        shown again.
    """
    is_fixed, code = topic_changes.is_fixed(), run.network.graph.topic_ids[topic]
    is_named = code in run.overlay.labels
    with st.container(horizontal=True, vertical_alignment="center"):
        made = topic_strings.ITS_WORDS if run.has_texts else topic_strings.ITS_NAME_IN_GRAPH
        beneath = f"{made}: {markdown_text(run.made_labels[topic])}"
        if is_fixed or run.has_texts or is_named:
            st.caption(topic_strings.READ_ONLY if is_fixed else beneath)
        if is_fixed and st.button(
            topic_strings.COPY, key="copy-sample", help=topic_strings.COPY_HELP
        ):
            topic_changes.copy_model()
        is_back = is_named and st.button(
            topic_strings.BACK_TO_WORDS if run.has_texts else topic_strings.BACK_TO_GRAPH,
            key=topic_changes.key_for(run, "back-to-words"),
            type="tertiary",
            disabled=is_fixed,
        )
        is_turned = st.button(
            topic_strings.SHOW_AGAIN if code in run.overlay.hidden else topic_strings.HIDE,
            key=topic_changes.key_for(run, "hide-topic"),
            help=topic_strings.HIDE_HELP,
            disabled=is_fixed,
        )
        if run.has_texts:
            topic_changes.offer(run, topic)
    return is_back, is_turned


def _show_words(run: Run, topic: int) -> None:
    translated = run.terms.translated
    source = f" {topic_strings.SHARE_SOURCE}" if run.has_texts else ""
    with st.container(horizontal=True, gap="medium"):
        # Older links have the order in the parameter by which the Groups page groups documents.
        earlier = address.get("by")
        default = earlier if earlier in ORDERS else topic_strings.BY_RELEVANCE
        order = page.choose("words", translated(topic_strings.ORDER), ORDERS, default)
        if order == topic_strings.BY_WEIGHT:
            found = words_by_weight(run, topic, TABLE_WORDS)
        else:
            address.restore("share", DEFAULT_SHARE, SHARES)
            share = st.select_slider(
                topic_strings.SHARE,
                SHARES,
                key="share",
                on_change=address.keep,
                args=("share",),
                help=translated(topic_strings.SHARE_HELP) + source,
            )
            found = words_by_relevance(run, topic, float(share), TABLE_WORDS)
    if not found:
        is_by_weight = order == topic_strings.BY_WEIGHT
        nothing = topic_strings.NO_LINKED_WORDS if is_by_weight else explorer_strings.NO_WORDS
        st.caption(translated(nothing))
        return

    def figures(explanation: str) -> ColumnConfig:
        return st.column_config.NumberColumn(help=translated(explanation), width="small")

    st.dataframe(
        word_table(found),
        hide_index=True,
        height=min(TABLE_HEIGHT, 37 + 35 * len(found)),
        column_config={
            topic_strings.COLUMN_WORD: st.column_config.TextColumn(
                translated(topic_strings.COLUMN_WORD)
            ),
            topic_strings.COLUMN_PROBABILITY: figures(topic_strings.COLUMN_PROBABILITY_HELP),
            topic_strings.COLUMN_LIFT: figures(topic_strings.COLUMN_LIFT_HELP),
            topic_strings.COLUMN_LINK: figures(topic_strings.COLUMN_LINK_HELP),
        },
    )


def word_table(found: list[TopicWord]) -> pd.DataFrame:
    """Table of words with three significant digits, without a figure if there is no link."""

    def rounded(value: float) -> float:
        return float(f"{value:.3g}")

    links = [float(100.0 * weight_to_probability(word.weight)) for word in found]
    table = pd.DataFrame(
        {
            topic_strings.COLUMN_WORD: [word.text for word in found],
            topic_strings.COLUMN_PROBABILITY: [rounded(100 * word.probability) for word in found],
            topic_strings.COLUMN_LIFT: [rounded(word.lift) for word in found],
            topic_strings.COLUMN_LINK: [rounded(link) if link else None for link in links],
        }
    )
    return table if any(links) else table.drop(columns=topic_strings.COLUMN_LINK)
