"""Query page: type words and see the topics that they switch on."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ....core.data.suggestions import Near, suggest_for, with_word
from ....core.data.term_suggestions import near_terms
from ....core.drawing import explorer_strings
from ....core.drawing.answer import answer_groups, answer_sentence
from ....core.drawing.links import is_node
from ....core.drawing.local_model import TypedWord, query_picture
from ....core.drawing.picture import Picture
from ....core.drawing.question import (
    Question,
    all_denied,
    denial_switches,
    noted_strangers,
    notes,
    read_typed,
)
from ....core.drawing.strings import listed
from ....core.drawing.style import shortened
from ....core.inference.posterior import Posterior
from ....core.inference.thresholds import MAX_LISTED, MAX_SWITCHES
from ....core.model.topic_model import Run
from ....core.storage.adoption import assumed_rate
from ...components.graph_component import Clicked, draw_graph
from ...shared import dropped_words, topic_card
from ...shared import question as question_box
from ...shared import strings as shared_strings
from ...shared.answers import Answer, ask, posterior_of
from ...shell import address, empty_states, memory, page
from ...shell import strings as shell_strings
from ...text.safe_text import file_name, markdown_text
from . import comparison, nearest, next_question, strings, taken_together, what_if, why

# Seconds between the picture and the rest of the page after a switch in the picture. A browser
# draws everything that arrives within a few milliseconds at once, and the rest of the page takes
# several times as long as the picture. The delay halves the wait (`speed --only clicks`).
HEAD_START = 0.1
TURNED = "picture-turned"
# Letters of an unknown word in a message.
MAX_LETTERS = 60


# A container, and the query whose unknown words are shown there.
_Waiting = tuple[DeltaGenerator, Question]


@dataclass(frozen=True)
class _Drawn:
    """The picture, and the containers around, below and beside it."""

    picture: Picture
    drawing: DeltaGenerator
    reasons: DeltaGenerator
    list_column: DeltaGenerator


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(strings.TITLE, strings.SENTENCE, strings.EMPTY)
    if run is None:
        return
    boxes = st.container(key="question")
    typed = question_box.read(run)
    answers: list[Answer] = []
    drawn: tuple[Answer, _Drawn] | None = None
    waiting: list[_Waiting] = []
    with page.failures_shown():
        answers = _answers(run, typed, waiting)
        if len(answers) == 1:
            drawn = answers[0], _show_picture(run, answers[0])
    if memory.recall(TURNED):
        memory.forget(TURNED)
        time.sleep(HEAD_START)
    with boxes:
        question_box.show(run)
    if not typed.text.strip():
        st.caption(run.terms.translated(strings.EMPTY_QUERY))
    if drawn is not None:
        _show_panels(run, *drawn)
    elif len(answers) > 1:
        comparison.show(run, answers)
    # Last, because it may read all texts.
    for place, question in waiting:
        with place, page.failures_shown():
            _show_dropped_words(run, question)


def _answers(run: Run, typed: question_box.TypedQuery, waiting: list[_Waiting]) -> list[Answer]:
    """Answers to one or two queries; queries without an answer are left out.

    A second query without a first one is ignored. Containers for words that only the recipe left
    out are added to ``waiting``.
    """
    if not typed.text.strip():
        return []
    boxes = {"q": typed.text, "q2": typed.second}
    answers = [_read(run, box, typed, waiting) for box, text in boxes.items() if text.strip()]
    return [answer for answer in answers if answer is not None]


def _read(
    run: Run, box: str, typed: question_box.TypedQuery, waiting: list[_Waiting]
) -> Answer | None:
    """Answer a query, or show why there is no answer and return None."""
    text = typed.second if box == "q2" else typed.text
    question = read_typed(run, text, box, typed.closed_world)
    near = _near_words(run, question, text)
    if len(question.strangers) == len(question.typed):
        with st.container(key=f"strange-{box}"):
            st.warning(run.terms.translated(_nothing_to_show(run, question, near)))
            _show_notes(run, question)
            _offer_near_words(question, text, near)
        waiting.append((st.container(), question))
        return None
    _show_notes(run, question)
    if question.contradictions:
        for found in question.contradictions:
            st.info(strings.contradiction(markdown_text(found.word), found.first, found.second))
        return None
    if question.strangers:
        with st.container(key=f"strange-{box}"):
            unknown = _named_unknown(question, near, noted_strangers(question))
            if unknown:
                st.warning(strings.unknown_words(list(map(markdown_text, unknown))))
            _offer_near_words(question, text, near)
        if not question.body:
            waiting.append((st.container(), question))
    if question.body:
        read = explorer_strings.string_for("READ_AS_TEXT", has_texts=run.has_texts)
        st.caption(run.terms.translated(read.format(known=len(question.typed))))
        if question.unknown:
            _show_unknown_of_text(question)
    return ask(run, question, what_if.clamped_topics(run))


def _show_notes(run: Run, question: Question) -> None:
    """Show what was guessed in reading a query, and how to override it."""
    switches = denial_switches(question)
    for place, note in enumerate(notes(run, question)):
        st.markdown(markdown_text(note))
        # The note on denials is the first.
        if switches and not place:
            _show_switches(run, question, switches)


def _show_switches(run: Run, question: Question, switches: Sequence[tuple[TypedWord, str]]) -> None:
    """Draw buttons for the first words whose reading depends on a denial, which change it."""
    with st.container(horizontal=True, gap="small", key=f"denied-{question.box}"):
        for word, state in switches[:MAX_SWITCHES]:
            name = markdown_text(word.text)
            said = run.terms.translated(explorer_strings.SWITCH_HELP)
            st.button(
                explorer_strings.SWITCH_DENIED[state].format(word=name),
                key=f"denied-{question.box}-{word.key}",
                help=said.format(word=name, state=explorer_strings.WORD_STATES[state]),
                on_click=_switch_word,
                args=(run, question, word.key, state),
            )
        names = [markdown_text(word.text) for word, state in switches if state == "absent"]
        if len(names) > 1:
            st.button(
                explorer_strings.SWITCH_ALL.format(words=listed(names, MAX_SWITCHES)),
                key=f"denied-all-{question.box}",
                on_click=_deny_all,
                args=(run, question),
            )


def _switch_word(run: Run, question: Question, key: str, state: str) -> None:
    address.put(question.box, question.switched(run, key, state))


def _deny_all(run: Run, question: Question) -> None:
    address.put(question.box, all_denied(run, question))


def _show_unknown_of_text(question: Question) -> None:
    """Name the most frequent words of a text that the model does not know; a click shows all."""
    words = [(markdown_text(word), count) for word, count in question.unknown]
    with st.expander(strings.unknown_of_text(words), key=f"unknown-{question.box}"):
        st.markdown(strings.all_unknown_of_text(words))


def _near_words(run: Run, question: Question, text: str) -> list[Near]:
    """Known words near the first unknown ones."""
    if run.recipe.matrix:
        return near_terms(run, text)
    return suggest_for(run, text, _without_denials(question)[:MAX_LISTED])


def _without_denials(question: Question) -> list[str]:
    denials = {word.text for word in question.denials}
    return [word for word in question.strangers if word not in denials]


def _named_unknown(
    question: Question, near: Sequence[Near], noted: Collection[str] = ()
) -> list[str]:
    """Unknown words; in place of those in a phrase for which there are offers, the phrase.

    Words in ``noted`` are left out, because a note is about them. Very long ones are shortened.
    """
    phrase_of = {part: found.word for found in near for part in found.word.lower().split()}
    unknown = [word for word in _without_denials(question) if word not in noted]
    named = dict.fromkeys(phrase_of.get(word.lower(), word) for word in unknown)
    return [shortened(word, MAX_LETTERS) for word in named]


def _offer_near_words(question: Question, text: str, near: Sequence[Near]) -> None:
    """Offer known words near each of the first unknown words; a click puts one in its place."""
    if len(near) > 1:
        _offer_all(question, text, near)
    for word, offers in near:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            name = markdown_text(word)
            st.markdown(explorer_strings.NEAR_WORDS.format(word=name), width="content")
            for known in offers:
                label = markdown_text(known.word)
                st.button(
                    label,
                    key=f"near-{question.box}-{word}-{known.word}",
                    help=explorer_strings.NEAR_HELP.format(known=label, word=name),
                    on_click=address.put,
                    args=(question.box, with_word(text, word, known.word)),
                )


def _offer_all(question: Question, text: str, near: Sequence[Near]) -> None:
    """Offer the nearest known word of each unknown one, all with one click."""
    for word, offers in near:
        text = with_word(text, word, offers[0].word)
    words = ", ".join(dict.fromkeys(markdown_text(offers[0].word) for _, offers in near))
    st.button(
        explorer_strings.DID_YOU_MEAN.format(words=words),
        key=f"near-all-{question.box}",
        on_click=address.put,
        args=(question.box, text),
    )


def _show_dropped_words(run: Run, question: Question) -> None:
    """Show the mean topics of the texts with each word that only the recipe left out."""
    with st.spinner(shell_strings.WORKING):
        for word in question.strangers[:MAX_LISTED]:
            dropped_words.show(run, word)


def _nothing_to_show(run: Run, question: Question, near: Sequence[Near]) -> str:
    if not question.strangers:
        return explorer_strings.NOTHING_LEFT
    unknown = _named_unknown(question, near) or question.strangers
    said = explorer_strings.NOTHING_KNOWN.format(words=listed(list(map(markdown_text, unknown))))
    if near:
        return said
    has_texts = run.has_texts
    advice = explorer_strings.TRY_TEXTS if has_texts else explorer_strings.TRY_TERMS
    return f"{said} {advice}"


def _offer_open_world(run: Run, answer: Answer) -> None:
    """Offer to treat the other words as unknown, if topics would then be on.

    A few present words are weak evidence against many absent ones.
    """
    evidence = answer.question.evidence(closed_world=False, clamped=answer.clamped)
    n_on = len(answer_groups(run, posterior_of(run.network, evidence)).on)
    if n_on:
        with st.container(horizontal=True, vertical_alignment="center", key="offer"):
            said = strings.offer_open_world(n_on, has_texts=run.has_texts)
            st.caption(run.terms.translated(said), width="content")
            take = explorer_strings.string_for("TAKE_OFFER", has_texts=run.has_texts)
            st.button(
                run.terms.translated(take),
                key="take-offer",
                on_click=address.put,
                args=("others", explorer_strings.UNKNOWN),
            )


def _show_picture(run: Run, answer: Answer) -> _Drawn:
    """Show the picture, and create the containers of the panels around it."""
    groups = answer_groups(run, answer.posterior)
    with st.container(key="answer"):
        st.markdown(markdown_text(answer_sentence(run, groups)))
    if answer.question.closed_world and groups.group != "on":
        _offer_open_world(run, answer)
    picture_column, list_column = page.picture_and_side(side_first=False)
    look = question_box.look()
    picture = query_picture(
        run,
        answer.posterior,
        answer.question.typed,
        look,
        answer.before,
        is_text=bool(answer.question.body),
    )

    def react(clicked: Clicked) -> None:
        """Write a click in the picture into the address."""
        if clicked.turned:
            memory.remember(TURNED, True)
            what_if.turn(run, [answer], clicked.turned)
        else:
            question_box.react(clicked)

    with picture_column:
        drawing, reasons = st.container(key="drawing"), st.container(key="reasons")
    with drawing:
        opened = draw_graph(
            picture,
            key="query-graph",
            on_click=react,
            selected=address.get("sel"),
            can_turn=True,
            save_as=file_name(strings.TITLE, answer.question.name),
        )
    if is_node(opened):
        page.open_in_graph(opened)
    return _Drawn(picture, drawing, reasons, list_column)


def _show_panels(run: Run, answer: Answer, drawn: _Drawn) -> None:
    """Show the panels around the picture."""
    selected, palette = address.get("sel"), drawn.picture.palette
    with drawn.drawing:
        _show_remark(run, drawn.picture, answer.posterior)
    with drawn.reasons:
        show_without = why.show(run, answer.posterior, selected, palette, answer.before)
        documents = st.container()
    # Without texts, the page is a conversation, which its next question leads.
    has_texts = run.has_texts
    with drawn.list_column:
        leading = None if has_texts else st.container(key="leading-question")
        what_if.show(run, answer)
        topic_card.show_selected(run, answer.posterior, selected)
        what_if.show_switch(run, [answer], selected)
        what_if.show_clamped(run)
        topic_card.show_on_topics(run, answer.posterior, palette)
        further = st.container()
    show_without()
    with further:
        taken_together.show(run, answer, has_texts=has_texts)
    with further if leading is None else leading:
        next_question.show(run, answer, has_texts=has_texts)
    # Last, because opening the corpus may take time.
    with documents:
        nearest.show(run, answer)


def _show_remark(run: Run, picture: Picture, posterior: Posterior) -> None:
    """Show what the picture omits, beside the choice of colours."""
    left_out = run.terms.translated(
        strings.left_out(picture.left_out_nodes, picture.left_out_edges)
    )
    rough = topic_card.roughness(posterior)
    with st.container(
        horizontal=True,
        wrap=False,
        horizontal_alignment="distribute",
        vertical_alignment="center",
    ):
        if picture.nodes:
            hint = strings.hint("HINT_PICTURE", run.terms, has_texts=run.has_texts)
            page.remark(left_out, rough, hint=hint)
        else:
            st.caption(shared_strings.CANVAS_EMPTY)
        question_box.choose_palette()
    rate = assumed_rate(run.summary)
    if rate is not None:
        with st.container(key="assumed-rate"):
            st.caption(markdown_text(shared_strings.assumed_rate(run.terms.topic, rate)))
