"""Stored activations of the documents of a run equal inference for each, rounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from orrery.core.inference.infer import infer_activations
from orrery.core.runs import activations
from orrery.core.runs.activations import corpus_activations, n_active
from orrery.core.storage.activations import Activations, load_activations
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run


def test_a_run_stores_the_activations_of_its_documents(trained: Path, corpus_folder: Path) -> None:
    stored = load_activations(trained / "model")
    assert stored is not None
    again = corpus_activations(load_run(trained).network, load_corpus(corpus_folder))
    assert (stored.rows == again.rows).all()
    assert (stored.probability.toarray() == again.probability.toarray()).all()


@pytest.mark.parametrize(("documents", "expected"), [(10, 2), (1_000, 2), (3_000, 1)])
def test_a_topic_is_active_that_is_on_in_one_document_of_a_thousand(
    documents: int, expected: int
) -> None:
    probability = np.zeros((documents, 4), np.float32)
    probability[:5, 0], probability[0, 1], probability[:, 2] = 0.9, 0.6, 0.5
    found = Activations(np.arange(documents), sparse.csr_array(probability))
    assert n_active(found) == expected


def test_they_are_rounded_and_what_is_all_but_off_is_left_out(
    trained: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, corpus = load_run(trained).network, load_corpus(corpus_folder)
    exact = infer_activations(network, corpus).toarray()
    least = float(np.quantile(exact[exact > 0.006], 0.7).round(2))
    monkeypatch.setattr(activations, "MIN_PROBABILITY", least)
    found = corpus_activations(network, corpus).probability.toarray()
    assert np.abs(found - exact)[found > 0].max() <= 0.00501
    assert least - 1e-6 <= found[found > 0].min()
    assert exact[found == 0].max() < least + 0.00501


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_blocks_change_nothing_and_only_so_many_documents_are_taken(
    trained: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    network, corpus = load_run(trained).network, load_corpus(corpus_folder)
    whole = corpus_activations(network, corpus)
    monkeypatch.setattr(activations, "BLOCK", 4)
    monkeypatch.setattr(activations, "MAX_DOCUMENTS", most)
    part = corpus_activations(network, corpus)
    assert len(part.rows) == min(most, corpus.n_documents)
    chosen = whole.probability[part.rows]
    assert (part.probability.toarray() == chosen.toarray()).all()
