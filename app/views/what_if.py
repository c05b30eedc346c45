"""What if: switch the selected word, hold the selected topic, and see everything move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import address, graph_style, state
from app.graph_choice import topic_probability
from app.graph_links import node_key
from app.holding import next_state, read_held, with_state, write_held
from app.plain import markdown_text
from app.question import NEXT, Question
from app.words import query as words
from core.inference import Posterior

if TYPE_CHECKING:
    from core.storage import Run

PARAMETER = "hold"


def held_topics(run: Run) -> dict[int, str]:
    """Topics that the address holds on or off."""
    return read_held(address.get(PARAMETER), run.network.graph.topic_ids)


def show_switch(run: Run, question: Question, selected: str) -> None:
    """Draw the switch of what is selected: a word of the question, or a topic."""
    word, topic = question.word(selected), _topic_of(run, selected)
    if word is not None:
        _switch(run, question, selected, word.state)
    elif topic is not None:
        _switch(run, question, selected, held_topics(run).get(topic, "free"))


def _switch(run: Run, question: Question, selected: str, chosen: str) -> None:
    options = words.WORD_STATES if chosen in words.WORD_STATES else words.TOPIC_STATES
    key = f"state-{selected}"
    if state.recall(key) != chosen:
        state.remember(key, chosen)
    with st.container(gap="xsmall", key="what-if"):
        st.segmented_control(
            words.WHAT_IF,
            tuple(options),
            format_func=options.__getitem__,
            required=True,
            key=key,
            on_change=_keep,
            args=(run, question, selected),
            help=words.WHAT_IF_HELP,
            width="stretch",
        )


def _keep(run: Run, question: Question, selected: str) -> None:
    _put(run, question, selected, state.recall(f"state-{selected}"))


def turn(run: Run, question: Question, free: Posterior, key: str) -> None:
    """Switch a word or a topic of the picture to its next state; ``free`` is without holding."""
    word, topic = question.word(key), _topic_of(run, key)
    if word is not None:
        _put(run, question, key, NEXT[word.state])
    elif topic is not None:
        is_on = topic_probability(free).get(topic, 0.0) > graph_style.ON_THRESHOLD
        now = held_topics(run).get(topic, "free")
        _put(run, question, key, next_state(now, is_on=is_on))


def _put(run: Run, question: Question, key: str, chosen: str) -> None:
    """Write the state of a word into the question, or that of a topic beside it."""
    topic = _topic_of(run, key)
    if topic is None:
        address.put("q", question.switched(key, chosen))
        return
    held = with_state(held_topics(run), topic, chosen)
    address.put(PARAMETER, write_held(held, run.network.graph.topic_ids))


def show_held(run: Run, question: Question) -> None:
    """List what is held by hand, each a click from being free, and the way back from all."""
    held = held_topics(run)
    if not held:
        return
    with st.container(gap=None, key="held"):
        st.markdown(f"**{words.HELD_TITLE}**")
        for topic, how in held.items():
            mark = graph_style.MARKS[how]
            st.button(
                f"{mark} {markdown_text(run.topic_labels[topic])} :gray[✕]",
                key=f"free-{topic}",
                type="tertiary",
                help=words.FREE_ONE,
                on_click=_put,
                args=(run, question, node_key(run, topic), "free"),
            )
        st.button(words.FREE_ALL, key="free-all", on_click=address.put, args=(PARAMETER, ""))


def _topic_of(run: Run, key: str) -> int | None:
    kind, _, name = key.partition(":")
    ids = run.network.graph.topic_ids
    return ids.index(name) if kind == "topic" and name in ids else None
