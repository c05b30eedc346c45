"""The tree of topics and how large they are, and the small map of Home: worked out once a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from orrery.app.session import resources
from orrery.app.topics import small_map
from orrery.app.topics.size import TopicSizes, family_sizes, topic_sizes
from orrery.app.topics.topic_map import map_topics
from orrery.app.topics.tree import Tree, topic_tree
from orrery.app.words import home as words
from orrery.app.workspace import catalog
from orrery.core.errors import InputError
from orrery.core.families import LEAST_LINK
from orrery.core.storage import load_run
from orrery.core.storage.overlay import OVERLAY_FILE

if TYPE_CHECKING:
    from orrery.core.run import Run

# The weakest link that the Graph page shows at first, as a probability.
WEAKEST_LINK = LEAST_LINK
# Of trees, one a model and threshold; of small maps, which are a few kilobytes, one a model.
MOST_TREES, MOST_MAPS = 8, 200
# Of a tree, what was drawn of its parts: a megabyte each where a model is large.
MOST_DRAWN = 4

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, eq=False)
class SizedTree:
    """The forest of topics with the size of each: by itself, and with all that is below it."""

    tree: Tree
    own: TopicSizes
    family: TopicSizes
    _drawn: dict[tuple[int, int], tuple[object, Any]] = field(
        default_factory=dict, init=False, repr=False
    )

    def drawn(self, part: tuple[int, int], run: Run, draw: Callable[[], Drawn]) -> Drawn:
        """What is drawn of a part, kept for all sessions; nobody may change it.

        Parameters
        ----------
        part : pair of int
            Topic whose family it shows, and how many of the largest are left out.
        run : Run
            Whose names are shown; under other names it is drawn anew.
        draw : function
        """
        kept = self._drawn.get(part)
        if kept is None or kept[0] != run.topic_labels:
            if part not in self._drawn and len(self._drawn) >= MOST_DRAWN:
                # The oldest; two visitors may find the same one.
                self._drawn.pop(next(iter(list(self._drawn))), None)
            kept = self._drawn[part] = run.topic_labels, draw()
        return kept[1]


def sized_tree(run: Run, threshold: float) -> SizedTree:
    """The tree of a model without the links below a threshold.

    Raises
    ------
    InputError
        If what is stored of its documents is damaged.
    """
    changed = catalog.stamp(run.folder / "model" / "model.json")
    return _sized_tree(str(run.folder), (changed, *run.as_shown), threshold, run)


def small_map_of(folder: Path) -> str:
    """The small map of the model in a run's folder as SVG; empty where it cannot be drawn."""
    model = folder / "model"
    changed = catalog.stamp(model / "model.json"), catalog.stamp(model / OVERLAY_FILE)
    return _small_map(str(folder), changed)


@st.cache_resource(max_entries=MOST_TREES, show_spinner=False)
def _sized_tree(folder: str, version: tuple[object, ...], threshold: float, _run: Run) -> SizedTree:
    stored = resources.activations(_run.folder)
    own, family = topic_sizes(_run, stored), family_sizes(_run, stored, threshold)
    return SizedTree(topic_tree(_run, threshold, family.size), own, family)


@st.cache_data(max_entries=MOST_MAPS, show_spinner=False)
def _small_map(folder: str, changed: tuple[int, int]) -> str:
    try:
        run = load_run(Path(folder))
        tree = sized_tree(run, WEAKEST_LINK).tree
    except (InputError, OSError):
        # The pages of the model say what is wrong with it.
        return ""
    cells = map_topics(tree, most=small_map.MOST_TOPICS)
    return (
        small_map.small_map(cells, run.topic_labels, words.map_of(run.folder.name)) if cells else ""
    )
