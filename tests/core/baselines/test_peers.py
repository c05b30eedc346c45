"""Topic models of other packages: what is taken from them, and what they cannot be given."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from orrery.core.baselines.peers import CorexTopics, GensimLda, TomotopyHlda, TomotopyLda
from orrery.core.utils.errors import InputError
from tests.core.baselines.test_bernoulli_lda import planted_corpus
from tests.core.baselines.test_multinomial_lda_family import agreement

PACKAGES = {
    GensimLda: "gensim", TomotopyLda: "tomotopy", TomotopyHlda: "tomotopy",
    CorexTopics: "corextopic",
}  # fmt: skip


@pytest.fixture(params=list(PACKAGES), ids=lambda system: system.__name__)
def system(request):
    pytest.importorskip(PACKAGES[request.param], reason="an extra, orrery[peers]")
    return request.param


def test_planted_groups_are_found_and_the_seed_decides(system):
    corpus, group = planted_corpus(2)
    best = max(agreement(system(3, seed).fit(corpus).infer(corpus), group) for seed in range(3))
    # gensim updates its topics once per pass on this few documents.
    assert best > (0.6 if system is GensimLda else 0.9)
    one, again, other = (system(3, seed).fit(corpus).topics() for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes() != other.tobytes()


def test_a_fit_can_be_followed_and_stopped(system):
    corpus, _ = planted_corpus(0)
    reported, state = [], np.random.get_state()[1].copy()
    stopped = system(3).fit(
        corpus, progress=lambda share: bool(reported.append(share)) or len(reported) == 2
    )
    assert len(reported) == 2
    assert 0 < reported[0] < reported[1] < 1
    assert np.isfinite(stopped.bound_or_likelihood(corpus)).all()
    assert stopped.expected_words(corpus).shape == (300, 15)
    np.testing.assert_array_equal(np.random.get_state()[1], state)


def test_empty_documents_are_read_and_nonsense_is_refused(system):
    presence = sparse.csr_array(np.array([[1.0, 0, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1]]))
    model = system(2).fit(presence)
    assert np.isfinite(model.bound_or_likelihood(presence)).all()
    with pytest.raises(InputError, match="no document to train on"):
        system(2).fit(sparse.csr_array((0, 3)))
    with pytest.raises(InputError, match="not sequences"):
        system(2).fit([np.array([1, 2])])


def test_nothing_is_printed_among_the_answers(system, capsys):
    # A word without documents, and one that is in all.
    system(2).fit(sparse.csr_array(np.array([[1.0, 0, 1], [1, 0, 0], [1, 0, 1], [1, 0, 1]])))
    assert capsys.readouterr().out == ""


def test_the_likelihood_of_corex_adds_up_to_one_over_all_documents():
    pytest.importorskip("corextopic", reason="an extra, orrery[peers]")
    rng = np.random.default_rng(0)
    presence = sparse.csr_array((rng.random((50, 6)) < 0.4).astype(float))
    model = CorexTopics(2).fit(presence)
    states = np.array(list(product([0.0, 1.0], repeat=6)))
    log_p = model.bound_or_likelihood(sparse.csr_array(states))
    np.testing.assert_allclose(np.exp(log_p).sum(), 1.0)
    odds = model.expected_words(sparse.csr_array(states))
    place = {tuple(state): number for number, state in enumerate(states)}
    for number, state in enumerate(states):
        for word in range(6):
            on, off = state.copy(), state.copy()
            on[word], off[word] = 1.0, 0.0
            expected = log_p[place[tuple(on)]] - log_p[place[tuple(off)]]
            np.testing.assert_allclose(odds[number, word], expected, atol=1e-9)
    with pytest.raises(InputError, match="set all counts to 1"):
        model.fit(sparse.csr_array(np.array([[2.0, 1.0]])))
