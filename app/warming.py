"""Compile what a query needs in the background, once per machine (no streamlit)."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import cache

from core.graph import build_graph
from core.inference import Evidence, infer
from core.network import build_network

# Kernels that are in the cache already are there sooner than anyone could read a notice.
SILENT_SECONDS = 3.0
BOUNDS = ("exact", "jensen")


@dataclass(frozen=True)
class Warming:
    """Work that goes on behind the pages, and when it began."""

    thread: threading.Thread
    began: float

    @property
    def is_noticeable(self) -> bool:
        """Whether it goes on for so long that a person should be told."""
        return self.thread.is_alive() and time.monotonic() - self.began > SILENT_SECONDS

    @property
    def is_going(self) -> bool:
        """Whether there is anything left to do."""
        return self.thread.is_alive()


@cache
def warm_up() -> Warming:
    """Begin, once for all sessions; a query that comes sooner waits for the same compilation."""
    thread = threading.Thread(target=ask_tiny_network, name="warming", daemon=True)
    thread.start()
    return Warming(thread, time.monotonic())


def ask_tiny_network() -> None:
    """Ask a network of two topics and two words everything that a page may ask."""
    graph, _ = build_graph(2, ("a", "b"), [0, 1, 1], [1, 2, 3])
    network = build_network(graph, [1.0, 1.0, 1.0], [0.1, 0.1, 0.1, 0.1])
    for bound in BOUNDS:
        for closed_world in (True, False):
            infer(network, Evidence((0,), (1,), closed_world=closed_world), bound=bound)
