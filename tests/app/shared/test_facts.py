"""Facts of a topic: relevance, similarity and how often it is on, each against its definition."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.app.shared.topic_facts import (
    MIN_SIMILARITY,
    similar_topics,
    topic_usage,
    words_by_relevance,
    words_by_weight,
)
from orrery.core.data.corpus import Corpus
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.labels import marginals, reach
from orrery.core.model.network import weight_to_probability
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from tests.app.toy import edited, toy_run
from tests.conftest import ROOT

RUN = toy_run()
N_TOPICS = RUN.network.graph.n_topics
TOPIC = st.integers(0, N_TOPICS - 1)
ALL = RUN.network.graph.n_tokens


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(ROOT / "sample_data" / "corpus")


@settings(deadline=None)
@given(TOPIC, st.floats(0, 1))
def test_words_stand_in_the_order_of_their_relevance(topic: int, share: float) -> None:
    base = marginals(RUN.network)[N_TOPICS:]
    brought = reach(RUN.network).toarray()[topic]
    token = {word.replace("_", " "): number for number, word in enumerate(RUN.vocabulary)}
    last = math.inf
    for word in words_by_relevance(RUN, topic, share, ALL):
        before, alone = base[token[word.text]], brought[token[word.text]]
        after = 1 - (1 - before) * (1 - alone)
        assert word.probability == pytest.approx(after)
        assert word.lift == pytest.approx(after / before)
        relevance = share * math.log(after) + (1 - share) * math.log(after / before)
        assert relevance <= last + 1e-9
        last = relevance


@settings(deadline=None)
@given(TOPIC)
def test_the_two_ends_of_relevance_are_probability_and_lift(topic: int) -> None:
    frequent = [word.probability for word in words_by_relevance(RUN, topic, 1.0, ALL)]
    special = [word.lift for word in words_by_relevance(RUN, topic, 0.0, ALL)]
    assert frequent == sorted(frequent, reverse=True)
    assert special == sorted(special, reverse=True)


@settings(deadline=None)
@given(TOPIC, st.integers(1, 4))
def test_words_by_weight_are_the_strongest_links(topic: int, count: int) -> None:
    graph = RUN.network.graph
    span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
    is_word = graph.child_idx[span] >= N_TOPICS
    weights = np.sort(RUN.network.weight[graph.child_edge[span]][is_word])[::-1]
    found = words_by_weight(RUN, topic, count)
    assert [word.weight for word in found] == pytest.approx(weights[:count].tolist())


@settings(deadline=None)
@given(st.permutations(range(5, N_TOPICS)))
def test_a_topic_has_the_words_and_the_strongest_links_of_those_shown_as_it(
    order: list[int],
) -> None:
    # Links to one word that are not of one weight.
    weight = RUN.network.weight * np.linspace(1.0, 2.0, RUN.network.graph.n_edges)
    uneven = replace(RUN, network=replace(RUN.network, weight=weight))
    each = order[:2]
    run = edited(uneven, merged={each[1]: each[0]})
    best: dict[str, tuple[float, float]] = {}
    for topic in each:
        for word in words_by_relevance(uneven, topic, 1.0, ALL):
            leak, weight = best.get(word.text, (0.0, 0.0))
            best[word.text] = max(leak, word.probability), max(weight, word.weight)
    found = words_by_relevance(run, each[0], 1.0, ALL)
    assert {word.text: (word.probability, word.weight) for word in found} == best
    linked = words_by_weight(run, each[0], ALL)
    assert {word.text: word.weight for word in linked} == {
        text: weight for text, (_, weight) in best.items() if weight
    }
    # The union is larger than either.
    assert len(linked) > max(len(words_by_weight(uneven, topic, ALL)) for topic in each)


@settings(deadline=None)
@given(TOPIC)
def test_similarity_is_the_cosine_of_the_childrens_probabilities(topic: int) -> None:
    graph = RUN.network.graph
    effect = np.zeros((N_TOPICS, graph.n_nodes))
    effect[graph.parent_idx, graph.edge_children()] = weight_to_probability(RUN.network.weight)
    unit = effect / np.linalg.norm(effect, axis=1, keepdims=True)
    expected = unit @ unit[topic]
    found = similar_topics(RUN.network, topic, N_TOPICS)
    assert {k: pytest.approx(expected[k]) for k in range(N_TOPICS)
            if k != topic and expected[k] >= MIN_SIMILARITY} == dict(found)  # fmt: skip
    cosines = [cosine for _, cosine in found]
    assert cosines == sorted(cosines, reverse=True)


def test_usage_counts_the_documents_in_which_a_topic_is_on(corpus: Corpus) -> None:
    network = load_run(ROOT / "sample_data" / "run").network
    used = topic_usage(network, corpus, 7)
    assert used.documents == 7
    expected = np.zeros(network.graph.n_topics, int)
    for row in np.linspace(0, corpus.n_documents - 1, 7).round().astype(int):
        tokens = corpus.token_idx[corpus.token_ptr[row] : corpus.token_ptr[row + 1]]
        posterior = infer(network, Evidence(tuple(tokens.tolist()), closed_world=True))
        for topic, probability in zip(posterior.local.topics, posterior.probability, strict=True):
            expected[topic] += probability > 0.5
    assert used.size == tuple(expected)
    assert sum(used.size) > 0


def test_no_more_documents_are_queried_than_there_are(corpus: Corpus) -> None:
    network = load_run(ROOT / "sample_data" / "run").network
    few = Corpus(**{**vars(corpus), **_first(corpus, 3)})
    assert topic_usage(network, few).documents == 3


def _first(corpus: Corpus, count: int) -> dict[str, object]:
    end = corpus.token_ptr[count]
    return {
        "token_ptr": corpus.token_ptr[: count + 1],
        "token_idx": corpus.token_idx[:end],
        "documents": corpus.documents.head(count),
    }
