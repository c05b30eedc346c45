"""A model adopted from a graph opens on the Query and Graph pages, and is no run to watch."""

from __future__ import annotations

import pytest

from orrery.app.workspace import catalog, runs
from orrery.core.export.formats import FORMATS, export_files
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.runs import load_run
from tests.app.pages import open_page, pictures
from tests.core.storage.test_adopted import TOY


@pytest.fixture
def adopted(tmp_path, monkeypatch):
    """A workspace with an adopted model and nothing else."""
    monkeypatch.setenv("ORRERY_WORKSPACE", str(tmp_path))
    (tmp_path / "toy.csv").write_text(TOY, encoding="utf-8")
    adopt_graph(tmp_path / "toy.csv", tmp_path / "runs" / "symptoms", "probability")
    return tmp_path


def query_page():
    from orrery.app.views.query import page as query

    query.render()


def graph_page():
    from orrery.app.views.graph import page as graph

    graph.render()


def documents_page():
    from orrery.app.views.documents import page as documents

    documents.render()


def evaluate_page():
    from orrery.app.views.evaluate import page as evaluate

    evaluate.render()


def share_page():
    from orrery.app.views.share import page as share

    share.render()


def home_page():
    from orrery.app.views.home import page as home

    home.render()


def test_it_is_among_the_models_and_no_training_of_any_corpus(adopted):
    assert [place.name for place in catalog.models(None)] == ["symptoms"]
    assert runs.runs_on(adopted, adopted / "corpora" / "any") == []


@pytest.mark.parametrize("page", [query_page, graph_page])
def test_both_pages_show_it(adopted, page):
    app = open_page(page, q='fever cough -"runny nose"')
    assert "flu" in pictures(app)[0].json


@pytest.mark.parametrize("page", [documents_page, evaluate_page, share_page, home_page])
def test_the_other_pages_do_without_a_corpus(adopted, page):
    app = open_page(page)
    assert not app.error


@pytest.mark.parametrize("kind", FORMATS)
def test_it_can_be_exported(adopted, kind):
    run = load_run(adopted / "runs" / "symptoms")
    files = export_files(run, kind, f"model{FORMATS[kind].extension}")
    assert all(b"flu" in data for data in files.values())
