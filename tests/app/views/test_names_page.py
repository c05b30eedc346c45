"""The Names page: what is brought to it is shown first, then saved, and can be taken back."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.shared import topic_strings
from orrery.app.shared.naming import table
from orrery.app.views.names import strings
from orrery.core.model.overlay import Overlay
from orrery.core.naming.table import TopicRow, table_order, topic_documents
from orrery.core.storage.activations import load_activations
from orrery.core.storage.overlay import change_overlay, read_overlay, write_overlay
from orrery.core.storage.runs import load_run
from tests.app.pages import as_read, open_page, press, run, shown_text
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"


def names_page() -> None:
    from orrery.app.views.names import page as names

    names.render()


OPEN_PARTS = {"by-a-model": True, "in-a-spreadsheet": True}
opened = partial(open_page, names_page, session=OPEN_PARTS)


def answered(app: AppTest, answer: str) -> AppTest:
    app.text_area(key="names-answer").set_value(answer)
    return press(app, "read-names")


def names_in(app: AppTest) -> list[str]:
    return app.dataframe[0].value[shared_strings.COLUMNS["name"]].tolist()


def names_of_words(own_model: Path) -> list[str]:
    """Names of all topics that are made of their words, in the order of the table."""
    run = load_run(own_model.parent)
    order = table_order(run, topic_documents(run, load_activations(own_model)))
    return [run.made_labels[topic] for topic in order]


def test_the_table_has_every_topic_and_a_way_out(own_model: Path) -> None:
    app = opened()
    table = app.dataframe[0].value
    assert len(table) == 64
    assert table[shared_strings.COLUMNS["documents"]].is_monotonic_decreasing
    assert app.button(key="undo-names").disabled
    assert app.button(key="save-names").disabled
    assert app.get("download_button")


def test_an_answer_is_shown_then_saved_then_taken_back(own_model: Path) -> None:
    weights = (own_model / "model.npz").read_bytes()
    app = answered(opened(), "Here they are:\nL1.3: Rivers *and* floods\nL1.8: Boats\nL99: no")
    assert {"Rivers *and* floods", "Boats"} <= set(names_in(app))
    assert read_overlay(own_model) == Overlay()
    assert strings.unsaved(2) in shown_text(app)
    assert strings.read(2, 2) in shown_text(app)
    missed = next(frame.value for frame in app.dataframe if strings.WHY in frame.value.columns)
    assert missed[strings.LINE].tolist() == [1, 4]
    press(app, "save-names")
    assert read_overlay(own_model).labels == {"L1.3": "Rivers *and* floods", "L1.8": "Boats"}
    assert strings.unsaved(2) not in shown_text(app)
    again = opened()
    assert {"Rivers *and* floods", "Boats"} <= set(names_in(again))
    assert "the name of 2 topics" in again.button(key="undo-names").help
    press(again, "undo-names")
    assert read_overlay(own_model) == Overlay()
    assert names_in(again) == names_of_words(own_model)
    assert (own_model / "model.npz").read_bytes() == weights


def test_what_is_discarded_is_gone(own_model: Path) -> None:
    app = press(answered(opened(), "L1.3: Rivers"), "discard-names")
    assert names_in(app) == names_of_words(own_model)
    assert app.button(key="save-names").disabled


@pytest.mark.parametrize(("key", "kept"), [("keep-mine", "Mine"), ("keep-theirs", "Theirs")])
def test_what_another_browser_saved_is_not_lost_unseen(
    own_model: Path, key: str, kept: str
) -> None:
    app = answered(opened(), "L1.3: Mine\nL1.8: Boats")
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.3", "Theirs"))
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.4", "Gardens"))
    press(app, "save-names")
    assert read_overlay(own_model).labels == {"L1.3": "Theirs", "L1.4": "Gardens"}
    assert strings.CONFLICT in shown_text(app)
    listed = next(frame.value for frame in app.dataframe if strings.MINE in frame.value.columns)
    assert listed[strings.THEIRS].tolist() == ["Theirs"]
    assert listed[strings.MINE].tolist() == ["Mine"]
    press(app, key)
    assert read_overlay(own_model).labels == {"L1.3": kept, "L1.4": "Gardens", "L1.8": "Boats"}
    assert strings.CONFLICT not in shown_text(app)


def test_an_undo_of_what_is_not_the_last_change_any_more_is_refused(own_model: Path) -> None:
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.3", "Rivers"))
    app = opened()
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.8", "Boats"))
    press(app, "undo-names")
    assert "the last change is another by now" in shown_text(app).replace("The last", "the last")
    assert read_overlay(own_model).labels == {"L1.3": "Rivers", "L1.8": "Boats"}


def test_a_link_restores_search_and_choice(own_model: Path) -> None:
    write_overlay(own_model, Overlay({"L1.8": "Boats"}))
    app = opened(find="boats", show=shared_strings.NAMED, page="99999999999")
    assert names_in(app) == ["Boats"]
    assert shared_strings.NOTHING in shown_text(opened(find="nothing has this"))


def test_the_sample_is_not_changed(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    app = opened()
    assert topic_strings.READ_ONLY in shown_text(app)
    assert app.button(key="read-names").disabled
    assert app.button(key="save-names").disabled
    press(app, "copy-sample")
    assert not app.button(key="read-names").disabled


def with_run(app: AppTest, folder: Path) -> AppTest:
    app.query_params["run"] = folder.name
    return run(app)


@pytest.fixture
def other_model(own_model: Path) -> Path:
    """Model folder of a copy of the run."""
    return shutil.copytree(own_model.parent, own_model.parent.with_name("other")) / "model"


def test_drafts_of_another_model_are_not_shown(own_model: Path, other_model: Path) -> None:
    app = answered(with_run(opened(), own_model.parent), "L1.3: Rivers")
    assert names_in(with_run(app, other_model.parent)) == names_of_words(other_model)


@pytest.mark.parametrize("end", ["save-names", "discard-names"])
def test_drafts_of_a_model_are_kept_until_they_are_saved_or_discarded(
    own_model: Path, other_model: Path, end: str
) -> None:
    app = answered(with_run(opened(), own_model.parent), "L1.3: Rivers\nL1.8: Boats")
    answered(with_run(app, other_model.parent), "L1.3: Skies")
    # The other model's drafts would be lost with the window, too.
    assert "window.onbeforeunload = 3 ?" in shown_text(app)
    assert strings.unsaved_elsewhere([own_model.parent.name]) in as_read(app)
    press(app, end)
    saved = {"L1.3": "Skies"} if end == "save-names" else {}
    assert read_overlay(other_model).labels == saved
    assert app.button(key="save-names").disabled
    with_run(app, own_model.parent)
    assert {"Rivers", "Boats"} <= set(names_in(app))
    assert strings.unsaved(2) in shown_text(app)
    # The browser asks before it leaves.
    assert "window.onbeforeunload = 2 ?" in shown_text(app)
    press(app, end)
    expected = {"L1.3": "Rivers", "L1.8": "Boats"} if end == "save-names" else {}
    assert read_overlay(own_model).labels == expected
    assert read_overlay(other_model).labels == saved


@pytest.mark.parametrize("key", ["keep-mine", "keep-theirs"])
def test_a_conflict_of_a_model_is_kept_while_another_has_one(
    own_model: Path, other_model: Path, key: str
) -> None:
    app, models = opened(), (own_model, other_model)
    for model in models:
        answered(with_run(app, model.parent), "L1.3: Mine")
        change_overlay(model, lambda overlay: overlay.with_label("L1.3", "Theirs"))
        press(app, "save-names")
    for model in models:
        assert strings.CONFLICT in shown_text(with_run(app, model.parent))
        press(app, key)
        assert strings.CONFLICT not in shown_text(app)
    kept = "Mine" if key == "keep-mine" else "Theirs"
    assert [read_overlay(model).labels for model in models] == [{"L1.3": kept}] * 2


def test_mine_is_what_was_typed_last(own_model: Path) -> None:
    app = answered(opened(), "L1.3: Mine")
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.3", "Theirs"))
    press(app, "save-names")
    answered(app, "L1.3: Mine, improved")
    press(app, "keep-mine")
    assert read_overlay(own_model).labels == {"L1.3": "Mine, improved"}


def test_a_name_that_was_taken_back_is_in_no_conflict(own_model: Path) -> None:
    app = answered(opened(), "L1.3: Mine")
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.3", "Theirs"))
    press(app, "save-names")
    app = answered(answered(app, "L1.3: Theirs"), "L1.4: Gardens")
    assert strings.CONFLICT not in shown_text(app)
    press(app, "save-names")
    assert read_overlay(own_model).labels == {"L1.3": "Theirs", "L1.4": "Gardens"}
    # Now it was seen, and may be replaced.
    app = answered(app, "L1.3: Better")
    assert strings.CONFLICT not in shown_text(app)
    press(app, "save-names")
    assert read_overlay(own_model).labels["L1.3"] == "Better"


def test_conflicts_and_answers_of_another_model_are_not_shown(own_model: Path) -> None:
    app = answered(opened(), "L1.3: Mine")
    change_overlay(own_model, lambda overlay: overlay.with_label("L1.3", "Theirs"))
    press(app, "save-names")
    assert strings.CONFLICT in shown_text(app)
    folder = own_model.parent
    other = shutil.copytree(folder, folder.with_name("other"))
    write_overlay(other / "model", Overlay())
    app.query_params["run"] = other.name
    app.run()
    assert strings.read(1, 0) not in shown_text(app)
    app = answered(app, "L1.4: Gardens")
    assert strings.CONFLICT not in shown_text(app)
    press(app, "save-names")
    assert read_overlay(other / "model").labels == {"L1.4": "Gardens"}


def test_without_a_model_the_page_states_what_will_be_here(space: Path) -> None:
    assert strings.EMPTY in shown_text(opened())


def test_words_that_do_not_fit_are_left_out_with_a_sign():
    words = ("kidney failure", "weakness", "low blood pressure", "dehydration", "lethargy")
    row = TopicRow("a", "", words, None, "", False)
    (shown,) = table([row], {}, {"a": "a"})[shared_strings.COLUMNS["words"]]
    assert shown == "kidney failure, weakness, low blood pressure, dehydration …"
    few = TopicRow("a", "", words[:2], None, "", False)
    (shown,) = table([few], {}, {"a": "a"})[shared_strings.COLUMNS["words"]]
    assert shown == "kidney failure, weakness"
