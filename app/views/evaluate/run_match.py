"""Topics of other models in this one: which became which, and names carried over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from ....core.evaluation.run_matching import RunMatch, match_runs
from ....core.model.topic_model import Run
from ....core.utils.errors import InputError
from ...shared import topic_changes
from ...shell import loaders, memory, page
from ...shell import strings as shell_strings
from ...shell.loaders import AS_STORED
from ...text.safe_text import markdown_text
from ...workspace.carrying import Carried, carry_over
from ...workspace.catalog import Place
from . import strings

MAX_OPEN = 8
TABLE_HEIGHT = 420
# Results of carrying over, by the names of both models.
CARRIED = "carried-over"


def show(run: Run, others: Sequence[Place]) -> None:
    """Draw a table for each other model, and the button that carries its names over."""
    if not others:
        return
    st.subheader(strings.MATCH, anchor=False, help=strings.MATCH_HELP)
    for place in others:
        try:
            first = loaders.open_run(place.folder)
            # The overlays of both runs may have changed since the match was cached.
            match = replace(_match(first, run), first=first, other=run)
        except InputError as error:
            st.caption(markdown_text(f"{place.name}: {shell_strings.failure(error)}"))
            continue
        _show_match(match, place)


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def _match(first: Run, other: Run) -> RunMatch:
    return match_runs(first, other)


def match_table(match: RunMatch) -> pd.DataFrame:
    """Topics of the first run and of the other: matched, then gone, then new."""
    first, other, topics = match.first, match.other, match.topics
    pairs = sorted(match.displayed.items(), key=lambda pair: -topics.correlation[pair[0]])
    rows: list[tuple[str, str, float | None]] = [
        (
            first.topic_labels[topic],
            other.topic_labels[partner],
            float(topics.correlation[topic]),
        )
        for topic, partner in pairs
    ]
    rows += [(first.topic_labels[topic], strings.GONE_TOPIC, None) for topic in match.gone]
    rows += [(strings.NEW_TOPIC, other.topic_labels[topic], None) for topic in match.new]
    columns = [strings.BEFORE, strings.AFTER, strings.CORRELATION]
    return pd.DataFrame(rows, columns=columns)


def _show_match(match: RunMatch, place: Place) -> None:
    """Draw the topics of one other model beside the topics of the page's model."""
    table = match_table(match)
    with st.expander(markdown_text(strings.matched(place.name, match)), key=f"match-{place.name}"):
        st.dataframe(table, hide_index=True, key=f"match-topics-{place.name}", width="stretch",
                     height="content" if len(table) < 12 else TABLE_HEIGHT,
                     column_config={strings.CORRELATION: st.column_config.NumberColumn(
                         format="%.2f")})  # fmt: skip
        if not topic_changes.is_fixed():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    strings.CARRY,
                    key=f"carry-{place.name}",
                    help=strings.CARRY_HELP,
                    on_click=_carry,
                    args=(match, place),
                )
        result = memory.recall(CARRIED, {}).get((place.name, match.other.folder.name))
        if isinstance(result, Carried):
            _show_carried(result)
        elif result is not None:
            page.show_error(result)


def _carry(match: RunMatch, place: Place) -> None:
    try:
        result: Carried | str = carry_over(match)
    except page.FAILURES as error:
        result = shell_strings.failure(error)
    key = place.name, match.other.folder.name
    memory.remember(CARRIED, memory.recall(CARRIED, {}) | {key: result})


def _show_carried(result: Carried) -> None:
    st.markdown(markdown_text(strings.carried(len(result.edits), len(result.stories))))
    if result.left:
        st.caption(strings.NOT_CARRIED)
        table = pd.DataFrame(result.left, columns=strings.LEFT_COLUMNS)
        st.dataframe(table, hide_index=True, key="not-carried", width="stretch", height="content")
