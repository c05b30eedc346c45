"""Parts "Most informative next" and "Next question": words to ask for, with yes, no and skip."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing.links import whole, word_text
from ....core.drawing.selection import shown_estimate
from ....core.drawing.strings import figures
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.questions import Aim, Question
from ....core.inference.thresholds import (
    MANY_WORDS,
    MIN_BITS,
    MIN_CHANGE,
    N_QUESTIONS,
    SURE_ENOUGH,
)
from ....core.model.topic_model import Run
from ...shared.answers import Answer, questions_of
from ...shell import address, memory
from ...text.safe_text import markdown_text
from . import strings

# Answers of this session that led to the query, in their order. The button of an answer disappears
# with its question, so the first button of the next one gets the focus, unless something has it.
ANSWERS = "next-answers"
# Folder of the model, and its nearly certain topics despite which more is asked.
ASK_ON = "next-on-for"
FOCUS_NEXT = """<script>
// After answer {number}: the button goes when the page is drawn to its end.
{{ const ends = Date.now() + 4000, timer = setInterval(() => {{
  const next = document.querySelector(".st-key-next-answers .stButton button");
  const isFree = !document.activeElement || document.activeElement === document.body;
  if (isFree) next?.focus({{ preventScroll: true }});
  if (isFree || Date.now() > ends) clearInterval(timer);
}}, 100); }}
</script>"""

# Folder of the model, box of the query, and topics clamped on and off.
Situation = tuple[Path, str, tuple[int, ...], tuple[int, ...]]


class GivenAnswer(NamedTuple):
    """Answer to a question, how the query reads before and after, and what was known before."""

    situation: Situation
    word: str
    state: str  # present, absent or unknown
    before: str
    after: str
    known: dict[int, Estimate]  # probability of each topic; empty if the model has texts


def show(run: Run, answer: Answer, *, has_texts: bool = True) -> None:
    """Draw the part; nothing for a whole text, with every word known, or without topics.

    Without texts, one question follows another until one topic is nearly certain.
    """
    posterior = answer.posterior
    if answer.question.closed_world or len(posterior.evidence.present) > MANY_WORDS:
        return
    if not len(posterior.local.topics):
        return
    with st.container(gap="xsmall", key="next-question"):
        if has_texts:
            _show_questions(run, answer)
        else:
            _converse(run, answer)
        n_answers = len(_given(run, answer))
        if n_answers:
            # The number makes the browser run it after every answer.
            st.html(FOCUS_NEXT.format(number=n_answers), unsafe_allow_javascript=True)


def _show_questions(run: Run, answer: Answer) -> None:
    """Draw the words that inform most about the unsure topics."""
    translated = run.terms.translated
    st.markdown(
        f"**{translated(explorer_strings.NEXT_TITLE)}**",
        help=translated(explorer_strings.NEXT_HELP),
    )
    asked = _best_questions(run, answer, "information", explorer_strings.NEXT_NOTHING)
    with st.container(gap="xsmall", key="next-answers"):
        for question in asked:
            _row(run, answer, question, {})


def _converse(run: Run, answer: Answer) -> None:
    """Draw what the last answer changed, and ask on until one topic is nearly certain."""
    translated, known = run.terms.translated, open_topics(run, answer.posterior)
    st.markdown(
        f"**{translated(explorer_strings.NEXT_QUESTION)}**",
        help=translated(explorer_strings.NEXT_QUESTION_HELP),
    )
    _show_given(run, answer, known)
    surest = max(known, key=lambda topic: known[topic].value, default=None)
    if surest is not None and known[surest].value >= SURE_ENOUGH:
        st.markdown(markdown_text(strings.sure_enough(run.topic_labels[surest], known[surest])))
        folder, asked_on = memory.recall(ASK_ON, (None, frozenset()))
        asked_on = asked_on if folder == run.folder else frozenset()
        if surest not in asked_on:
            keep = (ASK_ON, (run.folder, asked_on | {surest}))
            st.button(explorer_strings.ASK_ON, key="next-on", on_click=memory.remember, args=keep)
            return
        surest = None
    else:
        memory.forget(ASK_ON)
    asked = _best_questions(run, answer, "confirmation", explorer_strings.NEXT_NO_QUESTION)
    if not asked:
        return
    word = markdown_text(word_text(run.vocabulary[asked[0].node]))
    st.markdown(strings.presence_question(translated, word))
    with st.container(horizontal=True, gap="xsmall", key="next-answers"):
        # A tooltip would cover the next question, whose buttons come under the pointer.
        _buttons(run, answer, asked[0], known, has_help=False)
    text = strings.EXPECTED_YES.format(figure=figures(asked[0].yes))
    if surest is not None:
        text += f" {strings.until(translated, run.topic_labels[surest], known[surest])}"
    st.caption(markdown_text(text))
    if len(asked) > 1:
        with st.expander(strings.OTHER_QUESTIONS):
            for question in asked[1:]:
                _row(run, answer, question, known)


def _best_questions(run: Run, answer: Answer, aim: Aim, nothing: str) -> list[Question]:
    """Return the best questions, and state where there is none or where they are estimates."""
    translated = run.terms.translated
    found = questions_of(run.network, answer.posterior.evidence, N_QUESTIONS, aim)
    asked = [question for question in found.questions if question.bits >= MIN_BITS]
    if not found.targets:
        st.caption(translated(explorer_strings.NEXT_SURE))
        return []
    if not asked:
        st.caption(translated(nothing))
    elif not found.is_exact:
        st.caption(translated(explorer_strings.NEXT_ROUGH))
    return asked


def _given(run: Run, answer: Answer) -> tuple[GivenAnswer, ...]:
    """Answers that led to this query; none if something else was changed since."""
    given: tuple[GivenAnswer, ...] = memory.recall(ANSWERS, ())
    is_last = bool(given) and given[-1].after == answer.question.source
    return given if is_last and given[-1].situation == _situation(run, answer) else ()


def _situation(run: Run, answer: Answer) -> Situation:
    evidence = answer.posterior.evidence
    return run.folder, answer.question.box, evidence.on, evidence.off


def _show_given(run: Run, answer: Answer, known: dict[int, Estimate]) -> None:
    """Show the answers so far, what the last one changed, and a button that takes it back."""
    given = _given(run, answer)
    if not given:
        return
    before = given[-1].known
    changes = {
        run.topic_labels[topic]: (before[topic], now)
        for topic, now in known.items()
        if topic in before and abs(now.value - before[topic].value) >= MIN_CHANGE
    }
    said = [(word_text(one.word), one.state) for one in given]
    st.markdown(markdown_text(strings.given_answers(said)))
    if given[-1].state != "unknown":
        st.markdown(markdown_text(strings.changes(changes)))
    st.button(
        strings.TAKE_BACK,
        key="next-undo",
        type="tertiary",
        icon=":material/undo:",
        on_click=_take_back,
        args=(answer.question.box, given),
    )


def _row(run: Run, answer: Answer, question: Question, known: dict[int, Estimate]) -> None:
    """Draw a word with the probability of a yes, and a button for each answer."""
    name = markdown_text(word_text(run.vocabulary[question.node]))
    figure = markdown_text(explorer_strings.NEXT_YES.format(figure=figures(question.yes)))
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"{name} :gray[{figure}]", width="stretch")
        _buttons(run, answer, question, known)


def _buttons(
    run: Run,
    answer: Answer,
    question: Question,
    known: dict[int, Estimate],
    *,
    has_help: bool = True,
) -> None:
    """Draw a button for each answer to a question."""
    asked, word = answer.question, run.vocabulary[question.node]
    name, yes = markdown_text(word_text(word)), figures(question.yes)
    for state, label in explorer_strings.NEXT_ANSWERS.items():
        text = run.terms.translated(explorer_strings.NEXT_ANSWERS_HELP[state])
        after = asked.with_word(run, word, state)
        given = GivenAnswer(_situation(run, answer), word, state, asked.source, after, known)
        st.button(
            label,
            key=f"next-{state}-{word}",
            type="tertiary" if state == "unknown" else "secondary",
            help=text.format(word=name, figure=yes) if has_help else None,
            on_click=_answer,
            args=(asked.box, _given(run, answer), given),
        )


def _answer(box: str, earlier: tuple[GivenAnswer, ...], given: GivenAnswer) -> None:
    """Put the answer into the query."""
    memory.remember(ANSWERS, (*earlier, given))
    address.put(box, given.after)


def _take_back(box: str, given: tuple[GivenAnswer, ...]) -> None:
    """Put the query as it was before the last answer."""
    *earlier, last = given
    memory.remember(ANSWERS, tuple(earlier))
    address.put(box, last.before)


def open_topics(run: Run, posterior: Posterior) -> dict[int, Estimate]:
    """Probability of the shown topics that are not held on or off."""
    evidence = posterior.evidence
    held = {whole(run, topic) for topic in (*evidence.on, *evidence.off)}
    shown = shown_estimate(run, posterior)
    return {topic: known for topic, known in shown.items() if topic not in held}
