"""What if: switch the selected word, clamp the selected topic, and see what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.graph import style
from orrery.app.graph.links import whole
from orrery.app.graph.selection import joined_probability
from orrery.app.query.clamping import next_state, read_clamped, with_state, write_clamped
from orrery.app.query.question import NEXT
from orrery.app.session import address, memory
from orrery.app.text.escaping import markdown_text
from orrery.app.words import query as words
from orrery.core.exporting.thresholds import ON_THRESHOLD

if TYPE_CHECKING:
    from orrery.app.graph.local_model import TypedWord
    from orrery.app.query.answers import Answer
    from orrery.core.run import Run

PARAMETER = "hold"


def clamped_topics(run: Run) -> dict[int, str]:
    """Topics that the address clamps on or off; topics shown as one are counted as one."""
    clamped = read_clamped(address.get(PARAMETER), run.network.graph.topic_number)
    return {whole(run, topic): how for topic, how in clamped.items()}


def show_switch(run: Run, answers: Sequence[Answer], selected: str) -> None:
    """Draw the switch of what is selected: a word of the questions, or a topic of the answers.

    Either is switched in all questions that have it.
    """
    word, topic = _word_of(answers, selected), _topic_of(run, selected)
    if word is not None:
        _switch(selected, word.state, partial(_write, run, answers, selected))
    elif topic is not None and (topic in clamped_topics(run) or _surest(run, answers, topic) >= 0):
        _switch(selected, clamped_topics(run).get(topic, "free"), partial(_clamp, run, topic))


def _switch(selected: str, chosen: str, put: Callable[[str], None]) -> None:
    options = words.WORD_STATES if chosen in words.WORD_STATES else words.TOPIC_STATES
    key = f"state-{selected}"
    if memory.recall(key) != chosen:
        memory.remember(key, chosen)
    with st.container(gap="xsmall", key="what-if"):
        st.segmented_control(
            words.WHAT_IF,
            tuple(options),
            format_func=options.__getitem__,
            required=True,
            key=key,
            on_change=lambda: put(memory.recall(key)),
            help=words.WHAT_IF_HELP,
            width="stretch",
        )


def turn(run: Run, answers: Sequence[Answer], key: str) -> None:
    """Switch a word or a topic of the picture to its next state."""
    word, topic = _word_of(answers, key), _topic_of(run, key)
    if word is not None:
        _write(run, answers, key, NEXT[word.state])
    elif topic is not None:
        is_on = _surest(run, answers, topic) > ON_THRESHOLD
        now = clamped_topics(run).get(topic, "free")
        _clamp(run, topic, next_state(now, is_on=is_on))


def _word_of(answers: Sequence[Answer], key: str) -> TypedWord | None:
    """The word as it is in the first question that has it."""
    found = (answer.question.word(key) for answer in answers)
    return next((word for word in found if word is not None), None)


def _surest(run: Run, answers: Sequence[Answer], topic: int) -> float:
    """Probability of a topic with nothing clamped, the highest of all answers; else -1."""
    return max(joined_probability(run, answer.free).get(topic, -1.0) for answer in answers)


def _write(run: Run, answers: Sequence[Answer], key: str, chosen: str) -> None:
    """Change the state of a word in every box in which it has the state that is shown."""
    shown, asked = _word_of(answers, key), [answer.question for answer in answers]
    same = (question for question in asked if shown and question.word(key) == shown)
    address.put_all(**{one.box: one.switched(run, key, chosen) for one in same})


def _clamp(run: Run, topic: int, chosen: str) -> None:
    clamped = with_state(clamped_topics(run), topic, chosen)
    address.put(PARAMETER, write_clamped(clamped, run.network.graph.topic_ids))


def clamp_one_of(run: Run, topics: Sequence[int], chosen: int | None) -> None:
    """Clamp one of some topics on and free the others; free all if none is chosen."""
    clamped = {topic: how for topic, how in clamped_topics(run).items() if topic not in topics}
    if chosen is not None:
        clamped[chosen] = "on"
    address.put(PARAMETER, write_clamped(clamped, run.network.graph.topic_ids))


def show_clamped(run: Run) -> None:
    """List what is clamped, each a click from being free, and the button that frees all."""
    clamped = clamped_topics(run)
    if not clamped:
        return
    with st.container(gap=None, key="held"):
        st.markdown(f"**{words.CLAMPED_TITLE}**")
        for topic, how in clamped.items():
            mark = style.MARKS[how]
            st.button(
                f"{mark} {markdown_text(run.topic_labels[topic])} :gray[✕]",
                key=f"free-{topic}",
                type="tertiary",
                help=words.FREE_ONE,
                on_click=_clamp,
                args=(run, topic, "free"),
            )
        st.button(words.FREE_ALL, key="free-all", on_click=address.put, args=(PARAMETER, ""))


def _topic_of(run: Run, key: str) -> int | None:
    """The topic of a key, or the one that it is shown as."""
    kind, _, name = key.partition(":")
    number = run.network.graph.topic_number
    return whole(run, number[name]) if kind == "topic" and name in number else None
