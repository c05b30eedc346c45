"""Compile what a query needs in the background, once per machine (no streamlit)."""

from __future__ import annotations

import threading
from functools import cache

from orrery.core.explanation import explain, leave_one_out
from orrery.core.graph import build_graph
from orrery.core.inference import Evidence, infer
from orrery.core.network import build_network
from orrery.core.prediction import predict_words
from orrery.core.readings import readings


@cache
def warm_up() -> threading.Thread:
    """Begin, once for all sessions, and return the thread that does it."""
    thread = threading.Thread(target=ask_tiny_network, name="warming", daemon=True)
    thread.start()
    return thread


def ask_tiny_network() -> None:
    """Ask a network of two topics and two words everything that a page may ask."""
    graph, _ = build_graph(2, ("a", "b"), [0, 1, 1], [1, 2, 3])
    network = build_network(graph, [1.0, 1.0, 1.0], [0.1, 0.1, 0.1, 0.1])
    for closed_world in (True, False):
        evidence = Evidence((0,), (1,), closed_world=closed_world)
        infer(network, evidence, method="sum-product")
        posterior = infer(network, evidence)
        predict_words(network, posterior)
        readings(posterior, (0, 1))
        posterior.together(0, 1)
        explain(network, posterior, 0)
        leave_one_out(network, posterior, 0)
