"""Part "Most informative next": words whose presence settles most, each with yes, no and skip."""

from __future__ import annotations

import streamlit as st

from ....core.drawing.links import whole, word_text
from ....core.drawing.selection import shown_estimate
from ....core.drawing.strings import figures
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.questions import Aim
from ....core.model.topic_model import Run
from ...shared.answers import MANY_WORDS, Answer, questions_of
from ...shell import address
from ...text.safe_text import markdown_text
from . import strings

N_QUESTIONS = 4
# Questions with fewer bits change no figure that is shown.
MIN_BITS = 0.005
# Probability of a topic that ends the questions of a model without texts.
SURE = 0.9


def show(run: Run, answer: Answer, *, has_texts: bool = True) -> None:
    """Draw the part; nothing for a whole text, with every word known, or without topics.

    Without texts, the questions end when one topic is nearly certain.
    """
    posterior = answer.posterior
    if answer.question.closed_world or len(posterior.evidence.present) > MANY_WORDS:
        return
    if not len(posterior.local.topics):
        return
    # Without texts, the questions lead to one topic that is nearly certain.
    aim: Aim = "information" if has_texts else "confirmation"
    found = questions_of(run.network, posterior.evidence, N_QUESTIONS, aim)
    with st.container(gap="xsmall", key="next-question"):
        if has_texts:
            st.markdown(f"**{strings.NEXT_TITLE}**", help=strings.NEXT_HELP)
        else:
            st.markdown(f"**{strings.NEXT_QUESTION}**", help=strings.NEXT_QUESTION_HELP)
            known = open_topics(run, posterior)
            surest = max(known, key=lambda topic: known[topic].value, default=None)
            if surest is not None and known[surest].value >= SURE:
                name = run.topic_labels[surest]
                st.markdown(markdown_text(strings.sure_enough(name, known[surest])))
                return
        if not found.targets:
            st.caption(strings.NEXT_SURE)
            return
        asked = [question for question in found.questions if question.bits >= MIN_BITS]
        if not asked:
            st.caption(strings.NEXT_NOTHING)
        for question in asked:
            word, yes = run.vocabulary[question.node], figures(question.yes)
            name = markdown_text(word_text(word))
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                st.markdown(f"{name} :gray[{strings.bits(question.bits)}]", width="stretch")
                for label, state, text in (
                    (strings.YES, "present", strings.YES_HELP),
                    (strings.NO, "absent", strings.NO_HELP),
                    (strings.SKIP, "unknown", strings.SKIP_HELP),
                ):
                    st.button(
                        label,
                        key=f"next-{state}-{word}",
                        type="tertiary" if state == "unknown" else "secondary",
                        help=text.format(word=name, figure=yes),
                        on_click=address.put,
                        args=(answer.question.box, answer.question.with_word(run, word, state)),
                    )
        if asked and not found.is_exact:
            st.caption(strings.NEXT_ROUGH)


def open_topics(run: Run, posterior: Posterior) -> dict[int, Estimate]:
    """Probability of the shown topics that are not held on or off."""
    evidence = posterior.evidence
    held = {whole(run, topic) for topic in (*evidence.on, *evidence.off)}
    shown = shown_estimate(run, posterior)
    return {topic: known for topic, known in shown.items() if topic not in held}
