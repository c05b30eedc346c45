"""Other systems beside ours on the Evaluate page: what to compare, a bar, the table, the topics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from orrery.app.evaluation import comparison_jobs
from orrery.app.evaluation.comparison_jobs import Comparing
from orrery.app.evaluation.comparison_tables import comparison_table, topics_table
from orrery.app.frame import page
from orrery.app.session import memory
from orrery.app.text.escaping import markdown_text
from orrery.app.words import common
from orrery.app.words import systems as words
from orrery.app.workspace import catalog
from orrery.core.read_only import is_read_only

POLL_SECONDS = 1.0
REFUSED = "systems-refused"
CHOSEN, COUNT = "systems-chosen", "systems-topics"
DEFAULT_SYSTEMS, DEFAULT_TOPICS = ["orrery", "lda", "bernoulli-lda"], 20
MOST_SYSTEMS, MOST_TOPICS = 6, 200
TOPICS_HEIGHT = 420


def show(corpus: Path) -> None:
    """Draw the section of the corpus in a folder."""
    comparing = comparison_jobs.read_comparing(catalog.workspace(), corpus)
    st.subheader(words.TITLE, anchor=False, help=words.HELP)
    for refusal in memory.recall(REFUSED, ()):
        page.show_error(refusal)
    memory.forget(REFUSED)
    if comparing.state == "failed":
        page.show_error(words.failed(comparing.message))
    if comparing.state == "going":
        st.fragment(_wait, run_every=POLL_SECONDS)(corpus)
    elif not is_read_only():
        _choose(corpus, comparing)
    elif comparing.figures is None:
        st.caption(words.NOT_HERE)
    if comparing.figures is not None:
        _table(comparing.figures)
        _topics(comparing.figures)


def _choose(corpus: Path, comparing: Comparing) -> None:
    offered = comparison_jobs.offered()
    if memory.recall(CHOSEN) is None:
        before = [name for name in comparing.systems if name in offered]
        memory.remember(CHOSEN, before or DEFAULT_SYSTEMS)
    if memory.recall(COUNT) is None:
        memory.remember(COUNT, min(max(comparing.topics or DEFAULT_TOPICS, 1), MOST_TOPICS))
    with st.container(horizontal=True, vertical_alignment="bottom", key="systems-form"):
        st.multiselect(
            words.CHOOSE, list(offered), key=CHOSEN, format_func=offered.__getitem__,
            placeholder=words.CHOOSE_HINT, max_selections=MOST_SYSTEMS, width="stretch",
        )  # fmt: skip
        st.number_input(
            words.TOPICS, 1, MOST_TOPICS, key=COUNT, help=words.TOPICS_HELP, width=140,
        )  # fmt: skip
        st.button(
            words.AGAIN if comparing.figures else words.BEGIN,
            key="evaluate-systems",
            on_click=_begin,
            args=(corpus,),
        )


def _begin(corpus: Path) -> None:
    systems = list(memory.recall(CHOSEN, ()))
    if len(systems) < 2:
        memory.remember(REFUSED, (words.TOO_FEW,))
        return
    try:
        topics = int(memory.recall(COUNT, DEFAULT_TOPICS))
        comparison_jobs.begin(catalog.workspace(), corpus, systems, topics)
    except page.FAILURES as error:
        memory.remember(REFUSED, (common.failure(error),))


def _wait(corpus: Path) -> None:
    """Look how far it is."""
    with page.failures_shown():
        _draw_wait(corpus)


def _draw_wait(corpus: Path) -> None:
    comparing = comparison_jobs.read_comparing(catalog.workspace(), corpus)
    if comparing.state != "going":
        st.rerun()
    titles = comparison_jobs.offered()
    name, systems = comparing.system, comparing.systems
    place = systems.index(name) if name in systems else 0
    said = words.going(titles.get(name, name), place + 1, len(systems))
    with st.container(horizontal=True, vertical_alignment="center", key="systems-watch"):
        st.progress(comparing.share_of_all, markdown_text(said), width=520)
        if not is_read_only():
            st.button(words.STOP, key="systems-stop", on_click=comparison_jobs.stop,
                      args=(catalog.workspace(), corpus))  # fmt: skip


def _table(figures: dict[str, Any]) -> None:
    table = comparison_table(figures)
    columns = {
        words.COLUMNS[key]: st.column_config.TextColumn(
            alignment="right", help=words.COLUMN_HELP.get(key)
        )
        for key in words.COLUMNS
    }
    st.dataframe(table, hide_index=True, key="systems-table", column_config=columns,
                 width="content", height="content")  # fmt: skip
    said = [words.documents(figures["train"], figures["held_out"])]
    said += [words.measure(row["title"], row["measure"]) for row in figures["systems"]]
    st.caption("  \n".join(map(markdown_text, said)))


def _topics(figures: dict[str, Any]) -> None:
    st.markdown(f"**{words.ALIKE}**", help=words.ALIKE_HELP)
    table = topics_table(figures)
    st.dataframe(table, hide_index=True, key="systems-topics-table", width="stretch",
                 height="content" if len(table) < 12 else TOPICS_HEIGHT)  # fmt: skip
