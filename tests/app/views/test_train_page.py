"""The Train page: every state of a run has its buttons and its sentence."""

from __future__ import annotations

import json
import math
import shutil
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.shared import training, training_charts
from orrery.app.shell import loaders
from orrery.app.shell import strings as shell_strings
from orrery.app.text import strings as common_strings
from orrery.app.views.train import strings
from orrery.app.workspace import catalog, processes
from orrery.app.workspace.catalog import Place
from orrery.core.storage.graphs import read_guidance
from orrery.core.storage.reports import read_metrics
from orrery.core.storage.runs import check_can_begin, read_command, run_lock
from orrery.core.utils.errors import InputError
from tests.app.fake_runs import metrics_rows, write_run
from tests.app.pages import as_read, open_app, open_page, press, run
from tests.app.toy import toy_run

MakeCorpus = Callable[[str], Path]
Launches = list[tuple[Path, list[str]]]


def page() -> None:
    from orrery.app.views.train import page as train

    train.render()


opened = partial(open_page, page)


def button(at: AppTest, label: str):
    return next((found for found in at.button if found.label == label), None)


def enabled(at: AppTest) -> set[str]:
    labels = (
        shared_strings.PAUSE,
        shared_strings.RESUME,
        shared_strings.STOP,
        shared_strings.TO_QUERY,
    )
    return {label for label in labels if (found := button(at, label)) and not found.disabled}


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> Launches:
    """Processes that would have been started."""
    found: Launches = []
    monkeypatch.setattr(
        processes, "launch", lambda folder, arguments, corpus: found.append((folder, arguments))
    )
    return found


def test_without_a_corpus_the_one_button_leads_to_one(space: Path) -> None:
    at = opened()
    assert strings.EMPTY_TITLE in [heading.value for heading in at.subheader]
    assert len(at.button) == 1


def choose(at: AppTest, method: str) -> AppTest:
    """Say where the graph comes from."""
    next(group for group in at.radio if group.label == strings.METHOD).set_value(method)
    return run(at)


