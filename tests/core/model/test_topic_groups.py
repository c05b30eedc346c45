"""Topic groups: topics of similar documents form a group, and without similarity there are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_limits

from orrery.core.data.recipe import Recipe
from orrery.core.model import topic_groups
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.model.topic_groups import MIN_SUBTREES, find_topic_groups
from orrery.core.storage.models import load_model, save_model
from tests.random_networks import several

N_TOPICS, N_THEMES, OWN, AROUND, N_DOCUMENTS = 36, 6, 2, 5, 6_000
THEME = np.arange(N_TOPICS) % N_THEMES
VOCABULARY = (
    *(f"own{topic}{letter}" for topic in range(N_TOPICS) for letter in "ab"),
    *(f"theme{theme}{letter}" for theme in range(N_THEMES) for letter in "abcde"),
)
# Ends of the words that lie around the topics; each topic has two of its own besides.
AROUND_OF = {
    theme: N_TOPICS * OWN + AROUND * theme + np.arange(AROUND) for theme in range(N_THEMES)
}


def a_network(below: dict[int, int] | None = None) -> Network:
    """Topics with two words each, none above another, except for the given children."""
    edges = [(topic, N_TOPICS + OWN * topic + word) for topic in range(N_TOPICS) for word in (0, 1)]
    edges += [(above, topic) for topic, above in (below or {}).items()]
    parents, children = zip(*edges, strict=True)
    ids = [f"T{topic:02d}" for topic in range(N_TOPICS)]
    graph, _ = build_graph(len(VOCABULARY), ids, parents, children)
    leak = np.full(graph.n_nodes, 0.01)
    leak[:N_TOPICS] = 0.03
    return build_network(graph, np.full(graph.n_edges, 2.0), leak)


def documents(
    *, around: bool, seed: int = 0, falling: float = 0.0
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """One topic in each document, and words around it from its theme, or at random.

    The frequency of a topic decreases with a power of its number; 0 for equal frequencies.
    """
    rng = np.random.default_rng(seed)
    often = np.arange(1.0, N_TOPICS + 1) ** -falling
    topic = rng.choice(N_TOPICS, N_DOCUMENTS, p=often / often.sum())
    words = np.zeros((N_DOCUMENTS, len(VOCABULARY)))
    words[np.arange(N_DOCUMENTS), OWN * topic] = 1.0
    words[np.arange(N_DOCUMENTS), OWN * topic + 1] = 1.0
    theme = THEME[topic] if around else rng.integers(0, N_THEMES, N_DOCUMENTS)
    for row in range(N_DOCUMENTS):
        words[row, rng.choice(AROUND_OF[int(theme[row])], 2, replace=False)] = 1.0
    on = sparse.csr_array((np.ones(N_DOCUMENTS), (np.arange(N_DOCUMENTS), topic)))
    return on, sparse.csr_array(words)


def same_parts(one: np.ndarray, other: np.ndarray) -> bool:
    return len({*zip(one.tolist(), other.tolist(), strict=True)}) == len({*one}) == len({*other})


def test_topics_with_like_words_around_them_stand_together() -> None:
    found = find_topic_groups(a_network(), VOCABULARY, *documents(around=True))
    assert found is not None
    assert len(found.words) == N_THEMES
    assert same_parts(found.of, THEME)
    for group, name in enumerate(found.names(VOCABULARY)):
        theme = int(THEME[found.of == group][0])
        # The words around them are what they share.
        assert all(word.startswith(f"theme{theme}") for word in name.split(" · "))


def test_no_two_topic_groups_have_the_same_words_for_a_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(topic_groups, "WORDS_IN_LABEL", 1)
    on, presence = documents(around=True)
    # Two themes have the same top word.
    of_two = np.flatnonzero(np.isin(THEME[on.indices], [0, 1]))
    shared = presence.tolil()
    shared[of_two, AROUND_OF[2][0]] = 1.0
    found = find_topic_groups(a_network(), VOCABULARY, on, sparse.csr_array(shared))
    assert found is not None
    assert sorted(map(len, found.words)) == [1] * (N_THEMES - 1) + [2]
    assert len({frozenset(words) for words in found.words}) == N_THEMES


@pytest.mark.parametrize("falling", [0.0, 0.5, 1.0])
def test_where_any_words_lie_around_any_topic_there_are_no_topic_groups(falling: float) -> None:
    for seed in range(5):
        on, presence = documents(around=False, seed=seed, falling=falling)
        assert find_topic_groups(a_network(), VOCABULARY, on, presence) is None
    on, presence = documents(around=True, falling=falling)
    found = find_topic_groups(a_network(), VOCABULARY, on, presence)
    assert found is not None
    assert same_parts(found.of, THEME)


def test_independent_topics_that_share_documents_stand_on_none() -> None:
    rng = np.random.default_rng(0)
    for often in (1.0, 2.0, 4.0):
        probability = np.arange(1.0, N_TOPICS + 1) ** -1.0
        on = rng.random((N_DOCUMENTS, N_TOPICS)) < np.minimum(
            often * probability / probability.sum(), 0.5
        )
        words = rng.random((N_DOCUMENTS, len(VOCABULARY))) < 0.05
        words[:, : OWN * N_TOPICS] &= rng.random((N_DOCUMENTS, OWN * N_TOPICS)) < 0.02
        words[:, : OWN * N_TOPICS] |= np.repeat(on, OWN, axis=1)
        both = (sparse.csr_array(values.astype(float)) for values in (on, words))
        assert find_topic_groups(a_network(), VOCABULARY, *both) is None


def test_a_topic_is_in_the_group_of_its_parent() -> None:
    # Each of the last topics below one of the same theme.
    below = {topic: topic - N_THEMES for topic in range(N_TOPICS - N_THEMES, N_TOPICS)}
    network = a_network(below)
    found = find_topic_groups(network, VOCABULARY, *documents(around=True))
    assert found is not None
    assert all(found.of[topic] == found.of[above] for topic, above in below.items())
    # 30 subtrees give five groups, so that two themes share one.
    assert len(found.words) == round(30**0.5)
    assert all(len({*found.of[theme == THEME]}) == 1 for theme in range(N_THEMES))


def test_few_subtrees_need_no_topic_groups() -> None:
    on, presence = documents(around=True)
    below = {topic: topic - N_THEMES for topic in range(MIN_SUBTREES - 1, N_TOPICS)}
    assert find_topic_groups(a_network(below), VOCABULARY, on, presence) is None
    below.pop(N_TOPICS - 1)
    assert find_topic_groups(a_network(below), VOCABULARY, on, presence) is not None
    nothing = sparse.csr_array(presence.shape)
    assert find_topic_groups(a_network(), VOCABULARY, on, nothing) is None
    assert find_topic_groups(a_network(), VOCABULARY, on[:0], presence[:0]) is None


def test_a_topic_that_is_never_on_or_has_no_words_stands_on_none() -> None:
    on, presence = documents(around=True)
    kept = np.flatnonzero(on.toarray()[:, [0, 2, 3]].sum(axis=1) == 0.0)
    network = a_network()
    weight = np.where(network.graph.parent_idx == 1, 0.0, network.weight)
    silent = build_network(network.graph, weight, network.leak)
    found = find_topic_groups(silent, VOCABULARY, on[kept], presence[kept])
    assert found is not None
    assert found.of[:4].tolist() == [-1] * 4
    assert same_parts(found.of[4:], THEME[4:])


@several
@given(seed=st.integers(0, 9_999), n_documents=st.integers(2, 40), often=st.floats(0.02, 0.6))
def test_whatever_is_put_in_topic_groups_can_be_stored(
    seed: int, n_documents: int, often: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = np.random.default_rng(seed)
    shape = n_documents, N_TOPICS
    on = sparse.csr_array(rng.random(shape) * (rng.random(shape) < often))
    presence = sparse.csr_array((rng.random((n_documents, len(VOCABULARY))) < often).astype(float))
    network, folder = a_network(), tmp_path_factory.mktemp("model") / "m"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(topic_groups, "MIN_FOUND_AGAIN", 0.0)
        patched.setattr(topic_groups, "MIN_DOCUMENTS", 0.0)
        found = find_topic_groups(network, VOCABULARY, on, presence)
    save_model(folder, network, VOCABULARY, Recipe(), {}, topic_groups=found)
    again = load_model(folder).topic_groups
    assert (again is None) == (found is None)
    if found is not None and again is not None:
        assert again.of.tolist() == found.of.tolist()
        assert again.words == found.words


def test_the_same_topic_groups_whatever_the_threads_and_the_order_of_documents() -> None:
    on, presence = documents(around=True)
    order = np.random.default_rng(1).permutation(N_DOCUMENTS)
    first = find_topic_groups(a_network(), VOCABULARY, on, presence)
    assert first is not None
    for threads in (1, 2):
        with threadpool_limits(threads):
            again = find_topic_groups(a_network(), VOCABULARY, on[order], presence[order])
        assert again is not None
        assert again.of.tolist() == first.of.tolist()
        assert again.words == first.words


@given(st.integers(2, 12), st.integers(1, 4), st.integers(0, 99))
def test_a_subtree_is_held_against_the_sum_of_the_others_of_a_group(
    n_subtrees: int, count: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n_subtrees, 5))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    group = rng.integers(0, count, n_subtrees)
    found = topic_groups._fits(vectors @ vectors.T, group, count)
    for subtree in range(n_subtrees):
        for one in range(count):
            others = vectors[(group == one) & (np.arange(n_subtrees) != subtree)].sum(axis=0)
            length = np.linalg.norm(others)
            expected = vectors[subtree] @ others / length if length > 1e-6 else 0.0
            assert found[subtree, one] == pytest.approx(expected, abs=1e-6)
