"""What a person types to guide a graph of topics: read, checked, summed up (no streamlit).

The form in which a person guides the graph; errors are shown while they type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ....core.model.graph import TOPIC_PREFIX
from ....core.structure.guidance import Guidance, check_guidance, guidance_from_values, spelled
from ....core.structure.layers import topic_names
from ....core.utils.errors import InputError
from ...shell import loaders, page
from ...text.escaping import markdown_text
from ...workspace.catalog import Place
from . import strings

FIELDS = ("seeds", "must_link", "cannot_link", "frozen", "forbidden")


@dataclass(frozen=True)
class Names:
    """What rules may name.

    Attributes
    ----------
    words : mapping of str to int
        The vocabulary.
    topics : collection of str, or None
        Ids that the proposed graph will have; None where that is not known before.
    """

    words: Mapping[str, int]
    topics: Collection[str] | None


def read_fields(typed: Mapping[str, str], names: Names) -> Guidance | None:
    """Guidance read from the texts of the form, one rule per line; None if all are empty.

    Raises
    ------
    InputError
        If a line is not of its form, a word or topic does not exist, or rules contradict each
        other; the rule is named.
    """
    values: dict[str, Any] = {}
    for field, read in READERS.items():
        rows = [read(line) for line in _lines(typed.get(field, ""))]
        if rows:
            values[field] = rows
    if not values:
        return None
    values["seeds"] = _table(values.get("seeds", []))
    guidance = guidance_from_values(values)
    in_vocabulary = spelled(guidance, names.words)
    check_guidance(in_vocabulary)
    _check_topics(in_vocabulary, names)
    return guidance


def summary(guidance: Guidance) -> str:
    """Say in one sentence what is asked for."""
    return strings.summary({field: len(getattr(guidance, field)) for field in FIELDS})


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())


def _seed(line: str) -> tuple[str, list[str]]:
    name, colon, listed = line.partition(":")
    if not colon or not name.strip():
        raise InputError(strings.bad_line(line, strings.EXAMPLES["seeds"]))
    return name.strip(), _listed(listed)


def _table(seeds: list[tuple[str, list[str]]]) -> dict[str, list[str]]:
    names = [name for name, _ in seeds]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"seeds names the topic {name!r} in two lines; make them one")
    return dict(seeds)


def _listed(line: str) -> list[str]:
    return [part.strip() for part in line.split(",") if part.strip()]


def _edge(line: str) -> list[str]:
    ends = [end.strip() for end in re.split(r"->|→|>", line)]
    if len(ends) != 2 or not all(ends):
        raise InputError(strings.bad_line(line, strings.EXAMPLES["forbidden"]))
    return ends


def _frozen(line: str) -> list[Any]:
    edge, sign, number = line.partition("=")
    if not sign:
        return _edge(edge)
    try:
        return [*_edge(edge), float(number)]
    except ValueError:
        raise InputError(strings.bad_line(line, strings.EXAMPLES["frozen"])) from None


READERS: dict[str, Callable[[str], Any]] = {
    "seeds": _seed,
    "must_link": _listed,
    "cannot_link": _listed,
    "frozen": _frozen,
    "forbidden": _edge,
}


def _check_topics(guidance: Guidance, names: Names) -> None:
    """Refuse edges of topics that will not exist, before a process is started in vain."""
    if names.topics is None:
        return
    known = {*names.topics, *(name for name, _ in guidance.seeds)}
    edges = [(f"frozen {n}", edge[:2]) for n, edge in enumerate(guidance.frozen, start=1)]
    edges += [(f"forbidden {n}", edge) for n, edge in enumerate(guidance.forbidden, start=1)]
    for rule, (parent, child) in edges:
        if parent not in known:
            raise InputError(strings.no_topic(rule, parent))
        if child.startswith(TOPIC_PREFIX) and child.removeprefix(TOPIC_PREFIX) not in known:
            raise InputError(strings.no_child(rule, child.removeprefix(TOPIC_PREFIX)))


LINES_SHOWN = 68


def ask(place: Place, sizes: Sequence[int] | None) -> tuple[Guidance | None, str]:
    """Ask for guidance.

    Parameters
    ----------
    place : Place
        The corpus.
    sizes : sequence of int, or None
        Topics in each layer of the graph that will be proposed; None where that is not known.

    Returns
    -------
    guidance : Guidance or None
        None where nothing is asked for, or what is asked for cannot be had.
    error : str
        Why it cannot, empty where it can.
    """
    with st.expander(strings.GUIDANCE_TITLE, key="train-guidance"):
        st.caption(strings.GUIDANCE_SENTENCE)
        typed = {field: _field(field, place.name) for field in FIELDS}
        if not any(text.strip() for text in typed.values()):
            return None, ""
        try:
            guidance = read_fields(typed, _names(place, sizes))
        except InputError as error:
            page.show_error(str(error))
            return None, str(error)
        if guidance is not None:
            st.caption(markdown_text(summary(guidance)))
        return guidance, ""


def _field(field: str, corpus: str) -> str:
    return st.text_area(
        strings.LABELS[field],
        key=f"train-{field}-{corpus}",
        persist_state="session",
        placeholder=strings.EXAMPLES[field],
        help=strings.HELP[field],
        height=LINES_SHOWN,
    )


def _names(place: Place, sizes: Sequence[int] | None) -> Names:
    corpus = loaders.open_corpus(place.folder)
    return Names(corpus.token_number, None if sizes is None else topic_names(sizes))
