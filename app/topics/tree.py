"""The tree of topics: each hangs from the parent that brings it most often (no streamlit).

A graph of all topics at once has more links than a screen can keep apart. So each topic hangs from
one parent here, which makes a forest, and the page says so; a click shows all links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from orrery.core.families import main_links

if TYPE_CHECKING:
    from orrery.core.run import Run

# Part of the largest topic; one that is never on still has a place.
LEAST_SIZE = 1e-4


@dataclass(frozen=True)
class Tree:
    """Topics below each topic, those of the largest size first.

    Attributes
    ----------
    roots : tuple of int
        Topics that hang from nothing.
    below : dict of int to tuple of int
        For every topic that is shown.
    size : tuple of float
        Of every topic with all that is below it, shape (n_topics,).
    """

    roots: tuple[int, ...]
    below: dict[int, tuple[int, ...]]
    size: tuple[float, ...]

    @cached_property
    def room(self) -> dict[int, float]:
        """Size of every topic, never quite 0 and never less than that of one that hangs from it."""
        least = LEAST_SIZE * max([*self.size, 0.0]) or 1.0
        found: dict[int, float] = {}
        for topic in reversed(self.members(self.roots)):
            found[topic] = max(self.size[topic], least, *(found[c] for c in self.below[topic]))
        return found

    @cached_property
    def count(self) -> dict[int, int]:
        """How many topics each is with all that hangs from it."""
        found: dict[int, int] = {}
        for topic in reversed(self.members(self.roots)):
            found[topic] = 1 + sum(found[child] for child in self.below[topic])
        return found

    def members(self, roots: Sequence[int]) -> list[int]:
        """Topics and all that hang from them, each after what it hangs from."""
        found = list(roots)
        for topic in found:
            found += self.below[topic]
        return found


def topic_tree(run: Run, threshold: float, size: Sequence[float]) -> Tree:
    """Hang every topic that is shown from its main parent (`orrery.core.families.main_links`).

    A link below ``threshold`` is none. A topic that is hidden is not there, nor is its link; one
    that is shown as another is not there, and that one holds what hangs from it.

    Parameters
    ----------
    run : Run
    threshold : float
        Probability of the weakest link that counts.
    size : sequence of float, shape (n_topics,)
        Of every topic with all that is below it.
    """
    left_out = run.hidden_topics | set(run.shown_as)
    shown = [topic for topic in range(run.network.graph.n_topics) if topic not in left_out]
    below: dict[int, list[int]] = {topic: [] for topic in shown}
    roots: list[int] = []
    above, _ = main_links(run.network, threshold, run.hidden_topics, run.shown_as)
    for topic in sorted(shown, key=lambda topic: (-size[topic], topic)):
        (below[above[topic]] if above[topic] >= 0 else roots).append(topic)
    return Tree(tuple(roots), {topic: tuple(found) for topic, found in below.items()}, tuple(size))
