"""What if: switch the selected word, hold the selected topic, and see everything move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.graph import style
from orrery.app.graph.choice import joined_probability
from orrery.app.graph.links import whole
from orrery.app.query.clamping import next_state, read_held, with_state, write_held
from orrery.app.query.question import NEXT
from orrery.app.session import address, state
from orrery.app.text.escaping import markdown_text
from orrery.app.words import query as words
from orrery.core.exporting.thresholds import ON_THRESHOLD

if TYPE_CHECKING:
    from orrery.app.graph.local_model import TypedWord
    from orrery.app.query.answers import Answer
    from orrery.core.run import Run

PARAMETER = "hold"


def held_topics(run: Run) -> dict[int, str]:
    """Topics that the address holds on or off, those that are shown as one as one."""
    held = read_held(address.get(PARAMETER), run.network.graph.topic_ids)
    return {whole(run, topic): how for topic, how in held.items()}


def show_switch(run: Run, answers: Sequence[Answer], selected: str) -> None:
    """Draw the switch of what is selected: a word of the questions, or a topic of the answers.

    Either is switched in all questions that have it.
    """
    word, topic = _word_of(answers, selected), _topic_of(run, selected)
    if word is not None:
        _switch(selected, word.state, partial(_write, run, answers, selected))
    elif topic is not None and (topic in held_topics(run) or _surest(run, answers, topic) >= 0):
        _switch(selected, held_topics(run).get(topic, "free"), partial(_hold, run, topic))


def _switch(selected: str, chosen: str, put: Callable[[str], None]) -> None:
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
            on_change=lambda: put(state.recall(key)),
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
        now = held_topics(run).get(topic, "free")
        _hold(run, topic, next_state(now, is_on=is_on))


def _word_of(answers: Sequence[Answer], key: str) -> TypedWord | None:
    """A word as the first question that has it has it."""
    found = (answer.question.word(key) for answer in answers)
    return next((word for word in found if word is not None), None)


def _surest(run: Run, answers: Sequence[Answer], topic: int) -> float:
    """How probable a topic is that nobody holds, in the answer that is surest of it; else -1."""
    return max(joined_probability(run, answer.free).get(topic, -1.0) for answer in answers)


def _write(run: Run, answers: Sequence[Answer], key: str, chosen: str) -> None:
    """Write the state of a word into the boxes in which it has the state that is shown."""
    shown, asked = _word_of(answers, key), [answer.question for answer in answers]
    same = (question for question in asked if shown and question.word(key) == shown)
    address.put_all(**{one.box: one.switched(run, key, chosen) for one in same})


def _hold(run: Run, topic: int, chosen: str) -> None:
    held = with_state(held_topics(run), topic, chosen)
    address.put(PARAMETER, write_held(held, run.network.graph.topic_ids))


def hold_one_of(run: Run, topics: Sequence[int], chosen: int | None) -> None:
    """Hold one of some topics on and let the others go; all of them where none is chosen."""
    held = {topic: how for topic, how in held_topics(run).items() if topic not in topics}
    if chosen is not None:
        held[chosen] = "on"
    address.put(PARAMETER, write_held(held, run.network.graph.topic_ids))


def show_held(run: Run) -> None:
    """List what is held by hand, each a click from being free, and the way back from all."""
    held = held_topics(run)
    if not held:
        return
    with st.container(gap=None, key="held"):
        st.markdown(f"**{words.HELD_TITLE}**")
        for topic, how in held.items():
            mark = style.MARKS[how]
            st.button(
                f"{mark} {markdown_text(run.topic_labels[topic])} :gray[✕]",
                key=f"free-{topic}",
                type="tertiary",
                help=words.FREE_ONE,
                on_click=_hold,
                args=(run, topic, "free"),
            )
        st.button(words.FREE_ALL, key="free-all", on_click=address.put, args=(PARAMETER, ""))


def _topic_of(run: Run, key: str) -> int | None:
    """The topic of a key, or the one that it is shown as."""
    kind, _, name = key.partition(":")
    ids = run.network.graph.topic_ids
    return whole(run, ids.index(name)) if kind == "topic" and name in ids else None
