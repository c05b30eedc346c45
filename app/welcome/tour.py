"""The tour of a first visit: whether it is due, and where its stops lead (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from orrery.app.graph.links import node_key
from orrery.app.query.asking import posterior_of
from orrery.app.query.question import read_question
from orrery.app.welcome.overview import CorpusOverview, can_ask
from orrery.core.errors import InputError
from orrery.core.read_only import is_read_only
from orrery.core.storage.atomic import write_json
from orrery.core.storage.reading import read_json

if TYPE_CHECKING:
    from orrery.core.run import Run

FILE = "tour.json"
# The parameter of an address that belongs to the tour: the number of a stop, from 1; 0 is Home.
PARAMETER = "tour"
OVERVIEW = "0"


@dataclass(frozen=True)
class Stop:
    """A stop of the tour.

    Attributes
    ----------
    name : str
        Its words are found under this name.
    page : str
    shown : str
        CSS selector of what its words speak of.
    """

    name: str
    page: str
    shown: str


STOPS = (
    Stop("ask", "query", ".st-key-drawing"),
    Stop("compare", "query", ".st-key-drawing"),
    Stop("why", "query", ".st-key-why"),
    Stop("whole", "graph", ".st-key-graph-map"),
    Stop("map", "map", ".st-key-document-map"),
    Stop("groups", "groups", ".st-key-group-map"),
    Stop("stories", "stories", ".st-key-story-view, .st-key-empty-state"),
)


def stop_number(text: str) -> int:
    """Place of a stop in `STOPS` that an address names; -1 where it names none."""
    numbers = [str(number) for number in range(1, len(STOPS) + 1)]
    return numbers.index(text) if text in numbers else -1


def is_due(found: Sequence[CorpusOverview], workspace: Path) -> bool:
    """Whether to offer the tour: nothing here is the person's own, and it was not closed."""
    is_own = any(entry.jobs or entry.place is None or not entry.place.read_only for entry in found)
    return can_ask(found) and not is_own and not was_closed(workspace)


def was_closed(workspace: Path) -> bool:
    """Whether the tour was closed in this workspace; a damaged record counts as none."""
    try:
        return read_json(workspace / FILE).get("closed") is True
    except InputError:
        return False


def close(workspace: Path) -> None:
    """Remember that the tour was closed; if that cannot be written, it comes back next time."""
    if is_read_only():
        return
    with suppress(OSError):
        workspace.mkdir(parents=True, exist_ok=True)
        write_json(workspace / FILE, {"version": 1, "closed": True})


def address_of(number: int, run: Run, queries: Sequence[Sequence[str]]) -> dict[str, str]:
    """Parameters of the address of a stop, so that its page shows something.

    Parameters
    ----------
    number : int
        Place in `STOPS`.
    run : Run
    queries : sequence of sequences of str
        Example queries; those of one sequence ask for one word in different senses.
    """
    address = {PARAMETER: str(number + 1)}
    name, flat = STOPS[number].name, [text for texts in queries for text in texts]
    if name == "groups":
        return address | {"view": "map"}
    if STOPS[number].page != "query" or not flat:
        return address
    if name == "compare":
        pair = next((texts for texts in queries if len(texts) > 1), flat)
        return address | dict(zip(("q", "q2"), pair, strict=False))
    if name == "why":
        return address | {"q": flat[0], "sel": _surest_topic(run, flat[0])}
    return address | {"q": flat[0]}


def _surest_topic(run: Run, text: str) -> str:
    """Key of the most probable topic of a query, "" where it reaches none."""
    posterior = posterior_of(run.network, read_question(run, text).evidence(closed_world=False))
    if not len(posterior.probability):
        return ""
    return node_key(run, int(posterior.local.topics[np.argmax(posterior.probability)]))
