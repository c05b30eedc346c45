"""How closely words are related, compared with random words of the texts."""

from __future__ import annotations

from math import exp, log2, prod

import numpy as np
import pytest
from scipy import sparse

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.words_together import (
    MAX_COMPARED,
    MIN_COMPARED,
    Comparison,
    TextsWithTopics,
    texts_with_topics,
    times_expected,
)
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from tests.random_networks import corpus_of_sets

# Words 0 to 3 belong to topic 0, words 4 to 7 to topic 1.
N_WORDS, LEAK, WEIGHT, ON = 8, 0.05, 1.5, 0.9


def two_topics() -> Network:
    tokens = np.arange(N_WORDS)
    graph, _ = build_graph(N_WORDS, ["A", "B"], tokens // 4, 2 + tokens)
    return build_network(graph, np.full(N_WORDS, WEIGHT), np.full(2 + N_WORDS, LEAK))


def texts(n_texts: int = 80) -> TextsWithTopics:
    """Texts of three words, each of topic 0 or of topic 1 in turn."""
    topic = np.arange(n_texts) % 2
    sets = [{4 * k + (t + step) % 4 for step in range(3)} for t, k in enumerate(topic)]
    corpus = corpus_of_sets(sets, N_WORDS)
    stored = sparse.csr_array(np.where(topic[:, None] == [0, 1], ON, 0.0))
    return texts_with_topics(two_topics(), corpus.to_csr(), stored, np.arange(n_texts))


def chance(token: int, topic: int) -> float:
    """Probability of a word in a text of a topic."""
    is_on = ON if token // 4 == topic else 0.0
    return 1.0 - exp(-LEAK) * (1.0 - is_on * (1.0 - exp(-WEIGHT)))


def bits(tokens: list[int], counts: tuple[int, int] = (40, 40)) -> float:
    """Bits of words in these numbers of texts of the topics."""

    def mean(some: list[int]) -> float:
        given = [prod(chance(token, topic) for token in some) for topic in (0, 1)]
        return float(np.average(given, weights=counts))

    return log2(mean(tokens)) - sum(log2(mean([token])) for token in tokens)


@pytest.mark.parametrize("tokens", [[0, 1], [0, 4], [1, 2, 5], [4, 5, 6]])
def test_bits_are_those_of_the_mean_over_the_texts(tokens: list[int]) -> None:
    known = texts()
    found = known.compare(tokens, known.usual_bits(len(tokens)))
    assert found is not None
    assert found.bits == pytest.approx(bits(tokens))
    assert (found.n_words, found.n_texts) == (len(tokens), 80)


def test_words_of_two_topics_are_less_related_than_those_of_any_text() -> None:
    known = texts()
    usual = known.usual_bits(2)
    # Its own text is no evidence for its words.
    np.testing.assert_allclose(usual, bits([0, 1], (39, 40)))
    apart = known.compare([0, 4], usual)
    assert apart is not None
    assert (apart.share_less, apart.share_more) == (0.0, 1.0)
    assert apart.sentence == (
        "These words are less closely related than random words of one text (in 80 of 80 texts "
        "taken from the corpus): an unusual combination."
    )


def test_the_random_words_are_the_same_every_time_and_the_texts_few() -> None:
    np.testing.assert_array_equal(texts(900).usual_bits(3), texts(900).usual_bits(3))
    assert len(texts(900).usual_bits(3)) == MAX_COMPARED


def test_nothing_is_compared_with_too_few_texts_or_one_word() -> None:
    few = texts(MIN_COMPARED - 1)
    assert len(few.usual_bits(2)) == 0
    assert few.compare([0, 1], few.usual_bits(2)) is None
    # No text has four words.
    assert len(texts().usual_bits(4)) == 0
    assert texts().compare([0], texts().usual_bits(2)) is None


def test_the_larger_share_is_named() -> None:
    assert Comparison(3, 2.0, 200, 0.93, 0.07).sentence == (
        "These words are more closely related than random words of one text (in 186 of 200 texts "
        "taken from the corpus)."
    )
    assert Comparison(3, 0.1, 200, 0.1, 0.9).sentence == (
        "These words are less closely related than random words of one text (in 180 of 200 texts "
        "taken from the corpus)."
    )


def test_rounding_errors_and_ties_are_no_difference() -> None:
    known = texts()
    found = known.compare([0, 1], bits([0, 1]) + np.linspace(-1e-12, 1e-12, 60))
    assert found is not None
    assert (found.share_less, found.share_more) == (0.0, 0.0)
    assert found.sentence == (
        "These words are about as closely related as random words of one text (60 texts taken "
        "from the corpus)."
    )
    assert "about as" in Comparison(2, 0.0, 80, 0.5, 0.5).sentence


def test_words_of_one_topic_are_more_frequent_together_than_alone() -> None:
    network = two_topics()

    def log_probability(evidence: Evidence) -> float:
        return infer(network, evidence).log_probability

    def times(evidence: Evidence) -> float | None:
        return times_expected(infer(network, evidence), log_probability)

    pair = Evidence((0, 1), unknown=(2,), closed_world=False)
    alone = [log_probability(Evidence((token,), closed_world=False)) for token in (0, 1)]
    together = times(pair)
    assert together is not None
    assert together == pytest.approx(exp(log_probability(pair) - sum(alone)))
    assert together > 1.5
    others = (
        Evidence((0,), closed_world=False),
        Evidence((0, 1), (2,), closed_world=False),
        Evidence((0, 1), on=(1,), closed_world=False),
        Evidence((0, 1), closed_world=True),
    )
    assert [times(evidence) for evidence in others] == [None] * len(others)
