"""Every method gives layered, connected graphs within the budget, and finds planted topics."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.data.corpus import Corpus
from orrery.core.model.graph import Graph
from orrery.core.structure import layers, propose
from orrery.core.structure.propose import METHODS, propose_graph
from orrery.core.utils.errors import InputError

GATHERING = ("dense-regions", "agglomerative")


def word_parents(graph: Graph, word: int) -> set[int]:
    return set(graph.parents(graph.n_topics + word).tolist())


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, tuple[int, ...]]:
    """Any presence matrix, also with empty documents and words, and layers that fit above it."""
    n_documents, n_tokens = draw(st.integers(0, 12)), draw(st.integers(1, 14))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    presence = rng.random((n_documents, n_tokens)) < draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    sizes = [draw(st.integers(1, n_tokens))]
    while draw(st.booleans()) and len(sizes) < 3:
        sizes.append(draw(st.integers(1, sizes[-1])))
    return presence, tuple(sizes)


@pytest.mark.parametrize("method", GATHERING)
@given(problem=problems())
@settings(deadline=None, max_examples=60)
def test_any_corpus_gives_a_layered_graph(
    make_corpus: Callable[[np.ndarray], Corpus],
    check_layered: Callable[..., None],
    method: str,
    problem: tuple[np.ndarray, tuple[int, ...]],
) -> None:
    presence, sizes = problem
    check_layered(propose_graph(make_corpus(presence), method=method, topics=sizes), sizes)


@pytest.mark.parametrize("method", GATHERING)
@pytest.mark.parametrize("edges", [49 + 12, 49 + 13, 100, 150, 300, 10_000])
def test_the_budget_holds_and_is_used(
    planted: Any,
    check_layered: Callable[..., None],
    method: str,
    edges: int,
) -> None:
    graph = propose_graph(planted.corpus, method=method, topics=(12, 3), edges=edges)
    check_layered(graph, (12, 3))
    assert graph.n_edges <= edges
    # Beyond this there are no further similar pairs to link.
    assert graph.n_edges >= min(edges, 140) - 2


@pytest.mark.parametrize("method", GATHERING)
def test_planted_topics_are_found_and_a_word_with_two_senses_has_both(
    planted: Any, method: str
) -> None:
    # One edge more than there are words: the best place for it is the word of two groups.
    graph = propose_graph(planted.corpus, method=method, topics=(6,), edges=50)
    parents = [{frozenset(word_parents(graph, word)) for word in group} for group in planted.groups]
    assert all(len(same) == 1 for same in parents)
    topics = [next(iter(same)) for same in parents]
    assert len(frozenset.union(*topics)) == 6
    assert word_parents(graph, planted.two_senses) == topics[0] | topics[-1]


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_graph(planted: Any, method: str) -> None:
    first, second = (
        propose_graph(planted.corpus, method=method, topics=(10, 3), seed=4) for _ in range(2)
    )
    np.testing.assert_array_equal(first.parent_ptr, second.parent_ptr)
    np.testing.assert_array_equal(first.parent_idx, second.parent_idx)
    assert first.topic_ids == second.topic_ids


@pytest.mark.parametrize("method", GATHERING)
def test_the_number_of_threads_does_not_matter(method: str) -> None:
    program = (
        "import numpy as np, zlib; from types import SimpleNamespace; from scipy import sparse;"
        "from orrery.core.structure.propose import propose_graph;"
        "x = sparse.random_array((400, 90), density=0.1, rng=np.random.default_rng(0)).tocsr();"
        f"g = propose_graph(SimpleNamespace(to_csr=lambda: x), method={method!r});"
        "print(zlib.crc32(g.parent_idx.tobytes() + g.parent_ptr.tobytes()))"
    )
    results = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "OMP_NUM_THREADS": n, "OPENBLAS_NUM_THREADS": n},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for n in ("1", "2")
    }
    assert len(results) == 1


def test_sizes_are_chosen_when_none_are_given(
    planted: Any, check_layered: Callable[..., None]
) -> None:
    graph = propose_graph(planted.corpus)
    heights = graph.heights()[: graph.n_topics]
    check_layered(graph, tuple(np.bincount(heights)[1:]))
    assert graph.n_layers() == 2


def test_topic_names_contain_layer_and_number(planted: Any) -> None:
    graph = propose_graph(planted.corpus, topics=(4, 2))
    assert graph.topic_ids == ("L2.1", "L2.2", "L1.1", "L1.2", "L1.3", "L1.4")


def test_complete_has_every_topic_above_all_lower_layers(planted: Any) -> None:
    graph = propose_graph(planted.corpus, method="complete", topics=(5, 7, 2))
    first_below = {3: 2, 2: 9, 1: 14}
    for topic, name in enumerate(graph.topic_ids):
        children = graph.child_idx[graph.child_ptr[topic] : graph.child_ptr[topic + 1]]
        assert sorted(children) == list(range(first_below[int(name[1])], graph.n_nodes))
    assert graph.n_edges == 49 * 5 + (49 + 5) * 7 + (49 + 5 + 7) * 2
    assert propose_graph(planted.corpus, method="complete").n_layers() == 2


def test_unknown_methods_are_refused(planted: Any) -> None:
    with pytest.raises(InputError, match="no method 'kmeans'; choose one of dense-regions"):
        propose_graph(planted.corpus, method="kmeans")


@pytest.mark.parametrize("method", GATHERING)
def test_too_small_a_budget_is_refused(planted: Any, method: str) -> None:
    with pytest.raises(InputError, match="allow at least 61 edges"):
        propose_graph(planted.corpus, method=method, topics=(12, 3), edges=60)


def test_complete_graphs_that_are_too_large_are_refused(
    planted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = propose_graph(planted.corpus, method="complete", topics=(10, 1, 5), edges=849)
    assert within.n_edges == 849
    message = (
        "849 edges, and 848 are allowed; ask for fewer topics, or train with --learn-structure"
    )
    with pytest.raises(InputError, match=message):
        propose_graph(planted.corpus, method="complete", topics=(10, 1, 5), edges=848)
    monkeypatch.setattr(layers, "MAX_COMPLETE", 500)
    message = "500 are allowed; ask for fewer topics, or use the method dense-regions"
    for edges in (None, 848):
        with pytest.raises(InputError, match=message):
            propose_graph(planted.corpus, method="complete", topics=(10, 1, 5), edges=edges)


def test_a_size_beyond_all_integers_of_numpy_is_refused_too(planted: Any) -> None:
    with pytest.raises(InputError, match=r"has 120\d{17} edges, and 20000000 are allowed"):
        propose_graph(planted.corpus, method="complete", topics=(2_000_000_000,) * 3)


def test_agglomerative_refuses_what_does_not_fit_in_memory(
    planted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(propose, "MAX_VOCABULARY", 48)
    with pytest.raises(InputError, match=r"limited to 48; use the method dense-regions"):
        propose_graph(planted.corpus, method="agglomerative")


def test_an_empty_corpus_is_refused(make_corpus: Callable[[np.ndarray], Corpus]) -> None:
    with pytest.raises(InputError, match="no words"):
        propose_graph(make_corpus(np.zeros((3, 0), bool)))
