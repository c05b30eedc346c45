"""Names from a spreadsheet or a language model, which are read back as drafts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from ....core.model.topic_model import Run
from ....core.naming.language_model import Answer, prompt_parts, read_answer
from ....core.naming.table import TopicRow, names_csv, read_names_csv
from ....core.storage.activations import Activations
from ...components.buttons import copy_button
from ...shared import cached_facts
from ...shared import strings as shared_strings
from ...shell import choice, memory, page
from ...text.safe_text import file_name
from . import drafts, strings

FILE, ANSWER, UNDERSTOOD = "names-file", "names-answer", "names-understood"
ANSWER_HEIGHT, PROMPT_HEIGHT = 190, 220
# Lines that were not understood: number shown, and characters of each.
MAX_MISSES, MAX_CHARACTERS = 200, 200


def spreadsheet(run: Run, all_rows: Callable[[], list[TopicRow]], *, is_fixed: bool) -> None:
    """Download the table as CSV, and upload it after editing."""
    opened = st.expander(strings.SPREADSHEET, key="in-a-spreadsheet", on_change="rerun")
    if not opened.open:
        return
    with opened:
        sentence = run.terms.translated(strings.SPREADSHEET_SENTENCE)
        st.caption(sentence, help=strings.SPREADSHEET_HELP)
        st.download_button(
            strings.SAVE_TABLE,
            lambda: names_csv(all_rows()),
            file_name=f"{file_name(choice.model_name(run), 'names')}.csv",
            mime="text/csv",
            key="names-out",
            on_click="ignore",
            width="content",
        )
        key = f"{FILE}-{drafts.table_round()}"
        st.file_uploader(
            strings.BRING_BACK,
            type=["csv", "tsv"],
            key=key,
            on_change=_read_file,
            args=(run, key),
            disabled=is_fixed,
        )


def _read_file(run: Run, key: str) -> None:
    given = memory.recall(key)
    if given is None:
        return
    try:
        changes = read_names_csv(given.name, given.getvalue(), run.network.graph.topic_ids)
        drafts.add(run, changes)
    except page.FAILURES as error:
        drafts.refuse(error)
    drafts.begin_anew()


def language_model(
    run: Run, topics: Sequence[int], stored: Activations | None, *, is_fixed: bool
) -> None:
    """Show a prompt about the topics of the table, and a box for the answer."""
    opened = st.expander(strings.MODEL, key="by-a-model", on_change="rerun")
    if not opened.open:
        return
    with opened:
        has_texts = run.has_texts
        quoted = f" {strings.QUOTED}" if has_texts else ""
        st.caption(f"{strings.MODEL_SENTENCE}{quoted}")
        left, right = st.columns(2, gap="large")
        with left:
            _show_prompt(run, topics, stored)
        with right:
            _show_answer(run, is_fixed=is_fixed)


def _show_prompt(run: Run, topics: Sequence[int], stored: Activations | None) -> None:
    parts = prompt_parts(topics)
    if not parts:
        st.caption(run.terms.translated(shared_strings.NOTHING))
        return
    number = 0
    if len(parts) > 1:
        number = st.selectbox(
            run.terms.translated(strings.PART),
            range(len(parts)),
            format_func=lambda part: run.terms.translated(
                strings.part(part + 1, len(parts), len(parts[part]))
            ),
            key=f"names-part-{len(parts)}",
        )
    prompt = cached_facts.naming_prompt(run, parts[number], stored)
    copy_button(
        strings.COPY,
        prompt,
        done=run.terms.translated(strings.copied(len(parts[number]))),
        failed=strings.NOT_COPIED,
        key="copy-prompt",
    )
    st.code(prompt, language=None, wrap_lines=True, height=PROMPT_HEIGHT)


def _show_answer(run: Run, *, is_fixed: bool) -> None:
    st.text_area(
        strings.ANSWER,
        key=ANSWER,
        height=ANSWER_HEIGHT,
        placeholder=strings.ANSWER_HINT,
        help=strings.ANSWER_HELP,
        disabled=is_fixed,
    )
    st.button(strings.READ, key="read-names", on_click=_read_answer, args=(run,), disabled=is_fixed)
    understood: tuple[str, int, Answer] | None = memory.recall(UNDERSTOOD)
    if understood is None or understood[0] != str(run.folder):
        return
    _, found, answer = understood
    st.caption(strings.read(found, len(answer.misses)))
    if not answer.misses:
        return
    shown = answer.misses[:MAX_MISSES]
    misses = pd.DataFrame(
        {
            strings.LINE: pd.array([miss.line or None for miss in shown], dtype="Int64"),
            strings.TEXT: [miss.text[:MAX_CHARACTERS] for miss in shown],
            strings.WHY: [miss.reason for miss in shown],
        }
    )
    st.dataframe(misses, hide_index=True, key="names-missed")


def _read_answer(run: Run) -> None:
    answer = read_answer(memory.recall(ANSWER, ""), run.network.graph.topic_ids)
    found = drafts.add(run, {topic: {"name": name} for topic, name in answer.names.items()})
    memory.remember(UNDERSTOOD, (str(run.folder), found, answer))
    drafts.begin_anew()
