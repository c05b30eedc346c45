"""Switches that clamp topics on or off and change the states of words.

The address stores clamped topics as ``hold=T0012:on,T0040:off``. The senses of the typed words are
topics that would each explain them; choosing a sense clamps its topic on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from urllib.parse import quote, unquote

import streamlit as st

from ....core.drawing import explorer_strings, style
from ....core.drawing.links import parent_links, whole
from ....core.drawing.local_model import TypedWord
from ....core.drawing.question import NEXT
from ....core.drawing.selection import joined_estimate, joined_probability, surest_part
from ....core.drawing.strings import figures_of
from ....core.inference.posterior import Posterior
from ....core.inference.senses import Sense, query_senses
from ....core.inference.thresholds import MANY_WORDS, ON_THRESHOLD
from ....core.model.topic_model import Run
from ...shared.answers import Answer
from ...shell import address, memory
from ...text.safe_text import markdown_text
from . import strings

STATES = ("on", "off")
# Parameter of the address for clamped topics, and key of the choice of a sense.
PARAMETER, KEY = "hold", "reading"


def read_clamped(text: str, number: Mapping[str, int]) -> dict[int, str]:
    """Topics with their states, in the order of the text, without invalid entries.

    ``number`` maps the id of each topic to its number.
    """
    clamped = {}
    for part in text.split(","):
        name, _, state = part.rpartition(":")
        topic = number.get(unquote(name))
        if topic is not None and state in STATES:
            clamped[topic] = state
    return clamped


def write_clamped(clamped: Mapping[int, str], topic_ids: Sequence[str]) -> str:
    """Text for `read_clamped`; ids of topics may contain any character."""
    return ",".join(
        f"{quote(topic_ids[topic], safe='')}:{state}" for topic, state in clamped.items()
    )


def with_state(clamped: Mapping[int, str], topic: int, state: str) -> dict[int, str]:
    """Clamped topics after a change of one; a state other than ``on`` and ``off`` frees it."""
    others = {other: how for other, how in clamped.items() if other != topic}
    return others | {topic: state} if state in STATES else others


def next_state(state: str, *, is_on: bool) -> str:
    """Next state of a switched topic: the opposite of its free state, then the same, then free.

    ``state`` is ``on``, ``off``, or any other text for a free topic; ``is_on`` is whether the topic
    is on when nothing is clamped.
    """
    contrary, same = ("off", "on") if is_on else ("on", "off")
    return {contrary: same, same: "free"}.get(state, contrary)


def clamped_topics(run: Run) -> dict[int, str]:
    """Topics that the address clamps on or off; joined topics count as one."""
    clamped = read_clamped(address.get(PARAMETER), run.network.graph.topic_number)
    return {whole(run, topic): how for topic, how in clamped.items()}


def show_switch(run: Run, answers: Sequence[Answer], selected: str) -> None:
    """Draw the switch of the selected word or topic; it acts on all queries that contain it."""
    word, topic = _word_of(answers, selected), _topic_of(run, selected)
    if word is not None:
        _switch(run, selected, word.state, partial(_write, run, answers, selected))
    elif topic is not None and (topic in clamped_topics(run) or _surest(run, answers, topic) >= 0):
        chosen = clamped_topics(run).get(topic, "free")
        _switch(run, selected, chosen, partial(_clamp, run, topic))


def _switch(run: Run, selected: str, chosen: str, put: Callable[[str], None]) -> None:
    is_word = chosen in explorer_strings.WORD_STATES
    options = run.terms.in_all(
        explorer_strings.WORD_STATES if is_word else explorer_strings.TOPIC_STATES
    )
    key = f"state-{selected}"
    if memory.recall(key) != chosen:
        memory.remember(key, chosen)
    with st.container(gap="xsmall", key="what-if"):
        st.segmented_control(
            explorer_strings.WHAT_IF,
            tuple(options),
            format_func=options.__getitem__,
            required=True,
            key=key,
            on_change=lambda: put(memory.recall(key)),
            help=strings.WHAT_IF_HELP,
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
    """Word of the first query that contains it."""
    found = (answer.question.word(key) for answer in answers)
    return next((word for word in found if word is not None), None)


def _surest(run: Run, answers: Sequence[Answer], topic: int) -> float:
    """Highest probability of a topic over all answers with nothing clamped, or -1."""
    return max(joined_probability(run, answer.free).get(topic, -1.0) for answer in answers)


def _write(run: Run, answers: Sequence[Answer], key: str, chosen: str) -> None:
    """Change the state of a word in every query in which it has the shown state."""
    shown, questions = _word_of(answers, key), [answer.question for answer in answers]
    same = (question for question in questions if shown and question.word(key) == shown)
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
    """List the clamped topics, each with a button that frees it, and a button that frees all."""
    clamped = clamped_topics(run)
    if not clamped:
        return
    with st.container(gap=None, key="held"):
        st.markdown(f"**{explorer_strings.CLAMPED_TITLE}**")
        for topic, how in clamped.items():
            mark = style.MARKS[how]
            st.button(
                f"{mark} {markdown_text(run.topic_labels[topic])} :gray[✕]",
                key=f"free-{topic}",
                type="tertiary",
                help=run.terms.translated(explorer_strings.FREE_ONE),
                on_click=_clamp,
                args=(run, topic, "free"),
            )
        st.button(
            explorer_strings.FREE_ALL, key="free-all", on_click=address.put, args=(PARAMETER, "")
        )


def _topic_of(run: Run, key: str) -> int | None:
    """Topic of a key, or the topic that it is shown as."""
    kind, _, name = key.partition(":")
    number = run.network.graph.topic_number
    return whole(run, number[name]) if kind == "topic" and name in number else None


def word_senses(run: Run, free: Posterior) -> list[Sense]:
    """Senses among the shown parents of the present words: at least two, or an empty list.

    ``free`` is the posterior without clamped topics, so that the senses remain when one is chosen.
    """
    present = free.evidence.present
    if len(present) > MANY_WORDS:
        return []
    n_topics = run.network.graph.n_topics
    above = {
        whole(run, link.parent)
        for token in present
        for link in parent_links(run.network, n_topics + token)
    }
    # Joined topics are represented by the one that a click clamps.
    candidates = [surest_part(run, free, topic) for topic in sorted(above - run.hidden_topics)]
    return [Sense(whole(run, sense.topic), sense.share) for sense in query_senses(free, candidates)]


def show(run: Run, answer: Answer) -> None:
    """Draw the choice of a sense, if there are at least two."""
    found = word_senses(run, answer.free)
    if not found:
        return
    present = [markdown_text(word) for word in answer.question.words("present")]
    # The same figure as in the picture and the list: whether the topic is on, alone or with others.
    known = joined_estimate(run, answer.free)
    names = {
        sense.topic: f"{markdown_text(run.topic_labels[sense.topic])} "
        f"{figures_of(known[sense.topic])}"
        for sense in found
    }
    topics = list(names)
    clamped = clamped_topics(run)
    chosen = next((topic for topic in topics if clamped.get(topic) == "on"), None)
    if memory.recall(KEY) != chosen:
        memory.remember(KEY, chosen)
    with st.container(gap="xsmall", key="readings"):
        title = strings.senses_title(len(found), present, run.terms)
        st.markdown(f"**{title}**", help=run.terms.translated(strings.SENSES_HELP))
        st.pills(
            strings.SENSES,
            topics,
            format_func=names.__getitem__,
            key=KEY,
            on_change=lambda: clamp_one_of(run, topics, memory.recall(KEY)),
            label_visibility="collapsed",
        )
