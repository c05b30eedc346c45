"""``orrery systems`` and ``orrery compare``: a table for people, the same for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orrery.core.baselines.registry import SYSTEMS, make_system
from orrery.core.data.corpus import split_held_out
from orrery.core.evaluation.evaluate import AnyModelFigures
from orrery.core.runs import comparison
from orrery.core.storage.corpora import load_corpus

NAMES = ("lda-amf", "bernoulli-lda")


def test_every_system_is_listed_and_those_for_documents_can_be_made(orrery: Any) -> None:
    lines = orrery("systems").out.splitlines()
    assert [line.split()[0] for line in lines] == list(SYSTEMS)
    listed = json.loads(orrery("systems", "--json").out)["systems"]
    assert [system["name"] for system in listed] == list(SYSTEMS)
    for system in SYSTEMS.values():
        if system.kind == "documents" and system.is_installed():
            assert make_system(system.name, 3, 1).n_topics == 3


def test_one_table_states_of_each_figure_what_it_is(orrery: Any, corpus_folder: Path) -> None:
    outcome = orrery("compare", corpus_folder, "--systems", ",".join(NAMES), "--topics", 3,
                     "--show-topics")  # fmt: skip
    assert outcome.code == 0, outcome.err
    requested = json.loads(
        orrery("compare", corpus_folder, "--systems", ",".join(NAMES), "--topics", 3, "--json").out
    )
    corpus = load_corpus(corpus_folder)
    train, held_out = split_held_out(corpus, 0.1, 0)
    assert (requested["train"], requested["held_out"]) == (len(train), len(held_out))
    for name, row in zip(NAMES, requested["systems"], strict=True):
        system = make_system(name, 3, 0).fit(corpus.subset(train))
        expected = system.bound_or_likelihood(corpus.subset(held_out)).mean()
        assert row["held_out"] == pytest.approx(expected)
        assert row["measure"] == system.measure
        assert f"{name}, unseen texts: {system.measure}" in outcome.out
        assert f"{expected:,.2f}" in outcome.out
        assert row["topics"] == len(row["words"]) == 3
        assert " ".join(row["words"][0][:6]) in outcome.out
        assert 0 < row["accuracy"] <= 1
        assert 0 < row["completion_mrr"] <= 1
        assert row["seconds"] > 0


def test_orrery_itself_stands_in_the_table(orrery: Any, corpus_folder: Path) -> None:
    row = json.loads(orrery("compare", corpus_folder, "--systems", "orrery", "--json").out)
    figures = row["systems"][0]
    assert figures["topics"] == len(figures["words"]) > 0
    assert figures["held_out"] < 0
    assert figures["npmi"] > 0


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ("nothing", "there is no system 'nothing'; see orrery systems"),
        (",", "names no system"),
        ("lda,ising-gmf", "ising-gmf works on networks, not on documents"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_the_work(
    orrery: Any, corpus_folder: Path, systems: str, message: str
) -> None:
    outcome = orrery("compare", corpus_folder, "--systems", systems)
    assert outcome.code == 2
    assert message in outcome.err


def test_nothing_held_out_is_refused(orrery: Any, corpus_folder: Path) -> None:
    outcome = orrery("compare", corpus_folder, "--systems", "lda", "--held-out", 0)
    assert outcome.code == 2
    assert "no document to judge by" in outcome.err


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, orrery: Any) -> None:
    monkeypatch.setattr(type(SYSTEMS["lda"]), "is_installed", lambda self: not self.package)
    outcome = orrery("compare", "nowhere", "--systems", "sklearn-lda")
    assert "sklearn-lda needs the package sklearn; install orrery[peers]" in outcome.err


def row(weights: list[list[float]]) -> comparison.Compared:
    table = np.array(weights)
    figures = AnyModelFigures(
        npmi=None, diversity=None, completion_mrr=None, completion_recall10=None
    )
    return comparison.Compared("any", "", "", 0.0, 0.0, 0.0, len(table), figures, None, [], table)


def test_topics_that_are_alike_stand_together() -> None:
    one = row([[1, 0, 0], [0, 1, 0]])
    two = row([[0, 0.2, 0.9], [0, 3, 0.1], [5, 1, 0]])
    three = row([[0, 9, 0]])
    assert comparison.align_topics([one, two, three]) == [[0, 2, None], [1, 1, 0], [None, 0, None]]
