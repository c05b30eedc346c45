"""Text of the speed page, and the queries that are timed."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

from tests.benchmarks import in_browser
from tests.benchmarks.data import MissingData
from tests.benchmarks.large_model import FULL, NAME, adopt_large, made_words
from tests.benchmarks.parts import before, clicks, flat, proposal, scale, start, training
from tests.benchmarks.server_memory import peak_gigabytes
from tests.benchmarks.timing import in_turns
from tests.benchmarks.web_scale import TOPIC_PARENTS, Shape, corpus_over, layered_graph

SIZES = {"topics": 1_000, "words": 4_000, "edges": 25_000}


def test_ratios_are_of_the_same_round_and_the_same_kind():
    row = {**SIZES, "numbers": "", "seconds": {"alone": [1.0, 2.0, 1.0], "sums": [2.0, 2.0, 2.0]}}
    slower = {"alone": [2.0, 2.0, 1.5], "sums": [2.0, 8.0, 3.0]}
    larger = {**SIZES, "topics": 10_000, "numbers": "mixed", "seconds": slower}
    page = flat.show({"documents": 1_000, "repeats": 3, "words": 60.0, "rows": [row, larger]})
    last = page.strip().splitlines()[-1]
    assert last.startswith("| 10,000 | 4,000 | 25,000 | mixed | 2,000 | 1.50 (1.00 to 2.00) |")
    assert last.endswith("| 3,000 | 1.50 (1.00 to 4.00) |")


def test_the_first_minutes_are_medians_with_the_longest_and_their_goals():
    names = [f"{what}, {when}" for what in ("infer", "train", "picture", "answer")
             for when in ("new", "warm")]  # fmt: skip
    rows = {name: [3.0, 1.0, 2.0] for name in (*names, "Streamlit alone")}
    page = start.show({"repeats": 3, "rows": rows, "pace": 40.0})
    assert "| first `orrery infer`, processor seconds | 2.0 (2.5) | 3.0 |" in page
    assert "| Streamlit alone: to its heading, s | 2.0 | 3.0 |" in page


def test_seconds_of_a_function_are_without_those_of_the_functions_it_calls():
    watch = training.Stopwatch()

    def spend(seconds):
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass

    inner = watch.timed("inner", lambda: spend(0.02))
    watch.timed("outer", lambda: (spend(0.01), inner()))()
    assert 0.02 <= watch.seconds["inner"] < 0.05
    assert 0.01 <= watch.seconds["outer"] < 0.02


def test_all_seconds_of_a_training_run_are_in_some_part():
    row = {"corpus": "sample", "seed": 1, "documents": 800, "bound": -92.5}
    page = training.show({"rows": [{**row, "seconds": {training.STEPS: 1.0, training.ELSE: 0.5}}]})
    assert "| processor seconds | sample, seed 1 |" in page
    assert "| training steps | 1.0 |" in page
    assert "| **all** | **1.5** |" in page


def test_works_take_turns_and_their_first_run_is_left_out():
    ran = []
    works = {name: lambda name=name: ran.append(name) for name in ("a", "b")}
    seconds = in_turns(works, 2)
    assert ran == ["a", "b", "a", "b", "a", "b"]
    assert [len(times) for times in seconds.values()] == [2, 2]


def test_what_many_texts_take_is_the_sum_of_steps_and_the_most_memory_of_any():
    cost = {"seconds": 600.0, "gigabytes": 2.0}
    row = {
        **{"documents": 9, "words": 8, "topics": 7, "edges": 6, "layers": 3, "gain": 1.5},
        **{"upper": 5, "earning": 4, "pace": 40.0},
        "steps": {"import": cost, "train": {**cost, "gigabytes": 3.0}},
        "opened": {"first": 30.0, "gigabytes": 3.5},
    }
    unseen = {**row, "opened": None}
    page = scale.show({"rows": {"sentences": row, "abstracts": unseen}})
    assert "| 9 | 8 | 7 | 6 | 3 | 4 of 5 | 1.50 |" in page
    assert "| 10.0 | 10.0 (25) | 30.0 | 20.5 | 3.50 (6) | 40 |" in page
    assert "| 10.0 | 10.0 (30) | – | 20.0 | 3.00 (6) | 40 |" in page


def test_sentences_end_before_capitals_and_formulas_are_left_out(monkeypatch):
    text = (
        "We study noisy graphs of texts, e.g. those of Ji et al. and others. So. What a long day!"
    )
    monkeypatch.setattr(scale, "abstracts", lambda: iter([text]))
    assert list(scale.sentences()) == [text[: text.index(" So.")]]


def test_the_app_has_a_line_for_each_kind_of_click_and_each_page():
    visits = {"begins": [80.0, 90.0, 250.0], "ends": [300.0, 310.0, 900.0]}
    clicks = {"word_ms": [100.0, 120.0], "topic_ms": [150.0]}
    page = in_browser.show({**clicks, "pages": {"query": visits}})
    assert page.startswith("3 what-if clicks")
    assert "| words | 2 | 110 | 119 |" in page
    assert "| **all** | 3 | 120 | 147 |" in page
    assert "| query | 90 (250) | 310 (900) |" in page


def test_other_clicks_and_the_server_have_their_lines_and_older_figures_do_without():
    visits = {"begins": [80.0, 90.0, 250.0], "ends": [300.0, 310.0, 900.0]}
    older = {"word_ms": [100.0], "topic_ms": [150.0], "pages": {"query": visits}}
    counts = {"topics": 64, "words": 900, "edges": 2_399}
    assert "Other clicks" not in clicks.show({**counts, **older})
    newer = {**older, "others": {"a path": visits}, "first": 4.25, "gigabytes": 0.456}
    page = clicks.show({**counts, **older, "large": {**counts, **newer}})
    assert page.count("The goal is 200 ms") == page.count("The goal is 300 ms") == 1
    assert "| a path | 90 (250) | 310 (900) |" in page
    assert "4.2\ns" in page
    assert "0.46 GB" in page


def test_words_of_the_large_model_differ_and_its_run_has_them(tmp_path):
    words = made_words(FULL.words)
    assert len(set(words)) == FULL.words
    assert all(word.isalpha() for word in words)
    run = adopt_large(tmp_path, Shape(100, 300, 2_000, 0))
    assert run.folder == tmp_path / "runs" / NAME
    assert sorted(run.vocabulary) == sorted(words[:300])
    assert run.network.graph.n_edges == 2_000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process")
def test_the_peak_of_a_server_is_that_of_what_was_started_for_its_port():
    wait = "import sys; held = bytearray(2**28); del held; print(1, flush=True); sys.stdin.read()"
    server = [sys.executable, "-c", wait, "54321"]
    with subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        started.stdout.readline()
        assert 0.25 < peak_gigabytes(54321) < 0.4
        assert peak_gigabytes(54322) is None
        started.stdin.close()


@pytest.mark.parametrize("shape", [Shape(100, 300, 2_000, 50), Shape(500, 2_000, 12_000, 50)])
def test_made_graphs_have_their_counts_and_two_parents_a_topic(shape):
    graph = layered_graph(shape)
    assert (graph.n_topics, graph.n_tokens, graph.n_edges) == (
        shape.topics,
        shape.words,
        shape.edges,
    )
    n_parents = np.diff(graph.parent_ptr)
    assert graph.n_layers() == 3
    assert n_parents[graph.n_topics :].min() >= 1
    below_the_top = n_parents[: graph.n_topics][n_parents[: graph.n_topics] > 0]
    assert below_the_top.mean() == TOPIC_PARENTS
    corpus = corpus_over(graph, shape.documents)
    assert corpus.n_documents == shape.documents
    assert all(np.diff(corpus.tokens_of(row)).min() > 0 for row in range(shape.documents))


def test_a_shape_without_room_is_refused():
    with pytest.raises(AssertionError, match="no room"):
        layered_graph(Shape(20, 100, 400, 10))


@pytest.mark.parametrize("words", [1_000, 50_000])
def test_a_proposal_has_a_line_for_each_choice_of_layers(words):
    row = {"name": "four layers", "topics": 88, "layers": 4, "edges": 6_161}
    row |= {"seconds": 9.4, "gigabytes": 0.5}
    page = proposal.show({"documents": 3_000, "words": words, "rows": [row]})
    assert f"| four layers | {words:,} | 88 | 4 | 6,161 | 9 | 0.50 |" in page


def test_versions_are_compared_by_the_means_of_their_seeds():
    runs = [
        {"version": version, "seed": seed, "processor_seconds": seconds, "bound": bound}
        for version, seed, seconds, bound in (
            (before.BEFORE, 0, 10.0, -5.0),
            (before.NOW, 0, 4.0, -5.1),
            (before.NOW, 1, 6.0, -5.3),
            (before.BEFORE, 1, 30.0, -5.4),
        )
    ]
    page = before.show({"rows": {"bbc": runs}, "commit": "1234567"})
    assert "| BBC | 2 | 20.0 | 5.0 | 0.25 | −5.200 | −5.200 | +0.000 | 0.100 |" in page
    assert "--epochs" not in page


def test_the_frontier_names_the_shortest_training_that_reaches_the_earlier_bound():
    def runs(seconds, bound):
        keys = ("version", "seed", "processor_seconds", "bound")
        found = [(before.BEFORE, 0, 10.0, -5.0), (before.NOW, 0, seconds, bound)]
        return [dict(zip(keys, run, strict=True)) for run in found]

    found = {
        "bbc": runs(5.0, -5.1),
        "bbc:10": runs(2.0, -5.3),
        "bbc:14": runs(3.0, -5.2),
        "bbc:28": runs(7.0, -4.9),
    }
    assert "--epochs" not in before.show({"rows": found, "commit": "1234567"})
    page = before.show({"rows": found | {"bbc:40": runs(9.0, -4.8)}, "commit": "1234567"})
    assert "| BBC | 14 | 10.0 | 3.0 | 0.30 | −5.000 | −5.200 | −0.200 | – |" in page
    assert "28 epochs reach the bound that the default had before, in 0.70 of its time" in page
    page = before.show({"rows": found | {"bbc:28": found["bbc"], "bbc:40": found["bbc"]},
                        "commit": "1234567"})  # fmt: skip
    assert "none of these reaches" in page


def test_a_checkout_without_the_earlier_commit_misses_data(monkeypatch, tmp_path):
    monkeypatch.setattr(before, "COMMIT", "0" * 40)
    with pytest.raises(MissingData, match="whole history"), before._versions(tmp_path):
        pass