def test_a_graph_is_learned_by_default(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    make_corpus("notes")
    at = opened()
    assert strings.TOPICS not in [box.label for box in at.text_input]
    assert strings.BOUND not in [group.label for group in at.button_group]
    press(at, strings.START)
    ((_, arguments),) = launches
    assert {"--method", "--topics", "--bound"}.isdisjoint(arguments)


def test_starting_hands_over_what_was_chosen(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")
    at = choose(opened(), "dense-regions")
    next(box for box in at.text_input if box.label == strings.TOPICS).set_value("5 ,2")
    next(box for box in at.number_input if box.label == strings.EPOCHS).set_value(3)
    press(at, strings.START)
    ((folder, arguments),) = launches
    assert folder == space / "runs" / "notes-01"
    text = " ".join(arguments)
    for part in (f"train {corpus}", "--topics 5,2", "--epochs 3", "--method dense-regions"):
        assert part in text
    assert not at.error


@pytest.mark.parametrize("others", [(), ("others",)])
def test_a_start_on_a_corpus_that_is_gone_is_reported_and_forgotten(
    space: Path, make_corpus: MakeCorpus, launches: Launches, others: tuple[str, ...]
) -> None:
    corpus = make_corpus("notes")
    for name in others:
        make_corpus(name)
    at = opened(corpus="notes")
    shutil.rmtree(corpus)
    press(at, strings.START)
    (shown_text,) = [error.value.replace("\\", "") for error in at.error]
    assert shown_text == "Corpus notes is gone; it was deleted elsewhere."
    # Not asked of another that comes under its name.
    make_corpus("notes")
    assert not run(at).error
    assert launches == []


def test_a_start_on_a_deleted_corpus_is_reported_although_its_model_stays(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")
    model = write_run(space / "runs" / "notes-01", corpus, "finished") / "model"
    model.mkdir()
    (model / "model.json").write_text("{}")
    at = open_app("train", run="notes-01")
    shutil.rmtree(corpus)
    press(at, strings.START)
    assert [button.key for button in at.button if button.key == "closed-page-go"]
    (shown_text,) = [error.value.replace("\\", "") for error in at.error]
    assert shown_text == "Corpus notes is gone; it was deleted elsewhere."
    assert not run(at).error
    assert launches == []


def test_a_start_is_done_or_reported_at_whatever_moment_the_corpus_is_deleted(
    space: Path,
    make_corpus: MakeCorpus,
    launches: Launches,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = make_corpus("notes")
    model = write_run(space / "runs" / "notes-01", corpus, "finished") / "model"
    model.mkdir()
    (model / "model.json").write_text("{}")
    kept = shutil.copytree(corpus, space.parent / "kept")
    listed, n_lists = catalog.corpora, 0

    def list_and_delete() -> list[catalog.Place]:
        nonlocal n_lists
        n_lists += 1
        found = listed()
        if n_lists == moment:
            shutil.rmtree(corpus)
        return found

    outcomes = set()
    for moment in range(1, 100):
        shutil.copytree(kept, corpus, dirs_exist_ok=True)
        at = open_app("train", run="notes-01")
        n_lists, n_runs = 0, len(launches)
        with monkeypatch.context() as patched:
            patched.setattr(catalog, "corpora", list_and_delete)
            press(at, strings.START)
        if n_lists < moment:
            break
        shown = [error.value.replace("\\", "") for error in at.error]
        has_begun = len(launches) > n_runs
        assert has_begun or any("notes" in text for text in shown), moment
        outcomes.add(has_begun)
    assert outcomes == {False, True}


def set_up(at: AppTest, **typed: str) -> AppTest:
    """Type into the form of guidance."""
    for field, text in typed.items():
        label = strings.LABELS[field]
        next(box for box in at.text_area if box.label == label).set_value(text)
    return run(at)


def test_guidance_goes_with_the_run_as_a_file(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    make_corpus("notes")
    at = set_up(opened(), seeds="space: orbit, star", cannot_link="orbit, memory")
    shown_text = [caption.value.replace("\\", "") for caption in at.caption]
    assert any("1 seeded topic and 1 pair kept apart" in text for text in shown_text)
    press(at, strings.START)
    ((folder, arguments),) = launches
    path = Path(arguments[arguments.index("--guidance") + 1])
    assert path.parent == folder
    assert read_guidance(path).seeds == (("space", ("orbit", "star")),)
    # Files in the folder do not keep the engine from starting there.
    check_can_begin(folder)


def test_guidance_that_contradicts_itself_is_one_sentence_and_starts_nothing(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    make_corpus("notes")
    at = set_up(opened(), seeds="space: orbit, star", cannot_link="orbit, star")
    press(at, strings.START)
    assert len(at.error) == 1
    assert "remove one of the rules" in at.error[0].value
    # It can be read while the section is folded.
    assert not any(section.error for section in at.expander)
    assert launches == []


def test_a_structure_to_learn_begins_by_sampling(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    make_corpus("notes")
    at = choose(opened(), "dense-regions")
    assert strings.START_EPOCHS not in [box.label for box in at.number_input]
    next(group for group in at.button_group if group.label == strings.START_AT).set_value("gibbs")
    run(at)
    next(box for box in at.checkbox if box.label == strings.LEARN).set_value(True)
    press(run(at), strings.START)
    ((_, arguments),) = launches
    text = " ".join(arguments)
    assert "--start gibbs --start-epochs 300 --learn-structure" in text


def test_what_it_may_take_is_reported_before_the_start(
    space: Path, make_corpus: MakeCorpus
) -> None:
    corpus = make_corpus("notes")
    texts = [caption.value.replace("\\", "") for caption in opened().caption]
    assert any(text.startswith("About ") and "no earlier run" in text for text in texts)
    folder = write_run(space / "runs" / "notes-01", corpus, "finished")
    rows = [json.dumps(row | {"edges": 40, "phase": "training"}) for row in metrics_rows()]
    (folder / "metrics.jsonl").write_text("\n".join(rows))
    texts = [caption.value.replace("\\", "") for caption in opened().caption]
    assert any(text.startswith("About ") and "measured on earlier runs" in text for text in texts)


def test_a_link_to_a_run_that_was_deleted_states_what_is_shown_instead(
    space: Path, make_corpus: MakeCorpus
) -> None:
    corpus = make_corpus("notes")
    for number in (1, 2):
        write_run(space / "runs" / f"notes-0{number}", corpus, "finished")
    at = opened(watch="notes-03")
    (note,) = at.warning
    assert "notes\\-03" in note.value
    assert shown_run(at).value in note.value.replace("\\", "")
    shown_run(at).select("notes-01")
    assert not run(at).warning
    assert not press(at, shared_strings.REMOVE_SURE).warning


def test_the_address_brings_the_charts_back(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("notes")
    for number in (1, 2, 3):
        write_run(space / "runs" / f"notes-0{number}", corpus, "finished")
    at = opened(watch="notes-02", across="minutes", scale="log", lines="raw", beside="notes-03")
    shown = {group.key: group.value for group in at.button_group}
    assert (shown["across"], shown["scale"], shown["lines"]) == ("minutes", "log", "raw")
    box = at.multiselect(key="beside")
    assert box.value == ["notes-03"]
    assert set(box.options) == {"notes-01", "notes-03"}
    box.set_value(["notes-01"])
    run(at)
    assert at.query_params["beside"] in ("notes-01", ["notes-01"])


@pytest.mark.parametrize(
    "address", [{"beside": "gone"}, {"across": "x", "scale": "", "lines": "?"}]
)
def test_an_address_of_things_that_are_not_there_is_no_error(
    space: Path, make_corpus: MakeCorpus, address: dict[str, str]
) -> None:
    write_run(space / "runs" / "notes-01", make_corpus("notes"), "finished")
    opened(**address)


@pytest.mark.parametrize("topics", ["", "many", "5, -2", "0", "5.5", "2, 5", "9999", "٣"])
def test_topics_that_cannot_be_had_are_one_sentence_and_start_nothing(
    space: Path, make_corpus: MakeCorpus, launches: Launches, topics: str
) -> None:
    make_corpus("notes")
    at = choose(opened(), "dense-regions")
    next(box for box in at.text_input if box.label == strings.TOPICS).set_value(topics)
    press(at, strings.START)
    assert len(at.error) == 1
    assert at.error[0].value.endswith(".")
    assert launches == []
    assert not (space / "runs").exists()


def test_only_a_run_that_goes_on_promises_progress(space: Path, make_corpus: MakeCorpus) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "running")
    (folder / "metrics.jsonl").unlink()
    for is_alive in (True, False):
        with run_lock(folder) if is_alive else nullcontext():
            texts = [caption.value for caption in opened().caption]
        assert (shared_strings.CHART_EMPTY in texts) == is_alive
        assert (shared_strings.CHART_NONE in texts) != is_alive


@pytest.mark.parametrize(
    ("state", "is_alive", "has_model", "expected"),
    [
        ("queued", True, False, {shared_strings.PAUSE, shared_strings.STOP}),
        ("preparing", True, False, {shared_strings.PAUSE, shared_strings.STOP}),
        ("running", True, False, {shared_strings.PAUSE, shared_strings.STOP}),
        ("paused", True, False, {shared_strings.RESUME, shared_strings.STOP}),
        ("finished", False, True, {shared_strings.TO_QUERY}),
        ("stopped", False, True, {shared_strings.RESUME, shared_strings.TO_QUERY}),
        ("stopped", False, False, {shared_strings.RESUME}),
        ("failed", False, False, {shared_strings.RESUME}),
        ("running", False, False, {shared_strings.RESUME}),
        ("paused", False, True, {shared_strings.RESUME, shared_strings.TO_QUERY}),
    ],
)
def test_every_state_offers_what_can_be_done(
    space: Path,
    make_corpus: MakeCorpus,
    state: str,
    is_alive: bool,
    has_model: bool,
    expected: set[str],
) -> None:
    corpus = make_corpus("notes")
    folder = write_run(space / "runs" / "notes-01", corpus, state, has_model=has_model)
    lock = run_lock(folder)
    if is_alive:
        lock.acquire()
    try:
        at = opened()
        assert enabled(at) == expected
        # A row that never changes: nothing moves away under the pointer.
        head = [
            shared_strings.PAUSE,
            shared_strings.RESUME,
            shared_strings.STOP,
            shared_strings.REMOVE_SURE,
        ]
        assert [found.label for found in at.button if found.label in head] == head
        assert len(at.metric) == 4
    finally:
        lock.release()


def test_buttons_write_the_wish_and_the_sentence_reports_it(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "running", n_rows=10)
    with run_lock(folder):
        at = press(opened(), shared_strings.PAUSE)
        assert read_command(folder) == "pause"
        assert common_strings.PAUSING in [
            markdown.value.replace("\\", "") for markdown in at.markdown
        ]
        press(at, shared_strings.STOP)
        assert read_command(folder) == "stop"


@pytest.mark.parametrize("label", [shared_strings.PAUSE, shared_strings.STOP])
def test_a_run_that_prepares_shows_at_once_what_was_requested_of_it(
    space: Path, make_corpus: MakeCorpus, label: str
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "preparing", n_rows=0)
    with run_lock(folder):
        at = press(opened(), label)
        shown_text = [markdown.value.replace("\\", "") for markdown in at.markdown]
        assert common_strings.WAITING_SIGNS["preparing", label.lower()] in shown_text


def test_a_click_counts_even_where_the_page_is_cut_short_before_its_button(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "running", n_rows=10)

    with run_lock(folder):
        at = opened()
        monkeypatch.setattr("orrery.app.shared.training._buttons", lambda job: st.stop())
        press(at, shared_strings.STOP)
        assert read_command(folder) == "stop"


@pytest.mark.parametrize(
    "label", [shared_strings.PAUSE, shared_strings.STOP, shared_strings.REMOVE_SURE]
)
def test_a_click_meant_for_a_run_does_nothing_to_the_run_that_is_shown_since(
    space: Path, make_corpus: MakeCorpus, label: str
) -> None:
    corpus, is_removal = make_corpus("notes"), label == shared_strings.REMOVE_SURE
    state = "finished" if is_removal else "running"
    first, second = (write_run(space / "runs" / f"notes-0{n}", corpus, state) for n in (1, 2))

    def alive(folder: Path) -> AbstractContextManager[object]:
        return nullcontext() if is_removal else run_lock(folder)

    with alive(first):
        at = opened(watch="notes-01" if is_removal else "")
        clicked = button(at, label).proto.id
    with alive(second):
        at.query_params["watch"] = "notes-02" if is_removal else ""
        assert shown_run(run(at)).value == "notes-02"
        clicks = at._tree.get_widget_states()
        clicks.widgets.add(id=clicked, trigger_value=True)
        at._run(clicks)
        assert not at.exception
        assert read_command(second) == "run"
        assert second.is_dir()
        # A click meant for it does.
        press(opened(watch="notes-02"), label)
        assert is_removal or read_command(second) == label.lower()
        assert second.is_dir() != is_removal


def test_a_removal_names_its_run(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("notes")
    for name in ("notes-01", "notes_02"):
        write_run(space / "runs" / name, corpus, "finished")
    for name in ("notes-01", "notes_02"):
        question = shared_strings.REMOVE_QUESTION.format(run=name)
        assert question in as_read(opened(watch=name))


def test_a_name_in_an_error_is_no_markup(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(space / "runs" / "notes-01", make_corpus("notes"), "finished")

    def refuse(folder: Path) -> None:
        raise InputError("*notes* :material/home: is still going; stop it first")

    monkeypatch.setattr("orrery.app.workspace.runs.remove", refuse)
    at = press(opened(), shared_strings.REMOVE_SURE)
    assert at.error[0].value.startswith("\\*notes\\* \\:\u2060material/home\\: ")


def test_an_interrupted_run_is_taken_up_in_its_folder(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")
    folder = write_run(space / "runs" / "notes-01", corpus, "running")
    press(opened(), shared_strings.RESUME)
    ((found, arguments),) = launches
    assert found == folder
    assert "--resume" in arguments


def test_the_run_that_is_going_is_found_again(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("notes")
    going = write_run(space / "runs" / "notes-01", corpus, "running")
    write_run(space / "runs" / "notes-02", corpus, "finished")
    with run_lock(going):
        at = opened()
        assert shown_run(at).value == "notes-01"
        assert shown_run(opened(watch="notes-02")).value == "notes-02"


@pytest.mark.parametrize("others", [1, 0])
def test_stopping_a_run_that_someone_deleted_states_that_it_is_gone(
    space: Path, make_corpus: MakeCorpus, others: int
) -> None:
    corpus = make_corpus("notes")
    going = write_run(space / "runs" / "notes-02", corpus, "running")
    for number in range(others):
        write_run(space / "runs" / f"notes-0{number}", corpus, "finished")
    with run_lock(going):
        at = opened()
        shutil.rmtree(going)
        press(at, shared_strings.STOP)
    assert ["notes\\-02" in note.value for note in at.warning] == [True]


def test_a_refusal_is_read_though_another_run_began(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("notes")
    mine = write_run(space / "runs" / "notes-01", corpus, "stopped")
    at = opened()
    assert shown_run(at).value == "notes-01"
    other = write_run(space / "runs" / "notes-02", corpus, "running")
    with run_lock(other), run_lock(mine):
        (mine / "status.json").write_text((other / "status.json").read_text())
        press(at, shared_strings.REMOVE_SURE)
        assert shown_run(at).value == "notes-01"
    assert ["still going" in error.value for error in at.error] == [True]


def test_a_wish_that_cannot_be_written_is_one_sentence(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "running")
    (folder / "control.json").mkdir()
    with run_lock(folder):
        at = press(opened(), shared_strings.STOP)
    assert ["cannot be used" in error.value for error in at.error] == [True]


def test_a_run_that_has_no_place_is_one_sentence(space: Path, make_corpus: MakeCorpus) -> None:
    make_corpus("notes")
    (space / "runs").write_text("")
    at = press(opened(), strings.START)
    assert ["cannot be used" in error.value for error in at.error] == [True]


def test_runs_of_other_corpora_are_not_listed(space: Path, make_corpus: MakeCorpus) -> None:
    for name in ("a", "b"):
        write_run(space / "runs" / f"{name}-01", make_corpus(name), "finished")
    at = opened(corpus="b")
    assert shown_run(at).options == ["b-01"]
    assert [name.replace("\\", "") for name in at.table[0].value.index] == ["b-01"]


def test_a_run_that_vanishes_is_no_error(space: Path, make_corpus: MakeCorpus) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "finished")
    at = opened()
    shutil.rmtree(folder)
    run(at)
    assert strings.EMPTY_RUNS_TITLE in [heading.value for heading in at.subheader]


@pytest.mark.parametrize("name", ["status.json", "config.json", "metrics.jsonl", "control.json"])
def test_a_damaged_run_does_not_take_the_page_along(
    space: Path, make_corpus: MakeCorpus, name: str
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "stopped")
    (folder / name).write_bytes(b'\xff{"step": ')
    opened()


def test_read_topics() -> None:
    from orrery.app.views.train.page import read_topics

    assert read_topics(" 120, 30,6 ") == (120, 30, 6)
    for wrong in ("a lot", "0", "5, 0", "9" * 5000, ""):
        with pytest.raises(InputError, match="whole numbers"):
            read_topics(wrong)


def test_a_run_has_the_name_that_was_typed(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    make_corpus("notes")
    at = opened()
    for _ in range(2):
        next(box for box in at.text_input if box.label == strings.NAME).set_value("fewer topics/2")
        press(at, strings.START)
        assert next(box for box in at.text_input if box.label == strings.NAME).value == ""
    press(at, strings.START)
    assert [folder.name for folder, _ in launches] == [
        *("fewer-topics-2", "fewer-topics-2-02", "notes-01"),
    ]


def test_a_typed_name_is_kept_while_another_visitor_starts_and_removes_runs(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")

    def name_box(at: AppTest):
        return next(box for box in at.text_input if box.label == strings.NAME)

    at = opened()
    name_box(at).set_value("mine")
    assert name_box(run(at)).value == "mine"
    other = write_run(space / "runs" / "theirs", corpus, "finished")
    assert name_box(run(at)).value == "mine"
    shutil.rmtree(other)
    assert name_box(run(at)).value == "mine"
    press(at, strings.START)
    assert [folder.name for folder, _ in launches] == ["mine"]
    assert name_box(at).value == ""


def test_a_run_on_the_sample_is_called_as_the_sample_is(
    space: Path, monkeypatch: pytest.MonkeyPatch, launches: Launches
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    press(opened(), strings.START)
    ((folder, _),) = launches
    assert folder.name == "Field-notes-01"


def test_a_start_is_not_lost_with_the_script_that_it_begins(
    space: Path, make_corpus: MakeCorpus, launches: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus("notes")
    at = opened()
    with monkeypatch.context() as patched:
        patched.setattr("orrery.app.shell.page.headline", lambda *shown_text: st.stop())
        press(at, strings.START)
    assert launches == []
    run(at)
    assert len(launches) == 1


def test_a_run_that_was_started_is_shown_though_the_browser_requests_the_one_before(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")
    write_run(space / "runs" / "notes-01", corpus, "finished")
    at = press(opened(watch="notes-01"), strings.START)
    *started, moment = at.session_state[training.STARTED]
    # The machine may be slow.
    at.session_state[training.STARTED] = (*started, moment - 30.0)
    at.query_params["watch"] = "notes-01"
    run(at)
    assert shown_run(at).value == "notes-02"
    shown_run(at).set_value("notes-01")
    run(at)
    assert shown_run(at).value == "notes-01"


@pytest.mark.parametrize("bound", [-11.0, -9.0])
def test_a_model_that_predicts_no_better_than_independent_words_has_a_warning(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch, bound: float
) -> None:
    held_out = {"log_likelihood": None, "exact_bound": bound, "independent": -10.0}
    model = replace(toy_run(), summary={"held_out": held_out})
    monkeypatch.setattr(loaders, "open_run", lambda folder: model)
    write_run(space / "runs" / "notes-01", make_corpus("notes"), "finished", has_model=True)
    warnings = [warning.value for warning in opened().warning]
    assert (shell_strings.NO_STRUCTURE in warnings) == (bound < -10.0)


def test_the_run_of_the_chosen_model_is_shown_if_none_is_live(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = make_corpus("notes")
    for name in ("notes-01", "notes-02", "notes-03"):
        write_run(space / "runs" / name, corpus, "finished")
    for name in ("notes-01", "notes-02"):
        place = Place(name, space / "runs" / name)
        monkeypatch.setattr(training.choice, "model_place", lambda place=place: place)
        assert shown_run(opened()).value == name
    assert shown_run(opened(watch="notes-03")).value == "notes-03"
    with run_lock(write_run(space / "runs" / "notes-04", corpus, "running")):
        assert shown_run(opened()).value == "notes-04"


def test_a_run_is_still_shown_when_it_ends(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = make_corpus("notes")
    first = write_run(space / "runs" / "notes-01", corpus, "finished")
    monkeypatch.setattr(training.choice, "model_place", lambda: Place("notes-01", first))
    with ExitStack() as going:
        going.enter_context(run_lock(write_run(space / "runs" / "notes-02", corpus, "running")))
        # It ends after the page has listed the runs, and before the fragment does.
        monkeypatch.setattr(training, "say_gone", lambda shown="": going.close())
        assert shown_run(opened()).value == "notes-02"


def test_a_run_that_was_started_is_shown_though_the_browser_sends_the_menu_of_before(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")
    write_run(space / "runs" / "notes-01", corpus, "finished")
    at = opened(watch="notes-01")
    states = at._tree.get_widget_states().widgets
    # A browser sends the state of a button only for a click.
    sent = [state for state in states if state.WhichOneof("value") != "trigger_value"]
    press(at, strings.START)
    assert shown_run(at).value == "notes-02"
    at._run(WidgetStates(widgets=sent))
    assert shown_run(at).value == "notes-02"
    # A choice in the new menu is a choice.
    shown_run(at).set_value("notes-01")
    run(at)
    assert shown_run(at).value == "notes-01"
    shown_run(at).set_value("notes-02")
    run(at)
    assert shown_run(at).value == "notes-02"


def test_a_third_run_that_is_requested_after_a_start_is_shown(
    space: Path, make_corpus: MakeCorpus, launches: Launches
) -> None:
    corpus = make_corpus("notes")
    for name in ("notes-01", "others"):
        write_run(space / "runs" / name, corpus, "finished")
    at = press(opened(watch="notes-01"), strings.START)
    assert shown_run(at).value == "notes-02"
    at.query_params["watch"] = "others"
    run(at)
    assert shown_run(at).value == "others"


def shown_run(at: AppTest):
    """Menu of the runs."""
    return next(box for box in at.selectbox if box.label == shared_strings.SHOW)


@pytest.mark.parametrize(("state", "every"), [("finished", None), ("running", 1.0)])
def test_the_rows_of_all_runs_are_looked_at_while_one_is_going(
    space: Path,
    make_corpus: MakeCorpus,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
    every: float | None,
) -> None:
    corpus = make_corpus("notes")
    write_run(space / "runs" / "notes-01", corpus, "finished")
    other = write_run(space / "runs" / "notes-02", corpus, state)
    requested = []
    monkeypatch.setattr(
        "streamlit.fragment", lambda draw, run_every=None: requested.append(run_every) or draw
    )
    with run_lock(other) if state == "running" else nullcontext():
        at = opened(watch="notes-01")
    assert requested == [every]
    table = at.table[0].value
    assert not table.isna().any().any()
    assert "None" not in table.to_string()


def test_metrics_of_ended_runs_are_read_once_for_the_table(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, read = make_corpus("notes"), Counter[Path]()
    runs = [write_run(space / "runs" / f"notes-{n:02}", corpus, "finished") for n in range(1, 50)]
    monkeypatch.setattr(
        training_charts,
        "read_metrics",
        lambda folder: read.update([folder]) or read_metrics(folder),
    )
    at = opened()
    assert len(at.table[0].value) == len(runs)
    run(at)
    assert read == Counter(dict.fromkeys(runs, 1))


def test_what_follows_the_last_step_has_a_bar_and_a_sentence(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "running")
    status = json.loads((folder / "status.json").read_text())
    status |= {"done_last": 0.4, "message": "Judging the model."}
    (folder / "status.json").write_text(json.dumps(status))
    with run_lock(folder):
        at = opened()
    assert [bar.proto.value for bar in at.get("progress")] == [40]
    assert "Judging the model\\." in [text.value for text in at.markdown]
    assert shared_strings.FINISHING in at.table[0].value.to_string()
    took = next(figure for figure in at.metric if figure.label == common_strings.TOOK)
    # The clock of a working run advances.
    waited = math.ceil(time.time() - status["updated"])
    assert took.value in [common_strings.duration(20.0 + seconds) for seconds in range(waited + 1)]


def test_a_phase_of_unknown_length_has_a_bar_that_moves_and_a_clock(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = write_run(space / "runs" / "notes-01", make_corpus("notes"), "preparing", n_rows=0)
    status = json.loads((folder / "status.json").read_text())
    now = time.time()
    status |= {"message": "Laying out.", "since": now - 65, "whole_seconds": 70, "updated": now}
    (folder / "status.json").write_text(json.dumps(status))
    with run_lock(folder):
        at = opened()
    assert "moving-bar" in " ".join(html.proto.body for html in at.get("html"))
    news = " ".join(text.value for text in at.markdown).replace("\\", "")
    assert "Laying out, for 1 min 0" in news
    assert "1 min 1" in at.table[0].value.to_string()
