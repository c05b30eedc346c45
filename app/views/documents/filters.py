"""Search box and filters of the Documents page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.model.topic_model import Run
from ....core.storage.activations import Activations
from ....core.utils.errors import InputError
from ...shared import cached_facts
from ...shared import strings as shared_strings
from ...shared.listing import (
    GROUP_PARAMETERS,
    UNSURE,
    UNSURE_NAME,
    WITHOUT_TOPIC,
    WITHOUT_TOPIC_NAME,
    Choice,
    as_step,
    choice_at,
    count_documents,
    documents_with_topic,
    read_years,
    topic_chosen,
)
from ...shared.topic_facts import on_table
from ...shell import address, memory, page
from ...text.safe_text import markdown_text
from ...workspace.catalog import Place
from ...workspace.facets import Facets
from . import strings

FILTERS = ("on", "label", "years", *GROUP_PARAMETERS)


@dataclass(frozen=True)
class OpenCorpus:
    """A corpus with the data that its documents can be filtered by.

    ``run`` is None unless it has the same vocabulary; ``missing`` is the reason why documents
    cannot be filtered by topic.
    """

    place: Place
    corpus: Corpus
    facets: Facets
    run: Run | None
    activations: Activations | None
    missing: str


def search_box() -> str:
    """Draw the search box and return its text."""
    address.restore("find", "")
    return st.text_input(
        strings.BOX,
        key="find",
        placeholder=strings.HINT,
        on_change=address.keep_from_start,
        args=("find",),
    )


def filters(opened: OpenCorpus) -> Choice:
    """Draw the filters that the corpus allows, and return the choice."""
    topic = _topic_filter(opened)
    labels = _label_filter(opened.facets)
    years: tuple[int, ...] = ()
    if opened.facets.years:
        years = _years_filter(opened.facets.date_name, *opened.facets.years)
    group = _group_filter(opened)
    if any(address.get(name) for name in ("find", *FILTERS)):
        cleared = dict.fromkeys(("find", *FILTERS, "page"), "")
        st.button(
            strings.CLEAR, key="clear", type="tertiary", on_click=address.put_all, kwargs=cleared
        )
    return Choice(topic=topic, labels=labels, years=years, group=group)


def filters_of_address(opened: OpenCorpus) -> Choice:
    """Choice that the address keeps, without drawing anything; for the list of an open document."""
    read = partial(cached_facts.grouping, opened.place.folder, opened.corpus)
    return choice_at(address.everything(), opened.facets, opened.run, opened.activations, read)


def _label_filter(facets: Facets) -> tuple[str, ...]:
    """Draw the choice of labels and return them; documents have one of them, or any if empty."""
    if facets.n_labels > 1 and not facets.labels:
        st.caption(strings.TOO_MANY_LABELS.format(labels=facets.n_labels))
        return ()
    if not facets.labels:
        return ()
    chosen = address.restore_list("label", facets.labels)
    st.multiselect(
        markdown_text(facets.label_name) or strings.LABEL,
        facets.labels,
        key="label",
        placeholder=strings.ANY,
        on_change=address.keep_list,
        args=("label",),
    )
    return tuple(chosen)


def _topic_filter(opened: OpenCorpus) -> int:
    """Draw the choice of a topic that is on in some document; return its number, -1 for any.

    The topic of a link is among the choices, also if it is hidden or on in no document.
    """
    if opened.run is None or opened.activations is None:
        st.caption(opened.missing)
        return -1
    run, on = opened.run, on_table(opened.run, opened.activations)
    counts = documents_with_topic(on)
    offered = set(np.flatnonzero(counts).tolist())
    requested = topic_chosen(run, address.get("on"))
    if requested >= 0:
        # For a topic that is shown as part of another one, `topic_named` returns the other one.
        address.put("on", run.network.graph.topic_ids[requested])
        offered.add(requested)
    order = sorted(offered, key=lambda topic: (-counts[topic], topic))
    order.sort(key=lambda topic: topic in run.unclear_topics)
    listed = [topic for topic in order if topic == requested or topic not in run.hidden_topics]
    number = {run.network.graph.topic_ids[topic]: topic for topic in listed}
    counted = count_documents(run, opened.activations, on)
    others = {
        UNSURE: (UNSURE_NAME, strings.UNSURE, counted.unsure),
        WITHOUT_TOPIC: (WITHOUT_TOPIC_NAME, strings.WITHOUT_TOPIC, counted.without),
    }
    for topic, (name, _, documents) in others.items():
        if documents or topic == requested:
            number.setdefault(name, topic)
    options = ("", *number)
    chosen = address.restore("on", "", options)

    def described(name: str) -> str:
        if not name:
            return strings.ANY
        topic = number[name]
        if topic in others:
            _, title, documents = others[topic]
            return shared_strings.OPTION.format(name=title, documents=documents)
        return shared_strings.OPTION.format(
            name=run.topic_labels[topic], documents=int(counts[topic])
        )

    st.selectbox(
        strings.TOPIC,
        options,
        key="on",
        format_func=described,
        on_change=address.keep_from_start,
        args=("on",),
        help=strings.TOPIC_HELP,
    )
    st.caption(shared_strings.documents_by_topics(counted))
    known, total = len(opened.activations.rows), opened.corpus.n_documents
    if known < total:
        st.caption(shared_strings.KNOWN_ONLY.format(known=known, total=total, rows="documents"))
    return number.get(chosen, -1)


def _group_filter(opened: OpenCorpus) -> npt.NDArray[np.bool_] | None:
    """Mask of the documents in the group that a link from the Groups page selects, if any."""
    column, step, name = (address.get(parameter) for parameter in GROUP_PARAMETERS)
    if not name:
        return None
    try:
        grouping = cached_facts.grouping(opened.place.folder, opened.corpus, column, as_step(step))
    except InputError as error:
        page.show_error(str(error))
        return None
    title = markdown_text(opened.corpus.recipe.column_title(column))
    st.caption(strings.IN_GROUP.format(column=title, name=markdown_text(name)))
    cleared = dict.fromkeys((*GROUP_PARAMETERS, "page"), "")
    st.button(strings.ANY_GROUP, key="any-group", type="tertiary",
              on_click=address.put_all, kwargs=cleared)  # fmt: skip
    return grouping.has(name)


def _years_filter(name: str, first: int, last: int) -> tuple[int, ...]:
    years = read_years(address.get("years"), first, last)
    if memory.recall("years") != years:
        memory.remember("years", years)
    label = markdown_text(name) or strings.YEARS
    st.slider(label, first, last, key="years", format="%d", on_change=_keep_years,
              args=(first, last))  # fmt: skip
    return () if years == (first, last) else years


def _keep_years(first: int, last: int) -> None:
    chosen = memory.recall("years")
    years = "" if chosen == (first, last) else f"{chosen[0]}-{chosen[1]}"
    address.put_all(years=years, page="")
