"""The comparison of structures: equal budgets, layers that are used, and its tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, probability_to_weight
from orrery.core.structure.layers import complete_edges
from tests.benchmarks.__main__ import main
from tests.benchmarks.corpora import CORPORA, body_of, little, prepared
from tests.benchmarks.data import MissingData, UnknownName, binary_corpus
from tests.benchmarks.layers_used import layers_used
from tests.benchmarks.part import Settings
from tests.benchmarks.parts import structures
from tests.benchmarks.parts.structures import complete_sizes, show
from tests.random_networks import problems, several


@several
@given(n_tokens=st.integers(2, 300), per_word=st.floats(1.0, 8.0))
def test_no_complete_graph_of_such_layers_comes_closer_to_the_budget(n_tokens, per_word):
    budget = round(per_word * n_tokens)
    sizes = complete_sizes(n_tokens, budget)
    edges = complete_edges(n_tokens, sizes)
    assert edges <= budget
    for first, top in product(range(1, 10), range(1, 4)):
        if first // 4 <= top <= -(-first // 4) and complete_edges(n_tokens, (first, top)) <= budget:
            assert complete_edges(n_tokens, (first, top)) <= edges


def test_the_first_method_sets_the_budget_and_complete_has_layers_of_its_own():
    options = structures._graph_options
    assert options("dense-regions", 100, (19, 4), None) == [
        *("--topics", "19,4"), *("--method", "dense-regions"),
    ]  # fmt: skip
    assert options("learned", 100, (19, 4), 633) == ["--topics", "19,4", "--edges", 633]
    sizes = ",".join(map(str, complete_sizes(100, 633)))
    assert options("complete", 100, (19, 4), 633)[:4] == ["--topics", sizes, "--edges", 633]


@pytest.fixture
def chain():
    """A topic above another above a word, with a strong link and a weak one."""

    def make(probability):
        graph, order = build_graph(1, ["top", "low"], [0, 1], [1, 2])
        weight = probability_to_weight([probability, 0.01])[order]
        return build_network(graph, weight, [0.1, 0.1, 0.1])

    return make


def test_a_layer_counts_where_its_topics_and_links_are_used(chain):
    assert layers_used(chain(0.5), np.array([0.1, 0.1])) == 2
    # A weak link, a topic that is never on above one that is, and the other way round.
    assert layers_used(chain(0.05), np.array([0.1, 0.1])) == 1
    assert layers_used(chain(0.5), np.array([0.0, 0.1])) == 1
    assert layers_used(chain(0.5), np.array([0.1, 0.0])) == 0


@several
@given(problem=problems())
def test_no_more_layers_are_used_than_there_are(problem):
    graph = problem.network.graph
    strong = build_network(graph, np.full(graph.n_edges, 1.0), problem.network.leak)
    if (np.diff(graph.child_ptr) > 0).all():
        assert layers_used(strong, np.ones(graph.n_topics)) == graph.n_layers()
    used = problem.rng.random(graph.n_topics) * (problem.rng.random(graph.n_topics) < 0.5)
    assert layers_used(problem.network, used) <= graph.n_layers()


def row(method, seed, gain, **changed):
    figures = {"control": -16.0, "npmi": 0.1, "diversity": 0.5, "topics": 23, "edges": 633}
    figures |= {"layers": 2, "layers_used": 1, "seconds": 9.0, "gigabytes": 0.3}
    counts = {"documents": 600, "words": 100, "seed": seed, "from": None, "method": method}
    return {**counts, **figures, "gain": gain, **changed}


def test_a_table_has_the_mean_over_splits_and_dashes_for_what_failed():
    rows = [row("dense-regions", seed, 1.0 + seed) for seed in (0, 1, 2)]
    rows += [{"method": "complete", "seed": 0, "from": None, "error": "too large"}]
    rows += [row("learned", 0, 4.0, **{"from": "complete"})]
    page = show({"rows": {"tiny20": rows}})
    assert "600 documents, 100 words, 3 splits; independent words (baseline): −16.00" in page
    assert "| dense-regions | 2.00 ± 2.00 | 0.100 | 0.500 | 23 | 633 | 1.0 of 2 | 9 |" in page
    assert "| complete | – |" in page
    assert "`--learn-structure` from complete | 4.00 |" in page
    assert "agglomerative |" not in page


def test_a_run_that_was_resumed_reports_it():
    rows = [row("dense-regions", 0, 1.0), row("learned", 0, 4.0, resumed=True)]
    page = show({"rows": {"tiny20": rows}})
    assert page.count("| 9 (resumed) |") == 1
    assert page.count("| 9 |") == 1
    assert "*Resumed*: stopped once" in page
    assert "esumed" not in show({"rows": {"tiny20": rows[:1]}})


def test_corpora_that_are_not_there_are_left_out_or_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("ORRERY_DATA", str(tmp_path))
    with pytest.raises(MissingData, match="none of the sets"):
        structures.run(Settings(quick=True, sets=("nips", "bbc")))
    with pytest.raises(UnknownName, match="no set other; choose among tiny20"):
        structures.run(Settings(quick=True, sets=("other",)))


def test_every_word_of_a_prepared_corpus_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("ORRERY_DATA", str(tmp_path))
    (tmp_path / "some.tsv").write_text('a "b a\ttrain\t1\n\ttest\t2\nnan b\ttest\t1\n')
    corpus = prepared("some.tsv")
    assert corpus.vocabulary == ('"b', "a", "b", "nan")
    np.testing.assert_array_equal(
        corpus.to_csr().toarray(), [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]]
    )


def test_a_post_loses_its_head_and_nothing_else():
    assert body_of("From: a\nLines: 2\n\nFirst.\n\nSecond.") == "First.\n\nSecond."
    assert body_of("From: a\r\n\r\nFirst.") == "First."
    assert body_of("No head.") == "No head."


def test_a_little_of_a_corpus_has_its_most_frequent_words():
    rng = np.random.default_rng(0)
    presence = rng.random((1_000, 300)) < np.linspace(0.9, 0.01, 300)
    small = little(binary_corpus(presence))
    assert (small.n_documents, small.n_tokens) == (600, 150)
    numbers = [int(word[1:]) for word in small.vocabulary]
    assert numbers == sorted(numbers)
    assert np.mean(numbers) < 90


def test_tiny20_alone_has_splits_of_its_own():
    assert {name: source.seeds for name, source in CORPORA.items() if len(source.seeds) > 1} == {
        "tiny20": (0, 1, 2, 3, 4)
    }


def test_a_name_that_there_is_not_ends_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["graphs", "--only", "defaults", "--sets", "nowhere"])
    assert ended.value.code == 2
    assert "there is no set nowhere; choose among tiny20" in capsys.readouterr().err
