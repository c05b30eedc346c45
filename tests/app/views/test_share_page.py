"""The Share page: every format is offered, made only when asked, and refused with a reason."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.views.share import page as share
from orrery.app.views.share import strings
from orrery.core.export.formats import FORMATS
from orrery.core.export.graph_data import json_bytes
from orrery.core.model.overlay import Overlay
from orrery.core.storage.activations import FILE as ACTIVATIONS
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.graphs import read_graph
from orrery.core.storage.models import replace_model, save_model
from orrery.core.storage.overlay import write_overlay
from orrery.core.storage.runs import load_run
from tests.app.pages import open_page, shown_text
from tests.conftest import ROOT
from tests.core.export.models import sample

RUN = sample()
MODEL = ROOT / "sample_data" / "run"


@pytest.fixture
def model(space: Path) -> Path:
    """The sample as a model of one's own; returns the model folder."""
    run = space / "runs" / "notes-01"
    shutil.copytree(MODEL, run)
    return run / "model"


def share_page() -> None:
    from orrery.app.views.share import page as share

    share.render()


opened = partial(open_page, share_page)


def downloads(app: AppTest) -> dict[str, bool]:
    """Keys of the download buttons, and whether they can be pressed."""
    return {
        button.proto.id.rpartition("download-")[2]: not button.proto.disabled
        for button in app.get("download_button")
        if "download-" in button.proto.id
    }


def test_every_format_is_named_and_offered(model: Path) -> None:
    app = opened()
    assert downloads(app) == dict.fromkeys(FORMATS, True)
    for shown in FORMATS.values():
        assert f"**{shown.title}**" in shown_text(app)
        assert shown.sentence in shown_text(app)


def test_nothing_is_made_before_a_request(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("made at once")

    monkeypatch.setattr(share, "export_files", never)
    opened()


def test_the_run_card_has_seed_hash_and_figures(model: Path) -> None:
    card = " ".join(element.proto.body for element in opened().get("html"))
    description = json.loads((MODEL / "model" / "model.json").read_text())
    assert description["model_hash"][:16] in card
    assert description["vocabulary_hash"][:16] in card
    assert "Seed" in card
    assert "\N{MINUS SIGN}93.2" in card


@pytest.mark.parametrize("kind", FORMATS)
def test_a_download_is_the_export_under_the_models_name(kind: str, tmp_path: Path) -> None:
    data = share.file_maker(RUN, kind, "My model")()
    if kind == "csv":
        zipfile.ZipFile(io.BytesIO(data)).extractall(tmp_path)
        graph, weight, leak = read_graph(tmp_path / "My model.csv", RUN.vocabulary)
        assert (graph.n_edges, weight is None, leak is None) == (
            RUN.network.graph.n_edges, False, False,
        )  # fmt: skip
    elif kind == "json":
        assert data == json_bytes(RUN)
    elif FORMATS[kind].extension == ".html":
        assert b"My model" in data
    else:
        assert data


def test_a_format_that_cannot_hold_a_name_reports_it(model: Path) -> None:
    run = load_run(model.parent)
    words_of_model = ("bell\x07", *run.vocabulary[1:])
    replace_model(
        model, lambda new: save_model(new, run.network, words_of_model, run.recipe, run.summary)
    )
    app = opened()
    assert not downloads(app)["graphml"]
    assert downloads(app)["csv"]
    assert "GraphML cannot hold the name" in shown_text(app)


@pytest.fixture
def with_corpus(model: Path) -> Path:
    """The same with its corpus where the run looks for it."""
    shutil.copytree(MODEL.parent / "corpus", model.parent.with_name("corpus"))
    return model


def test_texts_go_along_only_when_the_box_is_ticked(
    with_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: dict[str, bool] = {}
    monkeypatch.setattr(
        share,
        "file_maker",
        lambda run, kind, name, *, with_texts: requested.update({kind: with_texts}) or bytes,
    )
    app = opened()
    (box,) = [box for box in app.checkbox if box.label == shared_strings.WITH_TEXTS]
    assert not box.value
    assert requested == dict.fromkeys(FORMATS, False)
    box.check()
    app.run()
    assert not app.exception
    assert requested == {kind: kind == "explorer" for kind in requested}


def test_without_topics_of_the_documents_there_is_no_box_for_their_texts(
    with_corpus: Path,
) -> None:
    (with_corpus / ACTIVATIONS).unlink()
    app = opened()
    assert downloads(app)["explorer"]
    assert shared_strings.WITH_TEXTS not in [box.label for box in app.checkbox]


def test_the_explorer_with_texts_has_the_beginnings_of_documents() -> None:
    text = load_corpus(RUN.corpus_path).documents["text"]
    pages = [share.file_maker(RUN, "explorer", "m", with_texts=on)() for on in (False, True)]
    found = [sum(line[:40].encode() in page for line in text) for page in pages]
    assert found[0] == 0 < found[1]


def test_hidden_topics_are_reported(model: Path) -> None:
    write_overlay(model, Overlay(hidden=frozenset(["L1.1"])))
    assert strings.hidden(1) in shown_text(opened())


def test_a_word_that_no_graph_file_can_hold_stops_both(tmp_path: Path) -> None:
    odd = replace(RUN, vocabulary=("topic:a", *RUN.vocabulary[1:]))
    for kind in ("csv", "graphml"):
        assert "cannot stand in a graph file" in share._problem(odd, kind)
    assert share._problem(odd, "json") == ""


def test_without_a_model_the_page_states_what_will_be_here(space: Path) -> None:
    assert strings.EMPTY in shown_text(opened())
