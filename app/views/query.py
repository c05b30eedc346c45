"""Query: type words and see the topics that they switch on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from app import address, described, graph_style, state
from app.components.graph_component import Clicked, draw_graph
from app.graph_links import is_node
from app.graph_view import Look, query_picture
from app.plain import markdown_text
from app.question import Question, read_question
from app.views import navigation, page, topic_card
from app.words import query as words
from core.inference import Posterior, infer

if TYPE_CHECKING:
    from core.storage import Run

SWITCHES = frozenset({"on", "off", "words"})
STYLE = """<style>
.st-key-q input { font-size: 1.3rem; padding: 0.65rem 0.9rem; height: auto; }
.st-key-q [data-testid="stTextInputRootElement"] { height: auto; }
</style>"""


@dataclass(frozen=True)
class _Asked:
    """What was asked: the typed text, and what all other words count as."""

    text: str
    closed_world: bool


def render() -> None:
    """Draw the page."""
    run = state.current_run()
    page.headline(words.TITLE, words.SENTENCE)
    if run is None:
        state.no_model(words.EMPTY)
        return
    asked = _question_box(run)
    if not asked.text.strip():
        st.caption(words.EMPTY_QUERY)
        return
    question = read_question(run, asked.text)
    if not question.words("present"):
        st.info(_nothing_to_show(question))
        return
    _show_answer(run, question, asked)


def _question_box(run: Run) -> _Asked:
    """Show the box, the examples and the switch; answers what was typed and chosen."""
    st.html(STYLE)
    examples = described.examples(run)
    # The first example is there at once: the page opens on a picture.
    address.hold("q", examples[0] if examples else "")
    text = st.text_input(
        words.BOX,
        key="q",
        on_change=address.keep,
        args=("q",),
        placeholder=words.HINT,
        label_visibility="collapsed",
    )
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        with st.container(horizontal=True, width="content", key="examples"):
            for number, example in enumerate(examples):
                label = markdown_text(example)
                st.button(label, key=f"example-{number}", on_click=_ask, args=(example,))
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            st.caption(words.OTHERS, help=words.OTHERS_HELP, width="content")
            # What is not typed is left open: a query is no whole document.
            others = _choice("others", words.OTHERS, (words.UNKNOWN, words.ABSENT))
    return _Asked(text, closed_world=others == words.ABSENT)


def _choice(name: str, label: str, options: tuple[str, ...]) -> str:
    """Draw a switch that the address remembers; the first option is the default."""
    address.hold(name, options[0], options)
    return st.segmented_control(
        label,
        options,
        required=True,
        key=name,
        on_change=address.keep,
        args=(name,),
        label_visibility="collapsed",
        width="content",
    )


def _ask(example: str) -> None:
    address.put("q", example)
    address.put("sel", "")


def _nothing_to_show(question: Question) -> str:
    unknown = question.words("unknown")
    if not unknown:
        return words.ONLY_ABSENT if question.words("absent") else words.NOTHING_LEFT
    listed = ", ".join(f"“{markdown_text(word)}”" for word in unknown)
    return words.NOTHING_KNOWN.format(words=listed)


def _show_answer(run: Run, question: Question, asked: _Asked) -> None:
    posterior = infer(run.network, question.evidence(closed_world=asked.closed_world))
    for sentence in _remarks(question):
        st.caption(sentence)
    if asked.closed_world and not _n_on(posterior):
        _offer_open_world(run, question)
    picture_column, list_column = page.picture_and_side(side_first=False)
    with picture_column:
        palette = _show_picture(run, posterior, question)
    with list_column:
        topic_card.show_selected(run, posterior, address.get("sel"))
        topic_card.show_on_topics(run, posterior, palette)


def _n_on(posterior: Posterior) -> int:
    return int((posterior.probability > graph_style.ON_THRESHOLD).sum())


def _offer_open_world(run: Run, question: Question) -> None:
    """Few words are little evidence against many absent ones: offer to leave the others open."""
    n_on = _n_on(infer(run.network, question.evidence(closed_world=False)))
    if n_on:
        with st.container(horizontal=True, vertical_alignment="center", key="offer"):
            st.caption(words.offer_open_world(n_on), width="content")
            st.button(
                words.TAKE_OFFER,
                key="take-offer",
                on_click=address.put,
                args=("others", words.UNKNOWN),
            )


def _remarks(question: Question) -> list[str]:
    remarks = []
    unknown = [markdown_text(word) for word in question.words("unknown")]
    if unknown:
        remarks.append(words.unknown_words(unknown))
    if question.contradictory:
        remarks.append(words.contradiction([markdown_text(w) for w in question.contradictory]))
    return remarks


def _show_picture(run: Run, posterior: Posterior, question: Question) -> str:
    """Show the picture, what it leaves out, and the choice of colours, which is answered."""
    place = st.container()
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        remark = st.empty()
        palette = _choice("palette", words.COLOURS, tuple(graph_style.PALETTES))
    look = Look(
        palette=palette,
        hidden=address.get_set("hide", SWITCHES),
        show_quiet=address.get("quiet") == "1",
    )
    picture = query_picture(run, posterior, question.typed, look)
    with place:
        opened = draw_graph(
            picture, key="query-graph", on_click=_react, selected=address.get("sel")
        )
    left_out = words.left_out(picture.left_out_nodes, picture.left_out_edges)
    hint = words.HINT_PICTURE if picture.nodes else words.CANVAS_EMPTY
    remark.caption(f"{left_out} {hint}".strip())
    if is_node(opened):
        navigation.open_in_graph(opened)
    return palette


def _react(clicked: Clicked) -> None:
    """Carry out what was clicked in the picture; the address remembers it."""
    if clicked.switch == "quiet":
        address.put("quiet", "" if address.get("quiet") else "1")
    elif clicked.switch:
        address.toggle("hide", clicked.switch, SWITCHES)
    else:
        is_new = clicked.node != address.get("sel")
        address.put("sel", clicked.node if is_new and is_node(clicked.node) else "")
