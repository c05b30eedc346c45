"""Part "Most informative next": words whose presence settles most, each with yes, no and skip."""

from __future__ import annotations

import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing.links import whole, word_text
from ....core.drawing.selection import shown_estimate
from ....core.drawing.strings import figures
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.questions import Aim, Question
from ....core.inference.thresholds import MANY_WORDS, MIN_BITS, N_QUESTIONS, SURE_ENOUGH
from ....core.model.topic_model import Run
from ...shared.answers import Answer, questions_of
from ...shell import address, memory
from ...text.safe_text import markdown_text
from . import strings

# Number of answers in this session. The button of an answer disappears with its question, so the
# first button of the next question gets the focus, unless something else has it.
N_ANSWERS = "next-answers"
FOCUS_NEXT = """<script>
// After answer {number}: the button goes when the page is drawn to its end.
{{ const ends = Date.now() + 4000, timer = setInterval(() => {{
  const next = document.querySelector(".st-key-next-question .stButton button");
  const isFree = !document.activeElement || document.activeElement === document.body;
  if (isFree) next?.focus({{ preventScroll: true }});
  if (isFree || Date.now() > ends) clearInterval(timer);
}}, 100); }}
</script>"""
# Title of the part, its help, and the sentence in place of questions.
_WITH_TEXTS = (
    explorer_strings.NEXT_TITLE,
    explorer_strings.NEXT_HELP,
    explorer_strings.NEXT_NOTHING,
)
_WITHOUT_TEXTS = (
    explorer_strings.NEXT_QUESTION,
    explorer_strings.NEXT_QUESTION_HELP,
    explorer_strings.NEXT_NO_QUESTION,
)


def show(run: Run, answer: Answer, *, has_texts: bool = True) -> None:
    """Draw the part; nothing for a whole text, with every word known, or without topics.

    Without texts, the questions end when one topic is nearly certain.
    """
    posterior, translated = answer.posterior, run.terms.translated
    if answer.question.closed_world or len(posterior.evidence.present) > MANY_WORDS:
        return
    if not len(posterior.local.topics):
        return
    # Without texts, the questions lead to one topic that is nearly certain.
    aim: Aim = "information" if has_texts else "confirmation"
    found = questions_of(run.network, posterior.evidence, N_QUESTIONS, aim)
    with st.container(gap="xsmall", key="next-question"):
        title, about, nothing = _WITH_TEXTS if has_texts else _WITHOUT_TEXTS
        st.markdown(f"**{translated(title)}**", help=translated(about))
        if not has_texts:
            known = open_topics(run, posterior)
            surest = max(known, key=lambda topic: known[topic].value, default=None)
            if surest is not None and known[surest].value >= SURE_ENOUGH:
                name = run.topic_labels[surest]
                st.markdown(markdown_text(strings.sure_enough(name, known[surest])))
                return
        if not found.targets:
            st.caption(translated(explorer_strings.NEXT_SURE))
            return
        asked = [question for question in found.questions if question.bits >= MIN_BITS]
        if not asked:
            st.caption(translated(nothing))
        for question in asked:
            _row(run, answer, question)
        if asked and not found.is_exact:
            st.caption(translated(explorer_strings.NEXT_ROUGH))
        n_answers = memory.recall(N_ANSWERS, 0)
        if asked and n_answers:
            # The number makes the browser run it after every answer.
            st.html(FOCUS_NEXT.format(number=n_answers), unsafe_allow_javascript=True)


def _row(run: Run, answer: Answer, question: Question) -> None:
    """Draw a word with its bits, and a button for each answer."""
    word, yes = run.vocabulary[question.node], figures(question.yes)
    name = markdown_text(word_text(word))
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"{name} :gray[{strings.bits(question.bits)}]", width="stretch")
        for state, label in explorer_strings.NEXT_ANSWERS.items():
            text = run.terms.translated(explorer_strings.NEXT_ANSWERS_HELP[state])
            st.button(
                label,
                key=f"next-{state}-{word}",
                type="tertiary" if state == "unknown" else "secondary",
                help=text.format(word=name, figure=yes),
                on_click=_answer,
                args=(answer.question.box, answer.question.with_word(run, word, state)),
            )


def _answer(box: str, text: str) -> None:
    """Put the answer into the query."""
    memory.remember(N_ANSWERS, memory.recall(N_ANSWERS, 0) + 1)
    address.put(box, text)


def open_topics(run: Run, posterior: Posterior) -> dict[int, Estimate]:
    """Probability of the shown topics that are not held on or off."""
    evidence = posterior.evidence
    held = {whole(run, topic) for topic in (*evidence.on, *evidence.off)}
    shown = shown_estimate(run, posterior)
    return {topic: known for topic, known in shown.items() if topic not in held}
