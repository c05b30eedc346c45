"""Labels: words are chosen by the effect of the topic on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.graph import build_graph
from orrery.core.model.labels import (
    MIN_LIFT,
    MIN_WORD_PROBABILITY,
    TopicWords,
    caused_shares,
    marginals,
    reach,
)
from orrery.core.model.network import build_network, weight_to_probability
from orrery.core.model.topic_names import NO_WORDS, _is_form, topic_labels
from tests import naive
from tests.benchmarks.labels import lacks_strongest, likeliest
from tests.random_networks import problems, several


def tree(rng):
    """Every node has at most one parent, so that no two parents can depend on each other."""
    parents = [-1, 0, 0, 1, 2, 1, 3, 4, 2, 0, -1]
    edges = [(parent, child) for child, parent in enumerate(parents) if parent >= 0]
    graph, _ = build_graph(
        6, [f"topic {k}" for k in range(5)], [e[0] for e in edges], [e[1] for e in edges]
    )
    return build_network(
        graph, rng.uniform(0.1, 2.0, graph.n_edges), rng.uniform(0.01, 0.5, graph.n_nodes)
    )


def words_of(network):
    """A word for every token."""
    return [f"word{token}" for token in range(network.graph.n_tokens)]


def test_marginals_of_a_tree_are_the_enumerated_ones():
    network = tree(np.random.default_rng(0))
    expected = naive.marginals(network, {})
    tokens = range(network.graph.n_topics, network.graph.n_nodes)
    words = [np.exp(naive.log_likelihood(network, {token: 1})) for token in tokens]
    np.testing.assert_allclose(marginals(network), [*expected, *words], rtol=1e-9)


def test_marginals_continue_from_what_is_known():
    network = tree(np.random.default_rng(2))
    expected = naive.marginals(network, {1: 1})
    tokens = range(network.graph.n_topics, network.graph.n_nodes)
    words = [
        np.exp(
            naive.log_likelihood(network, {1: 1, token: 1}) - naive.log_likelihood(network, {1: 1})
        )
        for token in tokens
    ]
    known = dict(enumerate(expected))
    np.testing.assert_allclose(marginals(network, known), [*expected, *words], rtol=1e-9)


@several
@given(problems(), st.dictionaries(st.integers(0, 5), st.sampled_from([0.0, 0.3, 1.0])))
def test_marginals_are_those_of_one_node_after_the_other(problem, known):
    network = problem.network
    graph = network.graph
    expected = np.zeros(graph.n_nodes)
    for node in range(graph.n_nodes):
        off = np.exp(-network.leak[node])
        for edge, parent in naive.edges_into(network, node):
            off *= 1.0 - expected[parent] * weight_to_probability(network.weight[edge])
        expected[node] = known.get(node, 1.0 - off) if node < graph.n_topics else 1.0 - off
    np.testing.assert_allclose(marginals(network, known), expected, rtol=1e-9, atol=1e-15)


@several
@given(problems())
def test_marginals_are_probabilities_at_least_those_of_the_leaks(problem):
    probability = marginals(problem.network)
    assert (probability >= -np.expm1(-problem.network.leak) * (1 - 1e-9)).all()
    assert (probability <= 1.0).all()


def test_reach_in_a_tree_is_the_effect_of_a_topic_alone():
    network = tree(np.random.default_rng(1))
    n_topics = network.graph.n_topics
    reached = reach(network).toarray()
    for topic in range(n_topics):
        for token in range(network.graph.n_tokens):
            node, effect = n_topics + token, 1.0
            while node != topic and len(network.graph.parents(node)):
                edge, parent = naive.edges_into(network, node)[0]
                effect *= 1.0 - np.exp(-network.weight[edge])
                node = parent
            expected = effect if node == topic else 0.0
            assert reached[topic, token] == pytest.approx(expected, rel=1e-9)


@several
@given(problems())
def test_reach_is_a_probability_and_follows_the_graph(problem):
    network, n_topics = problem.network, problem.network.graph.n_topics
    reached = reach(network).toarray()
    assert ((reached >= 0) & (reached <= 1)).all()
    for token in range(network.graph.n_tokens):
        above = naive.ancestors(network, [n_topics + token])
        assert set(np.flatnonzero(reached[:, token]).tolist()) <= above


@several
@given(problems())
def test_words_are_those_reached_most_informative_first(problem):
    network = problem.network
    described = TopicWords(network, words_of(network))
    base = marginals(network)[network.graph.n_topics :]
    for topic in range(network.graph.n_topics):
        words = described.words(topic, 100)
        tokens = described.tokens(topic, 100)
        assert [word for word, _, _ in words] == [f"word{token}" for token in tokens]
        for token, (_, probability, lift) in zip(tokens, words, strict=True):
            assert base[token] * (1 - 1e-9) <= probability <= 1.0
            assert lift == pytest.approx(probability / base[token])
        scores = [probability * np.log(lift) for _, probability, lift in words]
        assert (np.diff(scores) <= 1e-12).all()
        assert described.words(topic, 2) == words[:2]


def test_labels_are_the_most_informative_words_with_phrases_open():
    graph, _ = build_graph(5, ["alone", "other"], [0, 0, 0, 0], [2, 3, 4, 5])
    network = build_network(graph, [0.5, 3.0, 2.0, 1.0], np.full(graph.n_nodes, 0.05))
    vocabulary = ["space", "new_york", "orbit", "nasa", "tea"]
    assert topic_labels(network, vocabulary) == ["new york · orbit · nasa", "no words"]


def named_words(label):
    """Words of a label."""
    return [] if label == NO_WORDS else label.split(" · ")


@several
@given(problems())
def test_a_name_begins_with_the_strongest_word_and_lacks_none(problem):
    network = problem.network
    vocabulary = words_of(network)
    labels = topic_labels(network, vocabulary)
    described, reached = TopicWords(network, vocabulary), reach(network).toarray()
    rarity = dict(zip(vocabulary, described.rarity, strict=True))
    lacks = lacks_strongest(network, vocabulary, labels)
    for topic, label in enumerate(labels):
        found = described.words(topic, 100)
        often = {word: reached[topic, vocabulary.index(word)] for word, _, _ in found}
        assert (label == NO_WORDS) == (max(often.values(), default=0.0) < MIN_WORD_PROBABILITY)
        if label == NO_WORDS:
            assert not lacks[topic]
            continue
        shown_text = named_words(label)
        assert len(shown_text) == len(set(shown_text)) == min(3, len(found))
        assert shown_text[0] == found[0][0]
        prior = marginals(network)
        reported = []
        for word, probability, lift in found:
            absent = 1.0 - probability / lift
            off = 1.0 - absent / (1.0 - prior[topic] * often[word])
            if 1.0 - (1.0 - off) * (1.0 - often[word]) >= MIN_LIFT * max(off, 0.0):
                reported.append(often[word] * rarity[word])
        assert not reported or max(reported) in [often[word] * rarity[word] for word in shown_text]
        likeliest = {word for word in often if often[word] >= max(often.values()) * (1 - 1e-9)}
        assert lacks[topic] == likeliest.isdisjoint(shown_text)


@several
@given(problems())
def test_names_are_of_different_words_while_there_are_any(problem):
    network = problem.network
    labels = topic_labels(network, words_of(network))
    described = TopicWords(network, words_of(network))
    before = set()
    for topic, label in enumerate(labels):
        shown_text = frozenset(named_words(label))
        if shown_text and shown_text in before:
            # Each of its own words in the last place was another's name.
            assert len(described.words(topic, 100)) - 2 <= len(before)
        before.add(shown_text)


def test_a_name_that_is_taken_continues_with_the_next_word():
    edges = [(topic, 2 + token) for topic in range(2) for token in range(4)]
    graph, order = build_graph(5, ["one", "two"], *zip(*edges, strict=True))
    weight = np.array([2.0, 1.5, 1.0, 0.5] * 2)[order]
    network = build_network(graph, weight, np.full(graph.n_nodes, 0.05))
    first, second = topic_labels(network, ["a", "b", "c", "d", "e"])
    assert (first, second) == ("a · b · c", "a · b · d")


@several
@given(problems())
def test_the_share_that_an_edge_causes_is_how_often_it_acts_of_how_often_its_child_is_on(problem):
    network, graph = problem.network, problem.network.graph
    probability, share = marginals(network), caused_shares(network)
    assert ((share >= 0.0) & (share <= 1.0)).all()
    for node in range(graph.n_nodes):
        for edge, parent in naive.edges_into(network, node):
            acts = probability[parent] * (1.0 - np.exp(-network.weight[edge]))
            assert share[edge] * probability[node] == pytest.approx(min(acts, probability[node]))


def below_a_parent(leak_of_parent):
    """A parent of one child; both bring the words bird, wing and nest, the child four more."""
    vocabulary = ["bird", "wing", "nest", "gull", "tern", "reef", "tide"]
    parent = [(0, 1, 2.0), *((0, 2 + token, 0.2) for token in range(3))]
    strength = [1.5, 1.2, 1.1, 0.9, 0.8, 0.3, 0.2]
    child = [(1, 2 + token, weight) for token, weight in enumerate(strength)]
    parents, children, weights = zip(*parent, *child, strict=True)
    graph, order = build_graph(len(vocabulary), ["general", "special"], parents, children)
    leak = np.array([leak_of_parent, 0.01, *[0.01] * len(vocabulary)])
    network = build_network(graph, np.array(weights)[order], leak)
    return topic_labels(network, vocabulary)


def test_a_parent_takes_words_by_the_share_of_the_child_that_it_causes():
    assert below_a_parent(0.5) == ["bird · wing · nest", "bird · gull · tern"]
    # A parent that is never on takes nothing, however strong its edge is.
    assert below_a_parent(1e-6) == [
        "bird · wing · nest",
        "bird · wing · gull",
    ]


def test_what_siblings_bring_as_well_has_no_information():
    # Both siblings bring "sea" and "salt", each has a strongest word and a weaker one of its own.
    vocabulary = ["boat", "sea", "salt", "oar", "fish", "net"]
    edges = [(0, 1, 2.0), (0, 2, 2.0)]
    edges += [(1, 3 + token, weight) for token, weight in ((0, 2.0), (1, 1.2), (2, 1.1), (3, 0.35))]
    edges += [(2, 3 + token, weight) for token, weight in ((4, 2.0), (1, 1.2), (2, 1.1), (5, 0.35))]
    parents, children, weights = zip(*edges, strict=True)
    graph, order = build_graph(6, ["top", "boats", "fishing"], parents, children)
    network = build_network(
        graph, np.array(weights)[order], np.array([0.3, *[0.01] * (graph.n_nodes - 1)])
    )
    labels = topic_labels(network, vocabulary)
    assert named_words(labels[1])[:2] == ["boat", "oar"]
    assert named_words(labels[2])[:2] == ["fish", "net"]
    described = TopicWords(network, vocabulary)
    acts = np.array([1.0 - np.exp(-2.0)])
    apart = described.scores_apart(1, [0], acts, np.ones(1))
    plain = described.scores_apart(1, [0], acts, np.zeros(1))
    sea, oar = vocabulary.index("sea"), vocabulary.index("oar")
    assert plain[sea] > plain[oar] == pytest.approx(apart[oar])
    assert apart[sea] < apart[oar]
    scores = {word: probability * np.log(lift) for word, probability, lift in described.words(1)}
    assert {vocabulary[token]: value for token, value in plain.items()} == pytest.approx(
        scores, 1e-5
    )


def test_a_word_that_everything_brings_is_no_strongest_word():
    # "data" is what the topic switches on the most often, but it is there anyway.
    graph, _ = build_graph(3, ["topic"], [0, 0, 0], [1, 2, 3])
    network = build_network(graph, [1.0, 0.9, 0.8], [0.05, 1.5, 0.01, 0.01])
    vocabulary = ["data", "kernel", "margin"]
    described = TopicWords(network, vocabulary)
    assert likeliest(network, vocabulary, 0) == ["data"]
    assert [vocabulary[token] for token in described.strongest(0)] == ["kernel"]
    assert topic_labels(network, vocabulary)[0].startswith("kernel · margin")
    assert lacks_strongest(network, vocabulary, ["kernel · margin"]).tolist() == [True]
    assert lacks_strongest(network, vocabulary, ["kernel · data"]).tolist() == [False]


def test_a_topic_whose_weights_have_died_has_no_words():
    graph, _ = build_graph(4, ["a"], [0, 0], [1, 2])
    dead = build_network(graph, [1e-7, 1e-7], [0.02, 0.1, 0.2, 0.3, 0.1])
    assert topic_labels(dead, ["w", "x", "y", "z"]) == ["no words"]
    faint = build_network(graph, [0.015, 0.015], [0.02, 0.1, 0.2, 0.3, 0.1])
    assert topic_labels(faint, ["w", "x", "y", "z"]) == ["no words"]
    assert topic_labels(faint, ["w", "x", "y", "z"], {"a"}) == ["a"]
    # A word that occurs in nine of ten documents is still a valid name.
    common = build_network(graph, [0.03, 1e-7], [0.02, 2.3, 0.2, 0.3, 0.1])
    assert topic_labels(common, ["w", "x", "y", "z"]) == ["w"]


def test_a_topic_that_is_nearly_always_on_has_its_words():
    # With it on in nine documents of ten, no word is much more frequent than over all.
    graph, _ = build_graph(3, ["always"], [0, 0, 0], [1, 2, 3])
    network = build_network(graph, [1.0, 2.0, 0.5], [2.3, 0.01, 0.01, 0.01])
    described = TopicWords(network, ["lines", "host", "subject"])
    assert 1 in described.strongest(0)
    assert {word: lift for word, _, lift in described.words(0)}["host"] < MIN_LIFT
    assert "host" in topic_labels(network, ["lines", "host", "subject"])[0]


@several
@given(problem=problems())
def test_topics_that_a_person_named_go_by_their_names(problem):
    network = problem.network
    plain = topic_labels(network, words_of(network))
    name = network.graph.topic_ids[0]
    assert topic_labels(network, words_of(network), {name, "nix"}) == [name, *plain[1:]]


def name_of(vocabulary):
    """Name of a topic that brings words, the first of them the most often."""
    count = len(vocabulary)
    graph, order = build_graph(count, ["a"], [0] * count, range(1, 1 + count))
    weight = -np.log1p(-np.linspace(0.9, 0.4, count))[order]
    return topic_labels(build_network(graph, weight, np.full(1 + count, 0.05)), vocabulary)[0]


@pytest.mark.parametrize(
    ("vocabulary", "expected"),
    [
        ("shares share stock market", "shares · stock · market"),
        ("shares share", "shares · share"),
        # A phrase counts for what is new in it, and for nothing where nothing is.
        ("saudi_arabia saudi oil price", "saudi arabia · oil · price"),
        # No word is a part of a phrase of the name, while there are others.
        ("anti anti_semitism jews", "anti · jews · anti semitism"),
        ("police police_officers protest march", "police · protest · march"),
        ("bank_of_england house_of_lords omega", "bank of england · house of lords · omega"),
        ("_alpha _beta gamma", " alpha ·  beta · gamma"),
    ],
)
def test_a_name_has_no_word_in_two_forms_while_there_are_others(vocabulary, expected):
    assert name_of(vocabulary.split()) == expected


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("oil", "oils", True),
        ("tax", "taxes", True),
        ("company", "companies", True),
        ("export", "exported", True),
        ("produce", "producing", True),
        ("malaysia", "malaysian", True),
        ("bahn", "bahnhof", False),
        ("plan", "plant", False),
        ("part", "party", False),
        ("policy", "police", False),
        ("contract", "contrast", False),
        ("10000", "10001", False),
        ("銀行", "銀行", True),
        ("a", "as", False),
    ],
)
def test_words_are_forms_of_one_where_their_endings_alone_differ(word, other, expected):
    assert _is_form(word, other) is expected
    assert _is_form(other, word) is expected


@given(problems(), st.data())
def test_topics_shown_as_one_have_the_words_of_all_each_with_its_best_probability(problem, data):
    network = problem.network
    described = TopicWords(network, words_of(network))
    each = st.integers(0, network.graph.n_topics - 1)
    topics = data.draw(st.lists(each, min_size=1, max_size=3, unique=True))
    count = data.draw(st.integers(1, network.graph.n_tokens))
    best = {}
    for topic in topics:
        for word, probability, lift in described.words(topic, network.graph.n_tokens):
            best[word] = max(best.get(word, (0.0, 0.0)), (probability, lift))
    score = {word: by_leak * np.log(lift) for word, (by_leak, lift) in best.items()}
    found = described.words(topics[0], count, topics[1:])
    assert len(found) == min(count, len(best))
    assert [(by_leak, lift) for _, by_leak, lift in found] == [best[word] for word, _, _ in found]
    reported = [score[word] for word, _, _ in found]
    assert reported == pytest.approx(sorted(score.values(), reverse=True)[: len(found)], abs=1e-12)
    assert len({word for word, _, _ in found}) == len(found)
