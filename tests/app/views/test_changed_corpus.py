"""A corpus imported again under its old name: rows of the previous one are never used."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.views.evaluate import strings
from orrery.core.data.corpus import Corpus
from orrery.core.storage.corpora import load_corpus, save_corpus
from tests.app.pages import open_page, shown_text
from tests.app.shared.test_topic_card import CODE, query_page

CHANGES: dict[str, Callable[[Corpus], Corpus]] = {
    "sorted otherwise": lambda corpus: corpus.subset(np.arange(corpus.n_documents)[::-1]),
    "fewer": lambda corpus: corpus.subset(np.arange(5)),
}


def documents_page() -> None:
    from orrery.app.views.documents import page as documents

    documents.render()


def evaluate_page() -> None:
    from orrery.app.views.evaluate import page as evaluate

    evaluate.render()


@pytest.fixture(params=CHANGES)
def changed(request: pytest.FixtureRequest, own_model: Path) -> Path:
    """The model, once its corpus has the same words and other rows."""
    folder = own_model.parents[2] / "corpora" / "c"
    corpus = CHANGES[request.param](load_corpus(folder))
    shutil.rmtree(folder)
    save_corpus(corpus, folder)
    return own_model


def test_documents_are_not_chosen_by_topics_of_others(changed: Path) -> None:
    at = open_page(documents_page, on=CODE)
    assert shell_strings.CHANGED in shown_text(at)
    assert "on" not in [box.key for box in at.selectbox]
    assert "●" not in shown_text(at)


def test_a_text_is_still_read_by_the_words_it_has(changed: Path) -> None:
    assert shared_strings.LEGEND in shown_text(open_page(documents_page, doc="n001"))


def test_neither_nearest_documents_nor_coherence_are_shown(changed: Path) -> None:
    assert shell_strings.CHANGED in shown_text(open_page(query_page))
    at = open_page(evaluate_page)
    assert strings.CHANGED in shown_text(at)
    assert strings.TOPICS not in shown_text(at)


def test_the_very_corpus_is_known_again(own_model: Path) -> None:
    at = open_page(documents_page, on=CODE)
    assert at.selectbox(key="on").value == CODE
    assert "●" in shown_text(at)
    assert strings.TOPICS in shown_text(open_page(evaluate_page))
