"""The Evaluate page: figures at once, evaluations only when asked for, models side by side."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import page as shell_page
from orrery.app.text import strings as common_strings
from orrery.app.views.evaluate import page as evaluate_page
from orrery.app.views.evaluate import strings
from orrery.app.workspace import catalog, evaluations, processes
from orrery.core.evaluation.hierarchy import hierarchy_figures, topic_tree
from orrery.core.evaluation.metrics import BY_KEY, COMPARED
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from tests.app.fake_jobs import progress
from tests.app.pages import as_read, open_page

SAMPLE = catalog.SAMPLE_DATA
Launches = list[tuple[Path, list[str]]]


def page() -> None:
    from orrery.app.views.evaluate import page as evaluate

    evaluate.render()


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> Launches:
    """Processes that would have been started."""
    found: Launches = []
    monkeypatch.setattr(
        processes, "launch", lambda folder, arguments, corpus: found.append((folder, arguments))
    )
    return found


opened = partial(open_page, page)


def test_without_a_model_the_one_button_leads_to_one(space: Path) -> None:
    at = opened()
    assert strings.EMPTY in as_read(at)
    assert len(at.button) == 1


def test_a_standard_error_is_explained_only_where_one_is_shown(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explained() -> str:
        return next(head.help for head in opened().subheader if head.value == strings.LADDER)

    def without_likelihood(*given: object) -> evaluations.EvaluatedModel:
        known = real(*given)
        left = {key: known.figures[key] for key in known.figures if "likelihood" not in key}
        return replace(known, figures=left)

    assert "±" in explained()
    real = evaluations.known_figures
    monkeypatch.setattr(evaluations, "known_figures", without_likelihood)
    assert "±" not in explained()


def test_the_figures_of_the_run_are_there_at_once(demo: Path, launches: Launches) -> None:
    at = opened()
    figures = load_run(catalog.SAMPLE_DATA / "run").summary["held_out"]
    gain = figures["log_likelihood"] - figures["independent"]
    for part in (strings.LADDER, strings.PREDICTION, strings.TOPICS, f"({gain:.2f} nats; "):
        assert part in as_read(at)
    assert shared_strings.evaluated_on(80, is_whole=False) in as_read(at)
    assert len(at.get("vega_lite_chart")) == 3
    assert all(chart.proto.alt for chart in at.get("vega_lite_chart"))
    assert launches == []


def test_a_word_that_stands_alone_in_a_topic_is_proposed_as_a_stop_word(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "stop words" not in as_read(opened())
    monkeypatch.setattr(evaluate_page, "_words_alone", lambda *_: ["cal*ed"])
    assert shared_strings.words_alone(["cal*ed"]) in as_read(opened())
    assert "topics to themselves" in shared_strings.words_alone(["called", "said"])


@pytest.mark.parametrize("kind", ["figures", "labels", "rival"])
def test_a_evaluation_is_begun_only_on_request(demo: Path, launches: Launches, kind: str) -> None:
    at = opened()
    at.button(key=f"evaluate-{kind}").click().run()
    assert not at.exception
    ((_, arguments),) = launches
    assert arguments == ["evaluate", str(SAMPLE / "run"), "--json", *evaluations.KINDS[kind]]


def test_while_one_evaluation_goes_another_can_be_begun(
    demo: Path, launches: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_evaluation(demo, "figures", progress("judged", 0.4))
    monkeypatch.setattr(processes, "is_there", lambda launch: True)
    at = opened()
    assert at.button(key="evaluate-figures").disabled
    at.button(key="evaluate-rival").click().run()
    assert not at.exception
    ((_, arguments),) = launches
    assert "--rival" in arguments


@pytest.mark.parametrize("is_read_only", [False, True])
def test_only_one_who_may_change_something_can_stop_an_evaluation(
    demo: Path, monkeypatch: pytest.MonkeyPatch, *, is_read_only: bool
) -> None:
    write_evaluation(demo, "figures", progress("judged", 0.4))
    monkeypatch.setattr(processes, "is_there", lambda launch: True)
    monkeypatch.setenv("ORRERY_READ_ONLY", str(int(is_read_only)))
    at = opened()
    assert at.get("progress")
    assert ("evaluate-stop" in {button.key for button in at.button}) != is_read_only


def test_a_click_is_obeyed_though_the_script_that_it_begins_is_cut_short(
    demo: Path, launches: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = opened()
    monkeypatch.setattr(shell_page, "headline", _cut_short)
    at.button(key="evaluate-figures").click().run()
    assert len(launches) == 1


def _cut_short(*shown_text: str) -> None:
    st.stop()


def figures_of(at: AppTest) -> pd.DataFrame:
    """Table of all figures; a table of layers may precede it."""
    column = shared_strings.FIGURE_COLUMN
    return next(frame.value for frame in at.dataframe if column in frame.value)


def write_evaluation(space: Path, kind: str, printed: str) -> None:
    content = json.loads((SAMPLE / "run" / "model" / "model.json").read_text())["model_hash"]
    folder = space / "evaluations" / f"{content[:20]}-{kind}"
    folder.mkdir(parents=True)
    (folder / "console.txt").write_text(printed)
    (folder / "launch.json").write_text('{"pid": null, "started": 0}')


def test_labels_that_were_evaluated_stand_beside_their_baseline(demo: Path) -> None:
    figures = {"documents": 80, "accuracy": 0.7125, "accuracy_majority": 0.1, "labelled": 80,
               "clusters": 21, "purity": 0.975, "purity_chance": 0.25}  # fmt: skip
    write_evaluation(demo, "labels", json.dumps(figures))
    at = opened()
    assert "71.2" in as_read(at)
    for part in (strings.AGREEMENT, strings.agreement(80, 21), "Purity: 0.975** (baseline 0.250)"):
        assert part in as_read(at)
    assert BY_KEY["purity"].explanation in as_read(at)
    # Figures that are not known have no sentence.
    assert BY_KEY["ari"].explanation not in as_read(at)
    assert shared_strings.evaluated_on(80, is_whole=True) in as_read(at)
    assert not [button for button in at.button if button.key == "evaluate-labels"]


def test_labels_that_were_evaluated_without_main_topics_can_be_evaluated_again(
    demo: Path, launches: Launches
) -> None:
    write_evaluation(demo, "labels", json.dumps({"documents": 80, "accuracy": 0.7125}))
    at = opened()
    assert strings.AGREEMENT not in as_read(at)
    at.button(key="evaluate-labels").click().run()
    assert launches[0][1][-2:] == ["--classify", "--labels"]


def test_parents_and_children_are_measured_by_layer(demo: Path, launches: Launches) -> None:
    at, run = opened(), load_run(SAMPLE / "run")
    figures, layers = hierarchy_figures(
        topic_tree(run.network, run.vocabulary), load_corpus(SAMPLE / "corpus").to_csr()
    )
    assert strings.HIERARCHY in as_read(at)
    for key in ("pcc", "pcd", "sibling_diversity", "affinity"):
        assert f"{BY_KEY[key].label}: {common_strings.number(getattr(figures, key))}" in as_read(at)
    table = next(frame.value for frame in at.dataframe if shared_strings.LAYER in frame.value)
    assert table[shared_strings.LAYER].tolist() == [str(row["layer"]) for row in layers]
    assert launches == []


def test_a_baseline_that_was_trained_stands_beside_the_model(demo: Path) -> None:
    labels = {"documents": 80, "accuracy": 0.7125, "accuracy_majority": 0.1}
    write_evaluation(demo, "labels", json.dumps(labels))
    system = {"name": "LDA", "documents": 80, "topics": 64, "npmi": 0.1, "diversity": 0.5,
             "completion_recall10": 0.25, "completion_mrr": 0.1, "accuracy": None}  # fmt: skip
    write_evaluation(demo, "rival", json.dumps({**labels, "rival": system}))
    at = opened()
    table = figures_of(at).set_index(shared_strings.FIGURE_COLUMN)
    assert table["LDA"][BY_KEY["npmi"].title] == "0.100"
    assert table["LDA"][BY_KEY["exact_bound"].title] == common_strings.NO_FIGURE
    assert not [button for button in at.button if "rival" in button.key]


def test_a_baseline_is_evaluated_by_labels_where_the_model_was(
    demo: Path, launches: Launches
) -> None:
    write_evaluation(demo, "labels", json.dumps({"documents": 80, "accuracy": 0.7125}))
    opened().button(key="evaluate-rival-labels").click().run()
    assert launches[0][1][-2:] == ["--rival", "--classify"]


def test_a_evaluation_that_failed_is_one_sentence(demo: Path) -> None:
    write_evaluation(demo, "figures", "orrery: there is no document to evaluate on")
    at = opened()
    assert len(at.error) == 1
    assert "no document to evaluate on" in at.error[0].value


def test_a_evaluation_that_has_no_place_is_one_sentence(demo: Path) -> None:
    (demo / "evaluations").write_text("")
    at = opened()
    at.button(key="evaluate-figures").click().run()
    assert not at.exception
    assert len(at.error) == 1


def test_models_stand_side_by_side_and_a_link_restores_them(demo: Path) -> None:
    other = demo / "runs" / "notes, again"
    shutil.copytree(SAMPLE / "run", other)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"corpus": str(SAMPLE / "corpus")}))
    at = opened(run="Field notes")
    at.multiselect(key="with").select("notes, again").run()
    assert not at.exception
    assert at.query_params["with"] in ("notes, again", ["notes, again"])
    assert strings.OTHER_SPLIT not in as_read(at)
    assert "The models predict words about equally well." in as_read(at)
    again = opened(run="Field notes", **{"with": ["notes, again"]})
    assert again.multiselect(key="with").value == ["notes, again"]
    table = figures_of(again)
    assert list(table.columns) == [shared_strings.FIGURE_COLUMN, "Field notes", "notes, again"]


@pytest.mark.parametrize(
    ("shares", "answer"),
    [
        ({"a": 0.2}, ""),
        ({"a": 0.2, "b": None}, ""),
        ({"a": 0.2, "b": 0.25}, "“b” predicts words best. "),
        ({"a": 0.2, "b": 0.205, "c": 0.1}, "“b” and “a” predict words about equally well. "),
        ({"a": 0.2, "b": 0.205}, "The models predict words about equally well. "),
    ],
)
def test_a_comparison_of_models_is_answered(shares: dict, answer: str) -> None:
    found = strings.compared(shares)
    assert found.startswith(answer)
    assert bool(found) == bool(answer)
    for name, share in shares.items():
        assert not found or f"“{name}” {100 * share:.0f}" in found


def test_models_whose_corpus_is_gone_are_not_compared(demo: Path) -> None:
    lost = shutil.copytree(SAMPLE / "run", demo / "runs" / "lost")
    config = json.loads((lost / "config.json").read_text())
    (lost / "config.json").write_text(json.dumps(config | {"corpus": "../gone"}))
    for name in ("Field notes", "lost"):
        assert "with" not in [box.key for box in opened(run=name).multiselect]


def test_nonsense_in_the_address_is_no_error(demo: Path) -> None:
    at = opened(order="x", **{"with": ["gone", ""]})
    assert at.segmented_control(key="order").value == "npmi"


def test_the_order_of_topics_stands_in_the_address(demo: Path) -> None:
    at = opened()
    at.segmented_control(key="order").set_value("own").run()
    assert not at.exception
    assert at.query_params["order"] == "own"


def test_every_topic_with_a_bar_has_a_card(demo: Path) -> None:
    at = opened()
    at.selectbox(key="sel").set_value("topic:L2.1").run()
    assert not at.exception
    assert at.query_params["sel"] == "topic:L2.1"
    at.button(key="more-card").click().run()
    assert not at.exception
    assert at.query_params["card"] == "L2.1"
    at.button(key="close-card").click().run()
    assert "sel" not in at.query_params
    assert at.selectbox(key="sel").value == ""


def test_a_model_that_was_never_evaluated_reports_it(
    demo: Path, launches: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: Callable[..., evaluations.EvaluatedModel] = evaluations.known_figures
    monkeypatch.setattr(
        evaluations,
        "known_figures",
        lambda *given: evaluations.EvaluatedModel(known(*given).name, {}, False),
    )
    at = opened()
    assert strings.NO_FIGURES in as_read(at)
    assert strings.TOPICS in as_read(at)


def test_two_systems_are_compared_as_a_job_and_shown_when_it_is_done(
    demo: Path, launches: Launches
) -> None:
    at = opened()
    at.multiselect(key="systems-chosen").set_value(["lda"])
    at.button(key="evaluate-systems").click().run()
    assert not launches
    assert strings.TOO_FEW.rstrip(".") in " ".join(str(error.value) for error in at.error)
    at.multiselect(key="systems-chosen").set_value(["lda", "acp"])
    at.number_input(key="systems-topics").set_value(7)
    at.button(key="evaluate-systems").click().run()
    [(folder, arguments)] = launches
    assert arguments == [
        "compare", str(SAMPLE / "corpus"), "--systems", "lda,acp", "--topics", "7", "--json"
    ]  # fmt: skip
    row = dict.fromkeys([metric.key for metric in COMPARED], None)
    found = {
        "train": 70, "held_out": 8, "alike": [[0, 0]],
        "systems": [
            {**row, "title": title, "held_out": -9.0, "measure": "a bound", "words": [["moss"]]}
            for title in ("LDA", "ACP")
        ],
    }  # fmt: skip
    (folder / "launch.json").write_text('{"pid": 0}')
    (folder / "console.txt").write_text(json.dumps(found))
    at = opened()
    assert strings.TRAINED_ON.format(train=70, held_out=8) in as_read(at)
    for forged in ({**found, "systems": 3, "alike": 1}, {**found, "systems": [], "alike": []}):
        (folder / "console.txt").write_text(json.dumps(forged))
        reported = [str(error.value).replace("\\", "") for error in opened().error]
        assert reported == [strings.systems_failed(common_strings.UNREADABLE)]
    (folder / "console.txt").write_text(json.dumps(found))
    at = opened()
    assert "ACP: a bound" in as_read(at)
    assert ["moss", "moss"] in [frame.value.iloc[0].tolist() for frame in at.dataframe]
    assert at.button(key="evaluate-systems").label == strings.AGAIN
