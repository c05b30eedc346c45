"""Tables on the Share page: available ones are offered, and reasons are given for the others."""

from __future__ import annotations

import csv
import io
import shutil
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.views.share import page as share_page
from orrery.app.views.share import strings
from orrery.core.export.formats import TABLE_FILES, TABLES
from orrery.core.export.tables import TableOptions
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from tests.app.pages import open_page, shown_text
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"


def tables() -> None:
    from orrery.app.shell import loaders
    from orrery.app.views.share import page as data_out

    data_out.show_tables(loaders.current_run())


opened = partial(open_page, tables)


def offered(app: AppTest) -> dict[str, bool]:
    return {
        button.proto.id.rpartition("table-")[2]: not button.proto.disabled
        for button in app.get("download_button")
    }


def test_every_table_is_offered_in_both_formats(own_run: Path) -> None:
    (own_run / "metrics.jsonl").write_text(
        '{"step": 1, "epoch": 1, "seconds": 1, "train_bound": -3.5}\n'
    )
    app = opened()
    assert offered(app) == {f"{kind}{ending}": True for kind in TABLES for ending in TABLE_FILES}
    assert {box.label for box in app.checkbox} == {strings.WIDE, strings.ERRORS}


def test_what_is_not_to_be_had_gives_the_reason(own_run: Path) -> None:
    shutil.rmtree(own_run.parents[1] / "corpora" / "c")
    app = opened()
    assert offered(app) == {
        f"{kind}{ending}": kind == "words" for kind in TABLES for ending in TABLE_FILES
    }
    assert strings.NO_TRAINING in shown_text(app)
    assert TABLES["documents"].sentence not in shown_text(app)


def test_many_documents_are_for_the_command(own_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share_page, "MANY_DOCUMENTS", 10)
    assert strings.COMMAND.format(run=str(own_run)) in shown_text(opened())


def test_a_table_is_made_as_requested(own_run: Path) -> None:
    loaded = load_run(own_run)
    corpus = load_corpus(loaded.corpus_path)
    options = TableOptions(corpus, wide=True)
    data = share_page.table_maker(loaded, "documents", ".csv", options)()
    rows = list(csv.reader(io.StringIO(data.decode())))
    assert len(rows) == 1 + corpus.n_documents
    assert len(rows[0]) == 1 + loaded.network.graph.n_topics - len(loaded.wordless_topics)
