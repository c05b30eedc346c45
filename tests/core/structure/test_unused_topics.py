"""Idle topics go, what they did is left to chance, and what a person guards stays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, probability_to_weight
from orrery.core.structure.constraints import Constraints
from orrery.core.structure.pruning import (
    share_on,
    strong_children,
    used_topics,
    without_unused_topics,
)

NAMES = ["top", "used", "never", "lonely"]
# top is above used and never; used above words 0 and 1, never above 1 and 2, lonely above 3.
PARENTS = [0, 0, 1, 1, 2, 2, 3]
CHILDREN = [1, 2, 4, 5, 5, 6, 7]
STRENGTH = [0.5, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6]


def network_of(strength=STRENGTH):
    graph, order = build_graph(4, NAMES, PARENTS, CHILDREN)
    weight = probability_to_weight(np.array(strength))[order]
    return build_network(graph, weight, np.full(graph.n_nodes, 0.05))


def activations_of(network, **on: float) -> sparse.csr_array:
    """Ten documents; a topic is all but on in this share of them."""
    table = np.full((10, network.graph.n_topics), 0.01)
    for name, share in on.items():
        table[: round(10 * share), network.graph.topic_ids.index(name)] = 0.9
    return sparse.csr_array(table)


def test_what_is_on_and_what_is_strong_is_counted() -> None:
    network = network_of()
    share = share_on(activations_of(network, top=0.2, used=0.5))
    by_name = dict(zip(network.graph.topic_ids, share.tolist(), strict=True))
    assert by_name == pytest.approx({"top": 0.2, "used": 0.5, "never": 0.0, "lonely": 0.0})
    strong = dict(zip(network.graph.topic_ids, strong_children(network).tolist(), strict=True))
    assert strong == {"top": 2, "used": 2, "never": 2, "lonely": 1}


def test_a_topic_above_topics_needs_two_strong_children() -> None:
    network = network_of([0.5, 0.09, *STRENGTH[2:]])
    ids = network.graph.topic_ids
    kept = used_topics(network, np.ones(len(ids)))
    assert {name for name, stays in zip(ids, kept, strict=True) if stays} == {
        "used",
        "never",
        "lonely",
    }


def test_one_that_goes_may_take_the_one_above_it_along() -> None:
    network = network_of()
    lean = without_unused_topics(network, activations_of(network, top=0.3, used=0.5, lonely=0.1))
    assert set(lean.graph.topic_ids) == {"used", "lonely"}


def test_what_a_topic_did_is_left_to_the_leak() -> None:
    """On average over the documents a word stays as probable as it was, to first order."""
    network = network_of()
    activations = activations_of(network, top=0.3, used=0.5, lonely=0.1)
    lean = without_unused_topics(network, activations)
    usage = activations.mean(axis=0)[network.graph.topic_ids.index("never")]
    more = lean.leak[lean.graph.n_topics :] - network.leak[network.graph.n_topics :]
    assert more == pytest.approx([0.0, *[-np.log1p(-usage * 0.6)] * 2, 0.0])


def test_nothing_is_removed_if_all_or_no_topics_are_unused() -> None:
    network = network_of()
    assert without_unused_topics(network, activations_of(network)) is network
    all_on = activations_of(network, top=0.3, used=0.5, never=0.2, lonely=0.1)
    assert without_unused_topics(network, all_on) is network


def test_what_a_person_guards_stays() -> None:
    network = network_of()
    constraints = Constraints(frozenset(), frozenset(), frozenset({"never"}), frozenset())
    lean = without_unused_topics(
        network, activations_of(network, used=0.5, lonely=0.1), constraints
    )
    assert set(lean.graph.topic_ids) == {"used", "lonely", "never"}
