"""Charts show the known figures, and sentences agree with them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared import evaluation_figures
from orrery.app.shared import strings as shared_strings
from orrery.app.shared.evaluation_figures import (
    figures_table,
    gap_sentence,
    held_out_by,
    in_order,
    label_sentence,
    likelihood_sentence,
    only_shown,
    strongest_result,
    topic_figures,
    verdict,
    words_alone,
)
from orrery.app.shared.strings import NAT
from orrery.app.text import strings as common_strings
from orrery.app.views.evaluate import charts, strings
from orrery.app.workspace.evaluations import EvaluatedModel
from orrery.core.evaluation.coherence import mean_npmi, top_words
from orrery.core.model.overlay import Overlay
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run, read_config, write_config
from tests.app.fake_runs import write_run
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"
NATS = st.floats(-300, 0)
RUNGS = {rung.key: rung.label for rung in charts.RUNGS}


@st.composite
def evaluated(draw, name: str = "a"):
    keys = draw(st.sets(st.sampled_from([*RUNGS, "log_likelihood_error"])))
    return EvaluatedModel(name, {key: draw(NATS) for key in keys}, is_whole=draw(st.booleans()))


@given(evaluated("a"), evaluated("b"))
def test_the_ladder_has_a_row_for_every_known_rung(first, second):
    table = charts.ladder_table([first, second])
    assert len(table) == sum(key in m.figures for m in (first, second) for key in RUNGS)
    for row in table.itertuples():
        key = next(key for key, name in RUNGS.items() if name == row.rung)
        model = first if row.run == "a" else second
        assert row.value == model.figures[key]
        assert row.baseline == (model.figures.get("independent") or row.value)


def test_charts_are_whole_for_one_model_and_for_several():
    figures = {"independent": -10.0, "jensen_bound": -9.0, "exact_bound": -8.0}
    figures |= {"log_likelihood": -7.5, "log_likelihood_error": 0.1}
    figures |= {"completion_recall10": 0.2, "completion_recall10_independent": 0.1}
    for count in (1, 3):
        models = [EvaluatedModel(f"m{number}", figures, True) for number in range(count)]
        ladder = charts.ladder_chart(charts.ladder_table(models)).to_dict()
        colour = ladder["layer"][0]["encoding"]["color"]
        assert (colour["legend"] is None) == (count == 1)
        reported = charts.prediction_table(models)
        assert reported["share"].tolist() == [0.2] * count
        assert reported["baseline"].tolist() == [0.1] * count
        assert charts.prediction_chart(reported).to_dict()["layer"]


@pytest.mark.parametrize(
    ("likelihood", "word"), [(-7.0, "under it as if"), (-13.0, "independent as under it")]
)
def test_the_sentence_states_whether_the_model_is_better_than_its_baseline(likelihood, word):
    figures = {"log_likelihood": likelihood, "independent": -10.0}
    shown_text = likelihood_sentence(figures)
    assert "20 times as likely" in shown_text
    assert "(3.00 nats; " in shown_text
    assert word in shown_text
    assert "bound" not in shown_text
    assert NAT in shown_text
    assert likelihood_sentence({"exact_bound": likelihood, "independent": -10.0}) == shown_text
    assert "exact bound is 1.00 nats below it" in gap_sentence(
        figures | {"exact_bound": likelihood - 1, "jensen_bound": likelihood - 2}
    )


def test_a_huge_factor_is_not_written_out():
    shown_text = [shared_strings.likelihood(gain) for gain in (-0.01, 0.5, 13.0, 14.0, -700.0)]
    assert "about as likely" in shown_text[0]
    assert "by heart" not in shown_text[0]
    assert "1.6 times" in shown_text[1]
    assert "440,000 times" in shown_text[2]
    assert all("more than 1,000,000 times" in one for one in shown_text[3:])


def test_nothing_is_reported_of_what_is_not_known():
    assert likelihood_sentence({"log_likelihood": -3.0}) == ""
    assert gap_sentence({"log_likelihood": -3.0}) == ""
    assert strongest_result({}, None) == ""
    assert label_sentence({"accuracy": 0.5}) == ""
    assert label_sentence({"accuracy": 0.5, "accuracy_majority": 0.1})
    assert verdict({"completion_recall10": 0.16}, None) == ""


@pytest.mark.parametrize(
    ("share", "system", "shown_text"),
    [
        (0.16, None, "better than frequency does. Of 100 words hidden in texts, it guesses 16"),
        (0.16, 0.14, "about as well as LDA does"),
        (0.16, 0.3, "worse than LDA does"),
        (0.16, 0.05, "better than frequency does"),
        (0.02, None, "worse than frequency does"),
    ],
)
def test_one_sentence_states_whether_the_model_is_any_good(share, system, shown_text):
    figures = {"completion_recall10": share, "completion_recall10_independent": 0.11}
    other = EvaluatedModel("LDA", {"completion_recall10": system}, True) if system else None
    sentence = verdict(figures, other)
    assert shown_text in sentence
    assert "frequency alone 11" in sentence
    assert (f"LDA {100 * system:.0f}." in sentence) if system else ("LDA" not in sentence)


def test_the_table_has_a_column_for_each_model_and_only_known_rows():
    table = figures_table(
        [
            EvaluatedModel("a", {"documents": 1234, "npmi": -0.25}, True),
            EvaluatedModel("b", {"npmi": 0.5}, True),
        ]
    )
    assert list(table.columns) == [shared_strings.FIGURE_COLUMN, "a", "b"]
    assert table["a"].tolist() == ["1,234", "−0.250"]
    assert table["b"].tolist() == [common_strings.NO_FIGURE, "0.500"]


@pytest.fixture(scope="module")
def topics() -> pd.DataFrame:
    return topic_figures(load_run(SAMPLE / "run"), load_corpus(SAMPLE / "corpus"))


def test_topics_average_to_the_coherence_of_the_model(topics):
    run, corpus = load_run(SAMPLE / "run"), load_corpus(SAMPLE / "corpus")
    mean = mean_npmi(corpus.to_csr(), top_words(run.network, run.vocabulary))
    assert topics["npmi"].mean() == pytest.approx(mean)
    assert mean == pytest.approx(run.summary["held_out"]["npmi"])
    assert topics["own"].between(0, 1).all()
    assert len(topics) == run.network.graph.n_topics


@pytest.mark.parametrize("order", strings.ORDERS)
def test_topics_come_in_the_order_requested(topics, order):
    found = in_order(topics, order)
    assert sorted(found["id"]) == sorted(topics["id"])
    if order == "label":
        assert found["label"].is_monotonic_increasing
    else:
        assert found[order].is_monotonic_decreasing


def test_topics_of_one_name_have_rows_of_their_own(topics):
    same = topics.assign(label="same")
    chart = charts.topic_chart(same).to_dict()
    (rows,) = chart["datasets"].values()
    assert len({row["name"] for row in rows}) == len(topics)
    assert np.isclose([row["npmi"] for row in rows], topics["npmi"]).all()


def test_runs_with_the_same_documents_held_out_are_distinguished_from_others(
    tmp_path: Path,
) -> None:
    first = write_run(tmp_path / "a", tmp_path, "finished")
    assert held_out_by(first) != held_out_by(write_run(tmp_path / "b", tmp_path, "finished"))
    copy, other = (shutil.copytree(SAMPLE / "run", tmp_path / name) for name in ("c", "d"))
    assert held_out_by(copy) == held_out_by(SAMPLE / "run")
    with np.load(other / "start.npz") as arrays:
        np.savez(other / "start.npz", **{**arrays, "fingerprint": np.array("another corpus")})
    assert held_out_by(other) != held_out_by(copy)
    # A continuation names the documents that its run held out.
    config = read_config(copy)
    write_config(copy, config["corpus"], {**config["settings"], "held_out_ids": ["1", "2"]})
    assert held_out_by(copy) == held_out_by(SAMPLE / "run")
    with np.load(other / "start.npz") as arrays:
        fewer = {**arrays, "fingerprint": np.load(copy / "start.npz")["fingerprint"]}
        np.savez(other / "start.npz", **{**fewer, "held_out": arrays["held_out"][1:]})
    assert held_out_by(other) != held_out_by(copy)


def test_hidden_topics_and_parts_of_others_have_no_bar(topics):
    run = load_run(SAMPLE / "run")
    overlay = Overlay(hidden=frozenset(["L1.3"]), merged={"L1.4": "L1.5"})
    shown = only_shown(replace(run, overlay=overlay), topics)
    assert set(topics["id"]) - set(shown["id"]) == {"L1.3", "L1.4"}
    pd.testing.assert_frame_equal(only_shown(run, topics), topics)
    names = tuple("by hand" if id_ == "L1.3" else "other" for id_ in run.network.graph.topic_ids)
    renamed = only_shown(replace(run, topic_labels=names), topics)
    assert renamed.set_index("id")["label"]["L1.3"] == "by hand"


def test_words_alone_are_those_of_topics_that_are_shown(monkeypatch):
    run = load_run(SAMPLE / "run")
    corpus = load_corpus(SAMPLE / "corpus")
    monkeypatch.setattr(
        evaluation_figures, "single_word_topics", lambda *_: [(3, 8), (4, 8), (5, 2)]
    )
    alone = sorted([run.vocabulary[8], run.vocabulary[2]])
    assert words_alone(run, corpus) == alone
    hidden = replace(run, overlay=Overlay(hidden=frozenset([run.network.graph.topic_ids[5]])))
    assert words_alone(hidden, corpus) == [run.vocabulary[8]]


def test_an_error_that_changes_no_digit_is_not_written_and_zero_has_no_sign():
    figures = {"log_likelihood": -29.346, "log_likelihood_error": 0.0005}
    (text,) = charts.ladder_table([EvaluatedModel("a", figures, True)])["text"]
    assert text == "−29.35"
    figures["log_likelihood_error"] = 0.02
    (text,) = charts.ladder_table([EvaluatedModel("a", figures, True)])["text"]
    assert text == "−29.35 ± 0.02"
    figures = {"log_likelihood": -0.003}
    (text,) = charts.ladder_table([EvaluatedModel("a", figures, True)])["text"]
    assert text == "0.00"


def test_the_strongest_result_comes_first():
    words = {"completion_recall10": 0.043, "completion_recall10_independent": 0.027}
    labels = {"accuracy": 0.674, "accuracy_majority": 0.304}
    other = EvaluatedModel("LDA", {"completion_recall10": 0.027, "accuracy": 0.413}, True)
    assert "guessed right in 67.4\xa0% (LDA 41.3\xa0%" in strongest_result(words | labels, other)
    assert "words hidden in texts" in strongest_result(words, other)
    # Labels that the topics do not predict are not put first.
    far = {"completion_recall10": 0.3, "completion_recall10_independent": 0.1}
    assert "words hidden in texts" in strongest_result(far | labels | {"accuracy": 0.31}, None)
    assert "label of a text" in strongest_result({**labels, "accuracy": 0.2}, None)
