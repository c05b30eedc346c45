"""Apply to new texts: the result on the Documents page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from orrery.app.views.documents import new_texts
from orrery.app.workspace import applied_texts, uploads
from orrery.app.workspace.applied_texts import Applying
from tests.app.pages import as_read, open_page
from tests.app.workspace.test_applied_texts import SUMMARY
from tests.app.workspace.test_uploads import FakeUpload


def page() -> None:
    from pathlib import Path

    from orrery.app.shell import loaders
    from orrery.app.views.documents import new_texts

    run = loaders.current_run()
    assert run is not None
    new_texts._show_source(run, Path("new.csv"))


opened = partial(open_page, page)


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
    at = opened()
    assert not at.exception
    assert text.casefold() in as_read(at).casefold()
    assert len(at.get("download_button")) == (found.state == "done")


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
