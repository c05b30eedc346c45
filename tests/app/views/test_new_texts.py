"""Apply to new texts: the result on the Documents page."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from orrery.app.shared import strings as shared_strings
from orrery.app.views.documents import new_texts, strings
from orrery.app.workspace import applied_texts, uploads
from orrery.app.workspace.applied_texts import Applying
from tests.app.pages import as_read, open_page, press, run, shown_text
from tests.app.workspace.test_applied_texts import SUMMARY
from tests.app.workspace.test_uploads import FakeUpload


def page() -> None:
    from orrery.app.shell import loaders, memory
    from orrery.app.views.documents import new_texts

    run = loaders.current_run()
    assert run is not None
    new_texts._show_source(run, memory.recall("source"))


opened = partial(open_page, page)


def upload(folder: Path, *columns: str) -> Path:
    """File of 20 rows, whose columns have two words; those with a sign + have long texts."""
    words = {name: "one two " * (10 if name.startswith("+") else 1) for name in columns}
    path = folder / "new.csv"
    path.write_text("\n".join([",".join(columns), *[",".join(words.values())] * 20]) + "\n")
    return path


def requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Text columns of the results that the page looks for or starts, the last one last."""
    asked: list[tuple[str, ...]] = []

    def read(*given: Any) -> Applying:
        asked.append(given[3])
        return Applying("none")

    monkeypatch.setattr(applied_texts, "read_applying", read)
    monkeypatch.setattr(applied_texts, "begin", lambda *given: asked.append(("begun", *given[3])))
    return asked


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Applying("failed", message="new.csv is empty"), "new.csv is empty"),
        (Applying("done", 1.0, summary=SUMMARY), "Words that the model does not know: *zebra*."),
    ],
)
def test_a_failure_and_a_result_are_shown(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, found: Applying, text: str
) -> None:
    table = tmp_path / "topics.csv"
    table.write_text("document")
    monkeypatch.setattr(applied_texts, "read_applying", lambda *_: found)
    monkeypatch.setattr(applied_texts, "table_of", lambda *_: table)
    at = opened(session={"source": upload(tmp_path, "a", "+b")})
    assert not at.exception
    assert text.casefold() in as_read(at).casefold()
    assert len(at.get("download_button")) == (found.state == "done")


@pytest.mark.parametrize("is_old", [True, False])
def test_a_table_with_earlier_names_can_be_made_again(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_old: bool
) -> None:
    found = Applying("done", 1.0, summary=SUMMARY, has_old_names=is_old)
    table, begun = tmp_path / "topics.csv", []
    table.write_text("document")
    monkeypatch.setattr(applied_texts, "read_applying", lambda *_: found)
    monkeypatch.setattr(applied_texts, "table_of", lambda *_: table)
    monkeypatch.setattr(applied_texts, "begin", lambda *given: begun.append(given))
    at = opened(session={"source": upload(tmp_path, "a", "+b")})
    assert (strings.OTHER_NAMES in as_read(at)) is is_old
    assert [button.label for button in at.button] == [strings.APPLY_AGAIN] * is_old
    if is_old:
        press(at, "apply-start")
        assert len(begun) == 1


def test_an_unclear_text_column_is_requested(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = requests(monkeypatch)
    at = opened(session={"source": upload(tmp_path, "a", "b", "c")})
    assert shared_strings.choose_text(["a", "b", "c"]) in as_read(at)
    assert "--" not in shown_text(at)
    assert not at.button
    assert not asked
    for chosen in (["b"], ["b", "a"], ["c", "b", "a"]):
        at.multiselect[0].set_value(chosen)
        run(at)
        assert not at.info
        assert asked[-1] == tuple(chosen)
        press(at, "apply-start")
        assert ("begun", *chosen) in asked
    at.multiselect[0].set_value([])
    run(at)
    assert len(at.info) == 1


def test_a_box_without_columns_that_were_clear_asks_for_some(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    requests(monkeypatch)
    at = opened(session={"source": upload(tmp_path, "a", "text")})
    at.multiselect[0].set_value([])
    run(at)
    assert strings.NO_COLUMN in as_read(at)
    assert "not clear" not in as_read(at)


def test_a_guessed_text_column_is_shown_and_can_be_changed(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = requests(monkeypatch)
    for columns, guess, reason in (
        (("a", "+b"), "+b", "its cells are the longest texts"),
        (("a", "text"), "text", "by its name"),
    ):
        at = opened(session={"source": upload(tmp_path, *columns)})
        assert f"The text is in the column “{guess}” ({reason})." in as_read(at)
        assert asked[-1] == (guess,)
        at.multiselect[0].set_value(["a"])
        run(at)
        assert "The text is in the column “a”." in as_read(at)
        assert asked[-1] == ("a",)


def test_the_columns_of_the_training_texts_come_first(
    own_run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = requests(monkeypatch)
    model = own_run / "model" / "model.json"
    stored = json.loads(model.read_text())
    stored["recipe"]["text_columns"] = ["b", "a"]
    model.write_text(json.dumps(stored))
    for columns, text in (
        (("a", "b", "+c"), ("b", "a")),
        (("b", "+c"), ("+c",)),
        (("+c",), ("+c",)),
    ):
        at = opened(session={"source": upload(tmp_path, *columns)}, run="r")
        assert asked[-1] == text
        assert (strings.AS_TRAINED in as_read(at)) == (text == ("b", "a"))
        assert bool(at.multiselect) == (len(columns) > 1)


@pytest.mark.parametrize("name", ["new.txt", "folder"])
def test_texts_without_columns_have_no_choice(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    asked = requests(monkeypatch)
    source = tmp_path / name
    if name == "folder":
        source.mkdir()
    else:
        source.write_text("one\ntwo\n")
    at = opened(session={"source": source})
    assert not at.multiselect
    assert asked[-1] == ()


def test_the_table_has_the_name_of_the_first_text(tmp_path: Path) -> None:
    for names, expected in (
        (["b.txt", "a (2).md"], "a (2)"),
        (["notes.csv"], "notes"),
        (["m.npz", "vocabulary.txt"], "m"),
    ):
        source = uploads.keep_uploads(tmp_path, [FakeUpload(name) for name in names])
        assert new_texts._name_of(source) == expected
    (tmp_path / "empty").mkdir()
    assert new_texts._name_of(tmp_path / "empty") == "texts"
