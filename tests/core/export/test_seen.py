"""Document figures of the explorer equal the app's; for another corpus there are none."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from orrery.app.shared.topic_documents import year_shares
from orrery.app.shared.topic_facts import on_table, subtree_sizes, topic_sizes
from orrery.app.workspace.facets import read_facets
from orrery.core.export.formats import export_files
from orrery.core.export.topic_documents import N_TEXTS, TEXT_LETTERS, seen_by, seen_data
from orrery.core.model.overlay import Overlay
from orrery.core.model.subtrees import MIN_LINK
from orrery.core.model.topic_model import Run
from orrery.core.storage.activations import FILE, Activations, load_activations
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError
from tests.core.export.models import SAMPLE, sample

CORPUS_FOLDER = sample().corpus_path
CORPUS = load_corpus(CORPUS_FOLDER)
NAMED = {
    "plain": Overlay(),
    "merged and hidden": Overlay(hidden=frozenset(["L2.1"]), merged={"L1.12": "L1.22"}),
}


@pytest.fixture(scope="module", params=NAMED)
def run(request: pytest.FixtureRequest) -> Run:
    return sample(NAMED[request.param])


@pytest.fixture(scope="module")
def stored() -> Activations:
    found = load_activations(sample().folder / "model")
    assert found is not None
    return found


@pytest.fixture
def elsewhere(tmp_path: Path) -> Run:
    """The sample beside a copy of its corpus."""
    shutil.copytree(CORPUS_FOLDER, tmp_path / "corpus")
    shutil.copytree(SAMPLE, tmp_path / "run")
    return load_run(tmp_path / "run")


def test_topics_are_as_large_as_in_the_app(run: Run, stored: Activations) -> None:
    seen = seen_by(run)
    assert seen is not None
    own, subtree = topic_sizes(run, stored), subtree_sizes(run, stored, MIN_LINK)
    assert seen.documents == own.documents == subtree.documents
    assert tuple(seen.on) == own.size
    assert tuple(seen.subtree) == subtree.size


def test_bars_of_the_years_are_those_of_the_app(run: Run, stored: Activations) -> None:
    data = seen_data(seen_by(run) or pytest.fail("nothing was seen"))
    on, year = on_table(run, stored).toarray(), read_facets(CORPUS.documents).year[stored.rows]
    assert np.count_nonzero(on) > 0
    for topic, bars in enumerate(data["on_in_years"]):
        counts = dict(bars)
        for row in year_shares(on[:, topic], year).itertuples():
            bar = (row.group - data["first_year"]) // data["span"]
            assert row.until == row.group + data["span"]
            assert (counts.get(bar, 0), data["of_years"][bar]) == (row.on, row.documents)
        assert sum(counts.values()) == on[:, topic][year > 0].sum()


def test_documents_go_along_only_on_request_and_their_topic_is_on(stored: Activations) -> None:
    run = sample()
    text = CORPUS.documents["text"].iat[0][:60]
    plain = seen_by(run)
    assert plain is not None
    assert plain.texts == plain.examples == ()
    assert text not in export_files(run, "explorer", "page")["page"].decode()
    seen = seen_by(run, with_texts=True)
    assert seen is not None
    on = on_table(run, stored)
    row_of = {" ".join(text.split()): row for row, text in enumerate(CORPUS.documents["text"])}
    row_of |= {key[:TEXT_LETTERS].rpartition(" ")[0] + " …": row for key, row in row_of.items()}
    for topic, examples in enumerate(seen.examples):
        assert len(examples) == min(N_TEXTS, seen.on[topic])
        assert all(on[row_of[seen.texts[place][0]], topic] for place in examples)
    # Documents are named by their titles, without their ids.
    titles, ids = (CORPUS.documents[name] for name in ("title", "id"))
    for beginning, known in seen.texts:
        row = row_of[beginning]
        assert known.startswith(titles[row])
        assert ids[row] not in known.split(" · ")


def test_of_another_corpus_nothing_is_reported(elsewhere: Run) -> None:
    """Not even by rows that it has as well."""
    shutil.rmtree(elsewhere.corpus_path)
    save_corpus(CORPUS.subset(np.arange(CORPUS.n_documents)[::-1]), elsewhere.corpus_path)
    seen = seen_by(elsewhere)
    assert seen is not None
    assert len(seen.of_years) == 0
    assert seen.on.sum() > 0
    with pytest.raises(InputError, match="cannot go along: its corpus is not there, or another"):
        seen_by(elsewhere, with_texts=True)


def test_an_adopted_model_has_no_corpus_of_its_own(run: Run) -> None:
    adopted = replace(run, config={"corpus": None, "settings": {"adopted": "g.csv"}})
    with pytest.raises(InputError, match="was adopted from a graph and has no corpus of its own"):
        seen_by(adopted, with_texts=True)


def test_without_the_topics_of_the_documents_that_is_reported(elsewhere: Run) -> None:
    (elsewhere.folder / "model" / FILE).unlink()
    assert seen_by(elsewhere) is None
    with pytest.raises(InputError, match="which topics are on in them was not stored"):
        seen_by(elsewhere, with_texts=True)


def test_without_a_corpus_the_page_does_without(elsewhere: Run) -> None:
    shutil.rmtree(elsewhere.corpus_path)
    (page,) = export_files(elsewhere, "explorer", "page").values()
    assert b'"of_years":[]' in page
    with pytest.raises(InputError, match="leave the documents out"):
        export_files(elsewhere, "explorer", "page", with_texts=True)
