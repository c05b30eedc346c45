"""The box of the Query page, the examples under it, and what all other words count as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.graph import style
from orrery.app.query.question import read_question
from orrery.app.session import address, choice, model_facts
from orrery.app.session.model_facts import Suggestion
from orrery.app.text.escaping import markdown_text
from orrery.app.words import comparison as comparison_words
from orrery.app.words import query as words

if TYPE_CHECKING:
    from orrery.core.run import Run

STYLE = """<style>
.st-key-q input, .st-key-q2 input { font-size: 1.3rem; padding: 0.65rem 0.9rem; height: auto; }
.st-key-q [data-testid="stTextInputRootElement"],
.st-key-q2 [data-testid="stTextInputRootElement"] { height: auto; }
</style>"""

# By default words that were not typed are left open: a query is not a whole document.
OTHERS = (words.UNKNOWN, words.ABSENT)
PALETTES = tuple(style.PALETTES)


@dataclass(frozen=True)
class Asked:
    """What was asked: the typed text, that of a second query, and what all other words count as."""

    text: str
    second: str
    closed_world: bool


def read(run: Run) -> Asked:
    """Read the question from the address: the page answers before it draws the boxes."""
    examples = model_facts.examples(run)
    # The first example is asked at once, so that the page opens with a picture.
    text = address.restore("q", examples[0].queries[0] if examples else "")
    second = address.restore("q2", "") if address.has("q2") else ""
    others = address.restore("others", OTHERS[0], OTHERS)
    return Asked(text, second, closed_world=others == words.ABSENT)


def show(run: Run) -> None:
    """Show the boxes, the examples and the switch; call `read` first."""
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="center", key="boxes"):
        text = _box("q", words.BOX, words.HINT)
        _second_box()
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="asking",
    ):
        with st.container(
            horizontal=True, width="content", vertical_alignment="center", key="examples"
        ):
            # Without it they seem to belong to the question above.
            suggestions = _suggestions(run, text)
            if suggestions:
                st.caption(words.EXAMPLES, width="content")
            for number, suggestion in enumerate(suggestions):
                _chip(run, number, suggestion)
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            st.caption(words.OTHERS, help=words.OTHERS_HELP, width="content")
            _choice("others", words.OTHERS, OTHERS)


def _suggestions(run: Run, text: str) -> list[Suggestion]:
    """The examples, preceded by the senses of a word that is the whole question.

    They stay once one of them is asked.
    """
    examples = model_facts.examples(run)
    asked = next(iter(read_question(run, text).typed), None)
    if asked is None or asked.token < 0 or asked.state != "present":
        return examples
    found = model_facts.examples_of_word(run, asked.token)
    taken = {query for example in found for query in example.queries}
    if text.strip() not in {asked.text, *taken}:
        return examples
    others = [example for example in examples if example.word != asked.text or not found]
    return [*found, *others][: max(len(examples), len(found))]


def _box(key: str, label: str, hint: str) -> str:
    return st.text_input(
        label,
        key=key,
        on_change=address.keep,
        args=(key,),
        placeholder=hint,
        label_visibility="collapsed",
    )


def _second_box() -> None:
    """Show the second box if there is one, else the button that opens it."""
    if not address.has("q2"):
        st.button(
            comparison_words.COMPARE,
            key="compare",
            icon=":material/compare_arrows:",
            help=comparison_words.COMPARE_HELP,
            on_click=address.open_empty,
            args=("q2",),
        )
        return
    _box("q2", comparison_words.SECOND_HINT, comparison_words.SECOND_HINT)
    st.button(
        "✕",
        key="close-second",
        type="tertiary",
        help=comparison_words.CLOSE,
        on_click=address.put,
        args=("q2", ""),
    )


def _choice(name: str, label: str, options: tuple[str, ...]) -> None:
    """Draw a switch for a parameter that was read from the address."""
    st.segmented_control(
        label,
        options,
        required=True,
        key=name,
        on_change=address.keep,
        args=(name,),
        label_visibility="collapsed",
        width="content",
    )


def palette() -> str:
    """Palette that the address asks for; the first is the default."""
    return address.restore(choice.PALETTE, PALETTES[0], PALETTES)


def choose_palette() -> None:
    """Draw the choice of colours; call `palette` first."""
    _choice(choice.PALETTE, words.COLOURS, PALETTES)


def _chip(run: Run, number: int, example: Suggestion) -> None:
    """One example; for a word with two senses both are compared, side by side."""
    senses = words.senses([markdown_text(run.topic_labels[topic]) for topic in example.topics])
    label = f"*{markdown_text(example.word)}*: {senses}"
    st.button(label, key=f"example-{number}", on_click=_ask, args=(example,))


def _ask(example: Suggestion) -> None:
    first, *others = example.queries
    address.put_all(q=first, q2="".join(others), sel="", hold="")
