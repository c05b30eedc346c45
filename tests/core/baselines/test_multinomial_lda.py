"""scikit-learn's LDA beside ours: planted topics are found, the same seed gives the same model."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.baselines.peers import train_lda
from orrery.core.utils.errors import InputError
from tests.core.baselines.test_bernoulli_lda import planted_corpus


def test_planted_topics_and_the_words_to_expect_are_found():
    corpus, group = planted_corpus(0)
    lda = train_lda(corpus, np.arange(200), 3, seed=0)
    np.testing.assert_allclose(lda.topics.sum(axis=1), 1.0)
    rest = np.arange(200, 300)
    expected = lda.word_probabilities(corpus, rest).reshape(len(rest), 3, 5).sum(axis=2)
    assert (expected.argmax(axis=1) == group[rest]).mean() > 0.95
    np.testing.assert_allclose(expected.sum(axis=1), 1.0)


def test_only_the_training_documents_are_read_and_the_seed_decides():
    corpus, _ = planted_corpus(1)
    rows = np.arange(0, 300, 2)
    one, again = train_lda(corpus, rows, 4, 5), train_lda(corpus.subset(rows), rows // 2, 4, 5)
    assert one.topics.tobytes() == again.topics.tobytes()
    assert train_lda(corpus, rows, 4, 2**40 + 6).topics.tobytes() != one.topics.tobytes()


@pytest.mark.parametrize(("rows", "n_topics"), [([], 3), ([0, 1], 0)])
def test_nothing_to_train_is_refused(rows, n_topics):
    corpus, _ = planted_corpus(1)
    with pytest.raises(InputError, match="needs a topic and a document"):
        train_lda(corpus, np.array(rows, np.int64), n_topics, 0)
