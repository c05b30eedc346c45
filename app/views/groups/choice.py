"""Choices of the Groups page (column, periods, view, groups), links of clicks, and saved files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.data.groups import BY_DOCUMENT, left_out
from ....core.data.recipe import Recipe
from ....core.drawing.links import node_key
from ....core.evaluation.group_topics import GroupTopics
from ....core.model.topic_model import Run
from ....core.utils.parsing import csv_bytes
from ...charts import strings as chart_strings
from ...charts.groups import CELL, NAME
from ...charts.theme import specification
from ...shared import strings as shared_strings
from ...shared.groups import MAX_GROUPS, Compared, exported_table, groups_of_map, pictured
from ...shared.listing import group_address
from ...shell import address, choice, memory, page, resources
from ...shell.kept import WIDE
from ...text.safe_text import file_name
from . import strings

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Shown:
    """Data of the page, and the links of clicks in its charts."""

    run: Run
    corpus: Corpus
    found: GroupTopics

    def draw(self, chart: alt.LayerChart, key: str, description: str, *, has_names: bool) -> None:
        """Draw a chart; a click on a cell opens its documents, on a name its topic."""
        event: Any = st.vega_lite_chart(
            specification(chart),
            key=key,
            on_select="rerun",
            selection_mode=(CELL, NAME) if has_names else CELL,
            alt=description,
        )
        chosen = event.selection if event else {}
        for cell in chosen.get(CELL) or ():
            # The row with the sizes of the groups has no topic.
            if cell.get("group") is not None and cell.get("id") is not None:
                self.open(str(cell["id"]), str(cell["group"]))
        for name in chosen.get(NAME) or ():
            topic = self.run.network.graph.topic_number[str(name["id"])]
            page.open_in_graph(node_key(self.run, topic))

    def open(self, topic: str, group: str) -> None:
        """Open the documents of a topic in a group."""
        facets = resources.facets(self.run.corpus_path, self.corpus)
        grouping = self.found.grouping
        page.open_documents(on=topic, **group_address(facets, grouping, group))


def choose(recipe: Recipe, name: str, default: str, options: Sequence[str]) -> str:
    """Draw the choice of the column or, for dates, of the periods."""
    if name != "by":
        names = {step: strings.STEPS[step] for step in options}
        return page.choose(name, strings.STEP, names, default, on_change=_regroup)
    chosen = address.restore(name, default, options)
    st.selectbox(
        strings.BY,
        options,
        key=name,
        format_func=recipe.column_title,
        on_change=_regroup,
        args=(name,),
        width=260,
    )
    return chosen


def _regroup(name: str) -> None:
    """Store a column or period, and forget the chosen groups, which it may not have."""
    gone = dict.fromkeys(("group", "other", *(["periods"] if name == "by" else [])), "")
    address.put_all(**(gone | {name: str(memory.recall(name) or "")}), shown="")


def choose_shown(found: GroupTopics) -> list[int]:
    """Groups of the heat map: all, or if there are too many, the largest or a choice."""
    names, documents = found.grouping.names, found.counts.documents[:, 0]
    filled = np.flatnonzero(documents).tolist()
    if len(filled) <= MAX_GROUPS or found.grouping.is_time:
        return groups_of_map(found, ())
    place = {names[group]: group for group in filled}
    requested = address.restore_list("shown", place, MAX_GROUPS)
    st.multiselect(
        strings.GROUPS,
        list(place),
        key="shown",
        placeholder=strings.GROUPS_HINT,
        max_selections=MAX_GROUPS,
        format_func=lambda name: shared_strings.OPTION.format(
            name=name, documents=int(documents[place[name]])
        ),
        on_change=address.keep_list,
        args=("shown",),
        width=420,
    )
    return groups_of_map(found, requested)


def choose_group(shown: Shown, view: str, key: str, default: int) -> int:
    """Draw the choice of one group, and return its number."""
    names, documents = shown.found.grouping.names, shown.found.counts.documents[:, 0]
    place = {name: group for group, name in enumerate(names)}
    label = chart_strings.PERIOD if view == "new" else chart_strings.GROUP
    chosen = address.restore(key, names[default], names)
    st.selectbox(
        chart_strings.OTHER if key == "other" else label,
        names,
        key=key,
        format_func=lambda name: shared_strings.OPTION.format(
            name=name, documents=int(documents[place[name]])
        ),
        on_change=address.keep,
        args=(key,),
        width=300,
    )
    return place[chosen]


def show_foot(shown: Shown, view: str, compared: Compared | None) -> None:
    """Draw the numbers of groups, topics and documents, and the buttons that save files.

    ``compared`` is None in a view of all groups.
    """
    found = shown.found
    counts = strings.counts(len(found.grouping.names), len(found.topics), found.n_documents)
    caption = f"{counts} {strings.SEVERAL}"
    if found.grouping.whole is not None:
        caption = f"{caption} {BY_DOCUMENT}"
    stored = resources.activations(shown.run.folder)
    if stored is not None and len(stored.rows) < shown.corpus.n_documents:
        known, total = len(stored.rows), shown.corpus.n_documents
        some = shared_strings.KNOWN_ONLY.format(known=known, total=total, rows=found.grouping.rows)
        caption = f"{caption} {some}"
    caption = f"{caption} {left_out(found.grouping)}".strip()
    shown_at = address.everything()
    column = shown.corpus.recipe.column_title(found.grouping.column)

    def table() -> pd.DataFrame:
        return exported_table(shown.run, found, column, compared)

    files: dict[str, tuple[str, str, Callable[[], bytes]]] = {
        "csv": (strings.CSV, "text/csv", lambda: csv_bytes(table())),
        # The picture of the whole view, as stored with a story.
        "svg": (
            strings.SVG,
            "image/svg+xml",
            lambda: pictured(shown.run, shown.found, shown_at)[2](WIDE).encode(),
        ),
    }
    name = file_name(choice.model_name(shown.run), column, view)
    with st.container(horizontal=True, vertical_alignment="center", key="groups-foot"):
        for ending, (label, mime, made) in files.items():
            st.download_button(
                label,
                made,
                file_name=f"{name}.{ending}",
                mime=mime,
                key=f"groups-{ending}",
                on_click="ignore",
                width="content",
            )
        st.caption(caption)
