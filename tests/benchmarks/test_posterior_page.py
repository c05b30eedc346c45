"""The page of the posterior: documents drawn as the model has them, curves, and every part."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.app.workspace import catalog as models
from orrery.core.inference.evidence import Evidence
from tests.benchmarks import subjects
from tests.benchmarks.__main__ import _parser
from tests.benchmarks.answer_quality import Answer, evaluate
from tests.benchmarks.calibration import curve, matching, whole
from tests.benchmarks.data import MissingData, UnknownName
from tests.benchmarks.drawn import draw_documents
from tests.benchmarks.part import Settings
from tests.benchmarks.parts import PAGES, posterior_speed
from tests.benchmarks.parts.diagnosis import not_better
from tests.benchmarks.parts.question_speed import missed
from tests.benchmarks.queries import KINDS, queries_of
from tests.benchmarks.subjects import Subject
from tests.benchmarks.truth import Truth, truth_of
from tests.random_networks import plain_network, sampled_corpus

QUICK = Settings(quick=True, sets=("sample",), page="posterior")


@pytest.fixture(scope="module")
def network():
    return plain_network(np.random.default_rng(5), 6, 10, 0.5)


@pytest.fixture(scope="module")
def drawn(network):
    return draw_documents(network, 20_000, np.random.default_rng(0))


def truth(probability, is_known=True):
    p = np.array(probability)
    free = np.ones(len(p), bool)
    return Truth(np.arange(len(p)), p, np.zeros(len(p)), free, "sums", is_known)


def evaluated(shown_text, truths, error=None):
    answers = iter([shown_text[0], *shown_text])

    def answer(_):
        p = np.array(next(answers))
        return Answer(np.arange(len(p)), p, None if error is None else p * 0.0 + error, None, 1.0)

    return evaluate(answer, [Evidence((0,), closed_world=False)] * len(shown_text), truths)


def test_documents_are_drawn_as_often_as_the_model_has_them(network, drawn):
    other = sampled_corpus(network, 20_000, np.random.default_rng(1)).to_csr().mean(axis=0)
    np.testing.assert_allclose(drawn.tokens.mean(axis=0), other, atol=0.02)
    # Nothing observed but a root's own leak.
    root = int(np.argmin(np.diff(network.graph.parent_ptr)[: network.graph.n_topics]))
    assert network.graph.parent_ptr[root] == network.graph.parent_ptr[root + 1]
    by_leak = -np.expm1(-network.leak[root])
    assert drawn.is_on[:, root].mean() == pytest.approx(by_leak, abs=0.015)


def test_the_true_posterior_is_calibrated_on_documents_drawn_from_the_model(network, drawn):
    queries = [Evidence(words, closed_world=False) for words in ((0, 1), (2,), (4, 5, 7), (3, 8))]
    cases = [*matching(drawn, queries, 2_000), *whole(drawn, 300)]
    truths = [truth_of(network, case.evidence) for case in cases]
    states = [drawn.is_on[case.rows][:, t.topics] for case, t in zip(cases, truths, strict=True)]
    found = curve([t.probability for t in truths], states)
    has_some = found.count > 100
    assert has_some.sum() >= 5
    assert (np.abs(found.gap) <= 4.0 * found.error + 0.005)[has_some].all()
    overconfident = curve([(t.probability > 0.5) * 1.0 for t in truths], states)
    assert overconfident.gap[-1] < -0.05


def test_a_query_is_about_the_documents_that_have_all_its_words(drawn):
    (case,) = matching(drawn, [Evidence((1, 2), closed_world=False)], 7)
    assert len(case.rows) == 7
    assert drawn.tokens[case.rows][:, [1, 2]].toarray().all()


def test_words_of_queries_are_words_of_a_document_and_as_many_as_requested(network):
    corpus = sampled_corpus(network, 200, np.random.default_rng(2))
    about = Subject("", "", network, corpus)
    documents = [set(corpus.tokens_of(row).tolist()) for row in range(corpus.n_documents)]
    for kind in (KINDS["1 word"], KINDS["2–4 words"], KINDS["a whole document"]):
        for evidence in queries_of(about, kind, 30):
            assert evidence.closed_world == kind.is_whole
            assert any(set(evidence.present) <= tokens for tokens in documents)
            assert kind.is_whole or kind.fewest <= len(evidence.present) <= kind.most


def test_errors_are_of_the_topics_then_of_the_queries():
    found = evaluated([[0.5, 0.1], [0.92, 0.995]], [truth([0.5, 0.3]), truth([0.9, 0.99])])
    assert found["mean"] == pytest.approx((0.1 + 0.0125) / 2)
    assert found["largest"] == pytest.approx(0.2)
    assert found["good"] == 0.5
    assert found["sure"] == pytest.approx(0.99)


@pytest.mark.parametrize(("true", "share"), [(0.52, 0.0), (0.54, 1.0)])
def test_a_colour_counts_where_the_truth_has_one(true, share):
    assert evaluated([[0.49]], [truth([true])])["wrong"] == share


def test_queries_without_a_known_truth_are_left_out():
    found = evaluated([[0.5], [0.9]], [truth([0.5]), truth([0.1], is_known=False)])
    assert found["largest"] == 0.0


def test_stated_errors_are_measured_against_the_truth():
    found = evaluated([[0.5, 0.3]], [truth([0.52, 0.3])], error=0.01)
    assert (found["z2"], found["beyond"]) == (pytest.approx(2.0), pytest.approx(0.0, abs=0.5))
    assert (found["stated"], found["exact"]) == (pytest.approx(0.01), 0.0)
    assert evaluated([[0.5]], [truth([0.5])], error=0.0)["exact"] == 1.0


@pytest.mark.parametrize("name", PAGES["posterior"].parts)
def test_every_part_runs_and_is_shown(name):
    part = PAGES["posterior"].parts[name]
    try:
        figures = part.run(QUICK)
    except MissingData:
        assert name == "diagnosis"
        pytest.skip("the medical network is not at hand")
    first = "| order of frequency" if name == "diagnosis" else "| The sample"
    assert first in part.show(figures) or name == "posterior_error"


def test_a_finished_run_takes_the_place_of_a_training():
    folder = models.SAMPLE_DATA / "run"
    chosen = _parser().parse_args(["posterior", "--run", f"news20={folder}"])
    settings = Settings(sets=("news20",), page="posterior", runs=tuple(chosen.run))
    about = subjects.subject("news20", settings)
    assert about.title == "20 Newsgroups"
    assert about.network.graph.n_topics == 64
    assert settings.command("x").endswith("--only x --sets news20 --run news20=RUN")
    with pytest.raises(SystemExit):
        _parser().parse_args(["posterior", "--run", "sample"])


def test_a_model_of_no_such_name_is_refused():
    with pytest.raises(UnknownName, match="there is no set other"):
        posterior_speed.run(Settings(sets=("other",)))


def test_the_figures_say_which_times_miss_the_goal_and_where_questions_do_not_help():
    works = {"questions": {"milliseconds": [1.0, 99.0, 300.0]}}
    slow = {"explanations": {"milliseconds": [1.0, 101.0, 300.0]}}
    one = {"title": "One", "works": works}
    assert missed({"one": one}) == "All 1 rows reach the goal."
    found = missed({"one": one, "two": {"title": "Two", "works": slow}})
    assert found == "1 of 2 rows miss the goal: Two, five explanations (101.0 ms)."
    losses = {"frequency": [9.0, 5.0, 5.0, 5.0, 5.0], "information": [9.0, 4.0, 5.0, 6.0, 6.0]}
    assert "after 10, 20 questions" in not_better(
        {**losses, "confirmation": [9.0, 6.0, 6.0, 5.0, 4.0]}
    )
    assert "after each number" in not_better({**losses, "confirmation": [9.0, 4.0, 4.0, 4.0, 4.0]})
