"""Home: what the workspace holds, what to do next, and deleting that asks first."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import model_summary
from orrery.app.shared import strings as shared_strings
from orrery.app.shared.strings import MAP_OF
from orrery.app.shared.topic_facts import topic_sizes
from orrery.app.shell import routing
from orrery.app.text import strings as common_strings
from orrery.app.text.safe_text import markdown_text
from orrery.app.views.home import strings
from orrery.app.workspace import catalog, overview, search_index
from orrery.core.model.story import KeptView
from orrery.core.storage.activations import load_activations
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run, read_command, run_lock
from orrery.core.storage.stories import add_story, change_story
from orrery.core.utils.errors import InputError
from tests.app.fake_runs import write_run
from tests.app.pages import as_read, open_app, open_page, pictures, press, shown_text

MakeCorpus = Callable[[str], Path]


def page() -> None:
    from orrery.app.views.home import page as home

    home.render()


opened = partial(open_page, page)


def small_maps(app: AppTest) -> list[dict]:
    return [json.loads(p.json) for p in pictures(app) if p.component_name == "orrery_map"]


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button if not button.disabled}


def test_an_empty_workspace_requests_a_corpus(space: Path) -> None:
    at = opened()
    assert [button.label for button in at.button] == [strings.SHOW_SAMPLE, strings.NEXT["corpus"]]
    assert overview.next_step(overview.corpora_with_runs()) == "corpus"


def test_the_next_step_is_the_one_that_is_missing(space: Path, make_corpus: MakeCorpus) -> None:
    corpus = make_corpus("a")
    assert overview.next_step(overview.corpora_with_runs()) == "train"
    going = write_run(space / "runs" / "a-01", corpus, "running")
    with run_lock(going):
        assert overview.next_step(overview.corpora_with_runs()) == "watch"
    assert overview.next_step(overview.corpora_with_runs()) == "train"
    write_run(space / "runs" / "a-02", corpus, "finished", has_model=True)
    assert overview.next_step(overview.corpora_with_runs()) == "query"


@pytest.mark.parametrize(
    ("state", "is_alive", "shown"),
    [
        ("running", True, "training"),
        ("paused", True, "paused"),
        ("running", False, "interrupted"),
        ("finished", False, "trained today"),
        ("failed", False, "failed"),
        ("stopped", False, "stopped"),
    ],
)
def test_every_run_shows_how_it_stands(
    space: Path, make_corpus: MakeCorpus, state: str, is_alive: bool, shown: str
) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), state)
    lock = run_lock(folder)
    if is_alive:
        lock.acquire()
    try:
        at = opened()
        marks = {"training": "running", "trained today": "finished"}
        mark = strings.STATES_MARK[marks.get(shown, shown)]
        assert f"{mark} **a\\-01**" in shown_text(at)
        assert shown in shown_text(at)
        assert ("sure-run-a-01" in keys(at)) == (not is_alive)
    finally:
        lock.release()


def test_home_states_which_phase_a_run_is_in(space: Path, make_corpus: MakeCorpus) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "running")
    status = json.loads((folder / "status.json").read_text())
    # Minutes, for the first page of a process may take seconds.
    since = time.time() - 45 * 60
    status |= {"done_last": 0.0, "message": "Judging the model.", "since": since}
    (folder / "status.json").write_text(json.dumps(status))
    with run_lock(folder):
        assert "judging the model, for 45 min" in shown_text(opened()).replace("\\", "")


def test_runs_stand_with_their_corpus_and_lost_ones_apart(
    space: Path, make_corpus: MakeCorpus
) -> None:
    for name in ("a", "b"):
        write_run(space / "runs" / f"{name}-01", make_corpus(name), "finished")
    write_run(space / "runs" / "c-01", space / "corpora" / "c", "finished", has_model=True)
    found = {
        entry.place.name if entry.place else None: [job.name for job in entry.jobs]
        for entry in overview.corpora_with_runs()
    }
    assert found == {"a": ["a-01"], "b": ["b-01"], None: ["c-01"]}
    assert strings.LOST in shown_text(opened())


def test_the_sample_has_its_model_and_cannot_be_deleted(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    at = opened()
    assert {"sample-ask", "next-step"} <= keys(at)
    assert not [key for key in keys(at) if key.startswith("sure-")]
    (sample,) = catalog.corpora()
    with pytest.raises(InputError, match="sample"):
        catalog.remove_corpus(sample)
    assert sample.folder.is_dir()


def test_the_sample_is_shown_on_request_and_hidden_again(space: Path) -> None:
    at = opened()
    assert "show-sample" in keys(at)
    at.button(key="show-sample").click().run()
    assert {"sample-ask", "hide-sample"} <= keys(at)
    assert [place.read_only for place in catalog.corpora()] == [True]
    assert catalog.has_models()
    at.button(key="hide-sample").click().run()
    assert "show-sample" in keys(at)
    assert catalog.corpora() == []
    assert strings.OR_SAMPLE in shown_text(at)


def test_the_sample_stays_while_a_run_is_going_on_it(space: Path) -> None:
    catalog.show_sample(True)
    (sample,) = catalog.corpora()
    going = write_run(space / "runs" / "going", sample.folder, "running")
    with run_lock(going):
        at = opened()
    assert at.button(key="hide-sample").disabled
    assert "going" in at.button(key="hide-sample").help
    assert "hide-sample" in keys(opened())


def test_the_sample_makes_the_folder_that_it_is_requested_in(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_WORKSPACE", str(space / "gone" / "new"))
    catalog.show_sample(False)
    catalog.show_sample(True)
    assert catalog.has_sample()


def test_a_place_without_a_sample_promises_none(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "SAMPLE_DATA", space / "none")
    at = opened()
    assert "show-sample" not in keys(at)
    assert "sample" not in shown_text(at)


def page_with_rail() -> None:
    from orrery.app import navigation as sidebar
    from orrery.app.shell import choice
    from orrery.app.shell.page import show_notes
    from orrery.app.views.home import page as home

    show_notes(choice.not_here())
    home.render()
    sidebar.draw_sidebar()


opened_at = partial(open_page, page_with_rail)


def deleted(at: AppTest, name: str) -> AppTest:
    return press(at, f"sure-{name}")


def test_what_was_deleted_by_hand_is_no_link_that_leads_nowhere(
    space: Path, make_corpus: MakeCorpus
) -> None:
    for name in ("a", "b"):
        write_run(space / "runs" / f"{name}-01", make_corpus(name), "finished", has_model=True)
    # Deleted by this visitor, not elsewhere.
    at = deleted(opened_at(corpus="b", run="b-01"), "corpus-b")
    assert not at.warning
    assert [at.query_params[name] for name in ("corpus", "run")] == ["a", "a-01"]
    at = deleted(opened_at(corpus="a", run="a-01"), "run-a-01")
    assert not at.warning
    assert at.query_params["corpus"] == "a"
    assert "run" not in at.query_params


def test_a_link_to_what_is_not_here_outlasts_a_deletion(
    space: Path, make_corpus: MakeCorpus
) -> None:
    write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    at = deleted(opened_at(corpus="nowhere"), "run-a-01")
    assert at.query_params["corpus"] == "nowhere"
    assert "nowhere" in at.warning[0].value


def test_the_demo_has_no_switch_for_its_sample(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    for was_requested in (False, True):
        catalog.show_sample(was_requested)
        assert not {"show-sample", "hide-sample"} & keys(opened())
    catalog.show_sample(False)
    with monkeypatch.context() as without:
        without.delenv("ORRERY_DEMO")
        without.setattr(catalog, "SAMPLE_DATA", space / "none")
        assert "show-sample" not in keys(opened())


def test_deleting_a_corpus_takes_its_index_and_leaves_its_models(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = make_corpus("a")
    write_run(space / "runs" / "a-01", folder, "finished", has_model=True)
    index = search_index.index_path(space, folder)
    building = search_index.begin_index(index, load_corpus(folder))
    assert building.thread is not None
    building.thread.join(30)
    at = opened()
    assert strings.used_by(1) in shown_text(at)
    press(at, "sure-corpus-a")
    assert not folder.exists()
    assert not index.exists()
    assert list((space / "corpora").iterdir()) == []
    assert catalog.has_models()


def test_a_corpus_in_use_is_kept_until_the_run_is_stopped(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = make_corpus("a")
    with run_lock(write_run(space / "runs" / "a-01", folder, "running")):
        at = opened()
        assert "sure-corpus-a" not in keys(at)
        assert strings.STILL_GOING.format(run="a\\-01") in shown_text(at)
        with pytest.raises(InputError, match="stop it first"):
            catalog.remove_corpus(catalog.corpora()[0])
    assert folder.is_dir()


def test_a_run_without_a_corpus_can_be_stopped_here(space: Path, tmp_path: Path) -> None:
    folder = write_run(space / "runs" / "a-01", tmp_path / "elsewhere", "running")
    with run_lock(folder):
        at = press(opened(), "stop-a-01")
        assert common_strings.STOPPING in shown_text(at)
        assert read_command(folder) == "stop"
    assert "stop-a-01" not in keys(opened())


def test_a_damaged_corpus_is_one_sentence_and_can_be_deleted(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = make_corpus("a")
    (folder / "corpus.json").write_text("{")
    at = opened()
    assert "damaged" in shown_text(at)
    press(at, "sure-corpus-a")
    assert not folder.exists()


@pytest.mark.parametrize("updated", [1.7e12, -1e15, 1e300])
def test_a_time_beyond_all_calendars_is_no_error(
    space: Path, make_corpus: MakeCorpus, updated: float
) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    status = json.loads((folder / "status.json").read_text("utf-8"))
    (folder / "status.json").write_text(json.dumps(status | {"updated": updated}), "utf-8")
    assert "a-01" in as_read(opened())


def test_a_deletion_states_its_consequences_before(space: Path, make_corpus: MakeCorpus) -> None:
    write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    assert shared_strings.REMOVE_QUESTION.format(run="a-01") in as_read(opened())
    assert "names and notes" in as_read(opened())
    assert "story of this model" not in as_read(opened())
    add_story(space, "Tale", "a", "a-01", (KeptView("k", "query", (), "view"),))
    assert "1 story of this model will lack it" in as_read(opened())
    # Without its corpus, too.
    shutil.rmtree(space / "corpora" / "a")
    assert "1 story of this model will lack it" in as_read(opened())


def test_deleting_a_run_ends_the_work_on_it(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    stopped = []
    for work in ("document_maps", "evaluations"):
        monkeypatch.setattr(
            f"orrery.app.workspace.{work}.stop", lambda *given, **_: stopped.append(given)
        )
    press(opened(), "sure-run-a-01")
    assert stopped == [(space, folder)] * 2


def test_deleting_a_run_takes_it_away(space: Path, make_corpus: MakeCorpus) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    at = press(opened(), "sure-run-a-01")
    assert not folder.exists()
    assert strings.NO_RUNS in shown_text(at)


def test_a_corpus_that_was_deleted_elsewhere_is_gone(space: Path, make_corpus: MakeCorpus) -> None:
    make_corpus("a")
    (place,) = catalog.corpora()
    catalog.remove_corpus(place)
    with pytest.raises(InputError, match="corpus a is gone"):
        catalog.remove_corpus(place)


def test_names_of_the_sample_and_of_parts_of_the_page_are_names_like_others(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    for name in ("Field notes", "a", "buttons-a"):
        corpus = make_corpus(name)
    for name in ("Field notes", "sample", "of-the-sample"):
        write_run(space / "runs" / name, corpus, "finished", has_model=True)
    at = opened()
    places = [*catalog.corpora(), *catalog.models(catalog.corpora()[0])]
    assert [place.name for place in places if place.read_only] == ["Field notes (sample)"] * 2
    assert {"ask-Field notes", "ask-sample", "sample-ask"} <= keys(at)


def test_names_cannot_become_markup(space: Path, make_corpus: MakeCorpus) -> None:
    make_corpus("*a* :material_x:")
    assert "\\*a\\*" in shown_text(opened())


def test_models_without_a_corpus_are_none_of_another(space: Path, make_corpus: MakeCorpus) -> None:
    write_run(space / "runs" / "z-01", space / "corpora" / "gone", "finished", has_model=True)
    assert overview.next_step(overview.corpora_with_runs()) == "query"
    corpus = make_corpus("a")
    assert overview.next_step(overview.corpora_with_runs()) == "train"
    write_run(space / "runs" / "a-01", corpus, "finished", has_model=True)
    assert [place.name for place in catalog.models(catalog.corpora()[0])] == ["a-01"]
    assert [place.name for place in catalog.models(None)] == ["z-01"]


def test_the_app_opens_on_home_until_there_is_a_model(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def title() -> str:
        return open_app().title[0].value

    assert title() == strings.TITLE
    make_corpus("a")
    assert title() == strings.TITLE
    monkeypatch.setenv("ORRERY_DEMO", "1")
    assert title() == "Query"
    monkeypatch.delenv("ORRERY_DEMO")
    sample = catalog.SAMPLE_DATA
    shutil.copytree(sample / "run", space / "runs" / "a-01")
    assert title() == "Query"


def test_a_copied_model_reports_it_and_has_no_training_to_open(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    (sample,) = catalog.models(catalog.corpora()[0])
    name = catalog.copy_model(sample).name
    at = opened()
    assert "Copied from Field notes" in shown_text(at)
    assert f"ask-{name}" in keys(at)
    assert f"open-{name}" not in keys(at)


def test_the_box_asks_the_model_that_is_there(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[tuple[str, object]] = []
    monkeypatch.setattr(routing, "go_to", lambda page, more=None: requested.append((page, more)))
    assert not opened().text_input
    catalog.show_sample(True)
    at = opened()
    at.text_input(key="home-question").input(" river bank ").run()
    assert not at.exception
    assert requested == [("query", {"q": " river bank "})]
    press(opened(), "next-step")
    assert requested[1:] == [("query", {})]
    assert at.query_params["run"] == at.query_params["corpus"] == "Field notes"


def test_to_look_at_the_box_chooses_nothing(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routing, "go_to", lambda page, more=None: None)
    write_run(space / "runs" / "a-01", make_corpus("a"), "finished", has_model=True)
    make_corpus("b")
    at = open_page(page, corpus="b")
    assert at.text_input(key="home-question").placeholder == strings.ASK_MODEL.format(model="a-01")
    assert at.query_params["corpus"] == "b"
    at.text_input(key="home-question").input("river").run()
    assert at.query_params["corpus"] == "a"


def test_every_model_has_its_small_map_and_a_damaged_one_has_none(
    space: Path, make_corpus: MakeCorpus
) -> None:
    corpus = make_corpus("a")
    for name in ("a-01", "a-02"):
        folder = write_run(space / "runs" / name, corpus, "finished")
        shutil.copytree(catalog.SAMPLE_DATA / "run" / "model", folder / "model")
    write_run(space / "runs" / "a-03", corpus, "stopped")
    maps = small_maps(opened())
    assert {found["description"] for found in maps} == {
        MAP_OF.format(model=name) for name in ("a-01", "a-02")
    }
    (space / "runs" / "a-02" / "model" / "model.npz").write_bytes(b"")
    (space / "runs" / "a-02" / "model" / "model.json").touch()
    assert [found["description"] for found in small_maps(opened())] == [MAP_OF.format(model="a-01")]


def test_a_small_map_has_the_largest_topics_and_counts_the_others(
    space: Path, make_corpus: MakeCorpus
) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "finished")
    shutil.copytree(catalog.SAMPLE_DATA / "run" / "model", folder / "model")
    (found,) = small_maps(opened())
    run = load_run(folder)
    topics = [box for box in found["boxes"] if box["kind"] == "topic"]
    assert len(topics) == model_summary.BOXES
    # A short name is the beginning of the whole one, and no box is without a name.
    for box in topics:
        assert any(label.startswith(box["label"]) for label in run.topic_labels)
    assert all(box["label"] for box in found["boxes"])
    assert len({box["label"] for box in topics}) == len(topics)
    shown = 64 - len(run.hidden_topics)
    assert sum(box["folded"] for box in found["boxes"]) == shown - model_summary.BOXES
    # No box is too small for its name.
    sizes = [box["size"] for box in found["boxes"]]
    assert min(sizes) >= model_summary.MIN_SIZE * max(sizes)
    assert all(box["above"] == -1 for box in found["boxes"])
    assert {box["figures"] for box in found["boxes"]} == {""}
    # A click opens the topic, or the whole graph.
    assert {box["key"].partition(":")[0] for box in topics} == {"topic"}
    assert all(box["hover"][0].startswith(box["label"]) for box in topics)


def test_the_card_states_what_was_learned(
    space: Path, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "finished")
    shutil.copytree(catalog.SAMPLE_DATA / "run" / "model", folder / "model")
    shown = shown_text(opened())
    found = model_summary.summary_of(folder)
    assert found is not None
    assert len(found.topics) == model_summary.TOPICS
    sizes = [size for _, size in found.topics]
    assert sizes == sorted(sizes, reverse=True)
    # The heading states the count, and Graph has the same figures for topics by themselves.
    run, stored = load_run(folder), load_activations(folder / "model")
    own = topic_sizes(run, stored)
    assert strings.largest(own.documents) in shown
    assert f"documents with the topic itself (of {own.documents:,})" in shown
    assert strings.INSIDE in shown
    # No topic is left out without a word: all that are larger than the last one are named.
    least = sizes[-1]
    larger = {run.topic_labels[topic] for topic in run.displayed_topics if own.size[topic] > least}
    assert larger <= {label for label, _ in (*found.topics, *found.general)}
    for label, size in found.topics:
        assert own.size[run.topic_labels.index(label)] == size
        assert strings.topic_size(markdown_text(label), size, own.documents) in shown
        assert f"**{size:,.0f}**" in strings.topic_size(label, size, own.documents)
    # A larger topic of general words comes after the others, and is named.
    label, size = found.topics[0]
    general = run.topic_labels.index(label)
    known = tuple(0.0 if topic == general else 0.5 for topic in range(len(run.topic_labels)))
    monkeypatch.setattr(model_summary, "load_run", lambda _: replace(run, coherence=known))
    model_summary.summary_of.clear()
    named = strings.topic_size(markdown_text(label), size, own.documents)
    assert strings.general_topics([named]) in shown_text(opened())
    # A topic of a single frequent word is reported with the way to remove it.
    monkeypatch.setattr(model_summary, "_words_alone", lambda run: ("cal*ed",))
    model_summary.summary_of.clear()
    alone = shared_strings.words_alone([markdown_text("cal*ed")])
    assert alone in shown_text(opened())
    assert "import the texts again" in alone
    model_summary.summary_of.clear()
    assert "trained today" in shown
    # No number of epochs here: the Train page has it.
    assert "epoch" not in shown


def test_a_story_of_the_model_is_on_its_card(space: Path, make_corpus: MakeCorpus) -> None:
    folder = write_run(space / "runs" / "a-01", make_corpus("a"), "finished")
    shutil.copytree(catalog.SAMPLE_DATA / "run" / "model", folder / "model")
    story = add_story(space, "What grew", "a", "a-01")
    labels = [button.label for button in opened().button]
    # A story without a view has nothing to show.
    assert markdown_text(strings.STORY.format(title="What grew")) not in labels
    view = KeptView("0a1b2c3d4e5f", "graph", (), "All topics", "")
    change_story(space, story.name, lambda story: replace(story, views=(view,)))
    labels = [button.label for button in opened().button]
    assert markdown_text(strings.STORY.format(title="What grew")) in labels


@pytest.mark.parametrize(
    ("days", "shown"),
    [(0, "trained today"), (1, "trained yesterday"), (40, "trained on 19 October"),
     (400, "trained on 24 October 2025")],
)  # fmt: skip
def test_the_day_of_a_training_is_written_shortly(days: int, shown: str) -> None:
    today = date(2026, 11, 28)
    assert strings.trained_on(today - timedelta(days=days), today) == shown
