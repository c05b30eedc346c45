"""The box of the Query page, the examples under it, and what all other words count as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from app import address, described
from app.plain import markdown_text
from app.words import query as words

if TYPE_CHECKING:
    from core.storage import Run

STYLE = """<style>
.st-key-q input { font-size: 1.3rem; padding: 0.65rem 0.9rem; height: auto; }
.st-key-q [data-testid="stTextInputRootElement"] { height: auto; }
</style>"""


@dataclass(frozen=True)
class Asked:
    """What was asked: the typed text, and what all other words count as."""

    text: str
    closed_world: bool


def show(run: Run) -> Asked:
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
            others = choice("others", words.OTHERS, (words.UNKNOWN, words.ABSENT))
    return Asked(text, closed_world=others == words.ABSENT)


def choice(name: str, label: str, options: tuple[str, ...]) -> str:
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
    for parameter in ("sel", "hold"):
        address.put(parameter, "")
