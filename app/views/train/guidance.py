"""Form for the guidance of a topic graph, whose lines are read and checked after every change."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from ....core.model.graph import TOPIC_PREFIX
from ....core.structure.guidance import Guidance, check_guidance, guidance_from_values, spelled
from ....core.structure.layers import topic_names
from ....core.utils.errors import InputError
from ...shell import loaders, memory, page
from ...text.safe_text import markdown_text
from ...workspace.catalog import Place
from . import strings

FIELDS = ("seeds", "must_link", "cannot_link", "frozen", "forbidden")
# Height of a text box, in pixels: two lines.
FIELD_HEIGHT = 68


def read_fields(
    typed: Mapping[str, str], words: Mapping[str, int], topics: Collection[str] | None
) -> Guidance | None:
    """Guidance from the texts of the form, one rule per line; None if all are empty.

    ``words`` is the vocabulary; ``topics`` are the ids of the proposed graph, or None if they are
    not known before training.

    Raises
    ------
    InputError
        If a line is malformed, a word or topic does not exist, or rules contradict each other.
    """
    values: dict[str, Any] = {}
    for field, read in READERS.items():
        lines = map(str.strip, typed.get(field, "").splitlines())
        rows = [read(line) for line in lines if line]
        if rows:
            values[field] = rows
    if not values:
        return None
    values["seeds"] = _table(values.get("seeds", []))
    guidance = guidance_from_values(values)
    in_vocabulary = spelled(guidance, words)
    check_guidance(in_vocabulary)
    _check_topics(in_vocabulary, topics)
    return guidance


def summary(guidance: Guidance) -> str:
    """Number of rules of each kind, in one sentence."""
    return strings.summary({field: len(getattr(guidance, field)) for field in FIELDS})


def _seed(line: str) -> tuple[str, list[str]]:
    name, colon, listed = line.partition(":")
    if not colon or not name.strip():
        raise InputError(strings.BAD_LINE.format(line=line, example=strings.EXAMPLES["seeds"]))
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
        raise InputError(strings.BAD_LINE.format(line=line, example=strings.EXAMPLES["forbidden"]))
    return ends


def _frozen(line: str) -> list[Any]:
    edge, sign, number = line.partition("=")
    if not sign:
        return _edge(edge)
    try:
        return [*_edge(edge), float(number)]
    except ValueError:
        raise InputError(
            strings.BAD_LINE.format(line=line, example=strings.EXAMPLES["frozen"])
        ) from None


READERS: dict[str, Callable[[str], Any]] = {
    "seeds": _seed,
    "must_link": _listed,
    "cannot_link": _listed,
    "frozen": _frozen,
    "forbidden": _edge,
}


def _check_topics(guidance: Guidance, topics: Collection[str] | None) -> None:
    """Raise an InputError for edges of topics that the graph will not have."""
    if topics is None:
        return
    known = {*topics, *(name for name, _ in guidance.seeds)}
    edges = [(f"frozen {n}", edge[:2]) for n, edge in enumerate(guidance.frozen, start=1)]
    edges += [(f"forbidden {n}", edge) for n, edge in enumerate(guidance.forbidden, start=1)]
    for rule, (parent, child) in edges:
        if parent not in known:
            raise InputError(strings.NO_TOPIC.format(rule=rule, name=parent))
        if child.startswith(TOPIC_PREFIX) and child.removeprefix(TOPIC_PREFIX) not in known:
            raise InputError(
                strings.NO_CHILD.format(rule=rule, name=child.removeprefix(TOPIC_PREFIX))
            )


def ask(place: Place, sizes: Sequence[int] | None) -> tuple[Guidance | None, str]:
    """Draw the form, and return the guidance and an error.

    Parameters
    ----------
    place : Place
        The corpus.
    sizes : sequence of int, or None
        Topics in each layer of the proposed graph; None if they are not known before
            training.

    Returns
    -------
    guidance : Guidance or None
        None if the form is empty or has an error.
    error : str
        Error in one sentence, or "".
    """
    with st.expander(strings.GUIDANCE_TITLE, key="train-guidance"):
        st.caption(strings.GUIDANCE_SENTENCE)
        typed = {field: _field(field, place.name) for field in FIELDS}
        if not any(text.strip() for text in typed.values()):
            return None, ""
        try:
            vocabulary = loaders.open_corpus(place.folder).token_number
            topics = None if sizes is None else topic_names(sizes)
            guidance, error = read_fields(typed, vocabulary, topics), ""
        except InputError as refusal:
            guidance, error = None, str(refusal)
        if guidance is not None:
            st.caption(markdown_text(summary(guidance)))
    if error:
        # Outside of the section, which may be folded.
        page.show_error(error)
    return guidance, error


def _field(field: str, corpus: str) -> str:
    typed: str = st.text_area(
        strings.LABELS[field],
        **memory.lasting(f"train-{field}-{corpus}"),
        placeholder=strings.EXAMPLES[field],
        help=strings.HELP[field],
        height=FIELD_HEIGHT,
    )
    return typed
