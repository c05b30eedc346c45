"""The query boxes with examples and options, and clicks in the picture of an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from ...core.data.stop_words import english_stop_words
from ...core.drawing import explorer_strings, style
from ...core.drawing.local_model import Look
from ...core.drawing.question import is_whole_text, read_question
from ...core.model.topic_model import Run
from ..components.buttons import complete_queries
from ..components.graph_component import Clicked
from ..shell import address, choice, memory, page
from ..text.safe_text import markdown_text
from . import cached_facts, topic_card
from . import strings as shared_strings
from .cached_facts import Suggestion

# How the query is read: the value in the URL, and its name on the page.
OTHERS = {
    explorer_strings.UNKNOWN: explorer_strings.FEW_WORDS,
    explorer_strings.ABSENT: explorer_strings.WHOLE_TEXT,
}
# Whether the page was open in this session, and whether it is open again with a comparison. A new
# first query is then no part of the old comparison.
SEEN, RETURNED = "query-seen", "query-returned"
# Session value: the model and the query of the example that was clicked, and all that were offered.
OFFERED = "examples-offered"
PALETTES = {name: name for name in style.PALETTES}


@dataclass(frozen=True)
class TypedQuery:
    """The text of one query or two, and whether all other words count as absent.

    ``closed_world`` is None unless a person chose it: then each text decides.
    """

    text: str
    second: str
    closed_world: bool | None


def read(run: Run) -> TypedQuery:
    """Read the question from the URL, before the boxes are drawn."""
    if address.has("q2") and memory.recall(SEEN) and memory.recall("q") is None:
        memory.remember(RETURNED, True)
    memory.remember(SEEN, True)
    examples = cached_facts.examples(run)
    # By default the first example is answered, so that the page opens with a picture.
    text = address.restore("q", examples[0].queries[0] if examples else "")
    second = address.restore("q2", "") if address.has("q2") else ""
    chosen = address.get("others")
    closed_world = chosen == explorer_strings.ABSENT if chosen in OTHERS else None
    return TypedQuery(text, second, closed_world)


def show(run: Run) -> None:
    """Draw the boxes, the examples and the options; call `read` first."""
    with st.container(horizontal=True, vertical_alignment="center", key="boxes"):
        translated = run.terms.translated
        hint = explorer_strings.query_hint(run.terms, run.vocabulary)
        text = _box(run, "q", translated(explorer_strings.BOX), hint)
        _second_box(run)
    complete_queries(cached_facts.completions(run))
    with page.spread_row("asking"):
        with st.container(
            horizontal=True, width="content", vertical_alignment="center", key="examples"
        ):
            # Without this caption the examples seem to belong to the question above.
            suggestions = _suggestions(run, text)
            if suggestions:
                st.caption(shared_strings.EXAMPLES, width="content")
            for number in range(len(suggestions)):
                _chip(run, number, suggestions)
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            explained = (
                shared_strings.OTHERS_HELP
                if run.has_texts
                else run.terms.translated(shared_strings.OTHERS_HELP_WITHOUT_TEXTS)
            )
            st.caption(explorer_strings.OTHERS, help=explained, width="content")
            _choose_reading(run, text)


def _choose_reading(run: Run, text: str) -> None:
    """Draw the choice between a few words and a whole text; a click on the default removes it.

    So the next text decides again for itself. Two queries may have different defaults, so each
    choice is written then.
    """
    default = explorer_strings.ABSENT if is_whole_text(run, text) else explorer_strings.UNKNOWN

    def keep(name: str) -> None:
        chosen = memory.recall(name)
        is_default = chosen == default and not address.has("q2")
        address.put(name, "" if chosen is None or is_default else str(chosen))

    whole = explorer_strings.read_as_whole(has_texts=run.has_texts)
    options = run.terms.in_all(OTHERS | {explorer_strings.ABSENT: whole})
    page.choose(
        "others", explorer_strings.OTHERS, options, default, on_change=keep, is_labelled=False
    )


def _suggestions(run: Run, text: str) -> list[Suggestion]:
    """Examples, preceded by the senses of a word that is the whole question.

    They remain, in their order, after a click on one: else the next click at this place would be on
    another one.
    """
    clicked, offered = memory.recall(OFFERED, ("", []))
    if clicked and clicked == (str(run.folder), text):
        kept: list[Suggestion] = offered
        return kept
    examples = cached_facts.examples(run)
    typed = next(iter(read_question(run, text).typed), None)
    if typed is None or typed.token < 0 or typed.state != "present":
        return examples
    found = cached_facts.examples_of_word(run, typed.token)
    taken = {query for example in found for query in example.queries}
    if text.strip() not in {typed.text, *taken}:
        return examples
    others = [example for example in examples if example.word != typed.text or not found]
    return [*found, *others][: max(len(examples), len(found))]


def _box(run: Run, key: str, label: str, hint: str) -> str:
    return st.text_input(
        label,
        key=key,
        on_change=_keep_text,
        args=(run, key),
        placeholder=hint,
        label_visibility="collapsed",
    )


def _keep_text(run: Run, key: str) -> None:
    """Write a changed text into the URL; a text of the other kind decides how it is read.

    Otherwise the choice for a whole text would also apply to a few words. What was selected in the
    picture of the query before is not selected in that of a new one. A first query without a word
    of the one before frees the clamped topics; after a return to the page, it ends the comparison.
    """
    before = address.get(key)
    address.keep(key)
    is_new = key == "q" and not _words(before) & _words(address.get(key))
    if is_new:
        address.put("hold", "")
        if memory.recall(RETURNED):
            address.put("q2", "")
    memory.forget(RETURNED)
    address.put("sel", "")
    if is_whole_text(run, before) != is_whole_text(run, address.get(key)):
        address.put("others", "")


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower())).difference(english_stop_words())


def _second_box(run: Run) -> None:
    """Draw the second box if it is open, else the button that opens it."""
    if not address.has("q2"):
        st.button(
            explorer_strings.COMPARE,
            key="compare",
            icon=":material/compare_arrows:",
            help=explorer_strings.COMPARE_HELP,
            on_click=address.open_empty,
            args=("q2",),
        )
        return
    hint = run.terms.translated(explorer_strings.SECOND_HINT)
    _box(run, "q2", hint, hint)
    st.button(
        "✕",
        key="close-second",
        type="tertiary",
        help=explorer_strings.COMPARISON_CLOSE,
        on_click=address.put,
        args=("q2", ""),
    )


def palette() -> str:
    """Palette in the URL, by default the first."""
    return address.restore(choice.PALETTE, next(iter(PALETTES)), list(PALETTES))


def choose_palette() -> None:
    """Draw the choice of colours; call `palette` first."""
    page.choose(choice.PALETTE, shared_strings.QUERY_COLOURS, PALETTES, is_labelled=False)


def _chip(run: Run, number: int, offered: list[Suggestion]) -> None:
    """Draw one of the examples; for a word with two senses, both are compared side by side."""
    example = offered[number]
    names = [markdown_text(run.topic_labels[topic]) for topic in example.topics]
    word = markdown_text(example.word)
    st.button(
        f"*{word}*: {shared_strings.senses(word, names)}",
        key=f"example-{number}",
        help=" / ".join(names),
        on_click=_ask,
        args=(run, example, offered),
    )


def _ask(run: Run, example: Suggestion, offered: list[Suggestion]) -> None:
    first, *others = example.queries
    memory.remember(OFFERED, ((str(run.folder), first), offered))
    address.put_all(q=first, q2="".join(others), sel="", hold="", others="")


_SWITCHES = frozenset({"on", "unsure", "off", "words"})
_NOTHING: frozenset[str] = frozenset()


def look(hidden_at_first: frozenset[str] = _NOTHING) -> Look:
    """Read what the picture shows; call it before the choice of colours is drawn."""
    return Look(
        palette=palette(),
        hidden=hidden_at_first ^ address.get_set("hide", _SWITCHES),
        show_quiet=address.get("quiet") == "1",
    )


def react(clicked: Clicked) -> None:
    """Write a click into the URL: on an entry of the legend, or on a node."""
    if clicked.switch == "quiet":
        address.put("quiet", "" if address.get("quiet") else "1")
    elif clicked.switch:
        address.toggle("hide", clicked.switch, _SWITCHES)
    else:
        topic_card.select(clicked.node)
