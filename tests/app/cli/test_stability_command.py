"""``orrery stability``: figures as they come, one JSON object, wrong input in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from orrery.core.export.report import report_bytes
from orrery.core.storage.runs import load_run
from orrery.core.storage.stability import known_stability
from tests.app.cli.conftest import Orrery


@pytest.fixture(autouse=True)
def keep_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the priority of this process alone."""
    monkeypatch.setattr(os, "nice", lambda niceness: niceness)


def test_each_training_is_printed_and_then_each_topic(orrery: Orrery, run_folder: Path) -> None:
    outcome = orrery("stability", run_folder, "--times", 2)
    assert outcome.code == 0, outcome.err
    first, *topics, last = outcome.out.splitlines()
    run = load_run(run_folder)
    total = len(run.displayed_topics)
    assert first.startswith("after 1: ")
    assert first.endswith(f" of {total} topics come back in at least 1 of 1 trainings.")
    assert last.endswith("in at least 2 of 2 trainings.")
    assert len(topics) == total
    assert all(" of 2  (" in line for line in topics)
    # The next call has nothing to train.
    again = orrery("stability", run_folder, "--times", 2)
    assert again.out.splitlines()[-1] == last


def test_json_is_one_object_with_all_topics_and_links(orrery: Orrery, run_folder: Path) -> None:
    outcome = orrery("stability", run_folder, "--times", 2, "--json")
    result = json.loads(outcome.out)
    run, found = load_run(run_folder), known_stability(load_run(run_folder))
    assert found is not None
    assert result["times"] == 2
    assert [topic["id"] for topic in result["topics"]] == list(run.network.graph.topic_ids)
    assert [topic["found"] for topic in result["topics"]] == found.topic_counts.tolist()
    assert [link["found"] for link in result["links"]] == found.link_counts.tolist()
    for part in (*result["topics"], *result["links"]):
        assert part["interval"][0] <= part["found"] / 2 <= part["interval"][1]
        assert 0.0 <= part["by_chance"] <= 2.0


def test_tables_and_report_show_it_once_it_is_known(
    orrery: Orrery, run_folder: Path, tmp_path: Path
) -> None:
    def exported() -> list[dict[str, str]]:
        import csv

        out = tmp_path / "words.csv"
        table = ("export", run_folder, "--format", "words", "--out", out, "--force")
        assert orrery(*table).code == 0
        with out.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    assert "topic_found" not in exported()[0]
    assert b"Found again" not in report_bytes(load_run(run_folder), "r")
    orrery("stability", run_folder, "--times", 2)
    run = load_run(run_folder)
    found = known_stability(run)
    assert found is not None
    counts = dict(zip(run.network.graph.topic_ids, found.topic_counts.tolist(), strict=True))
    rows = exported()
    assert {row["topic"]: int(row["topic_found"]) for row in rows} == counts
    assert all(int(row["link_found"]) <= int(row["topic_found"]) for row in rows if row["weight"])
    assert {row["trainings"] for row in rows} == {"2"}
    assert b"Found again, of 2" in report_bytes(run, "r")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [(["--times", "0"], "whole number from 1"), (["--sample", "1.2"], "above 0 and at most 1")],
)
def test_wrong_options_are_refused(
    refused, run_folder: Path, options: list[str], complaint: str
) -> None:
    assert complaint in refused("stability", run_folder, *options)


def test_no_run_and_no_corpus_are_refused(refused, orrery: Orrery, tmp_path: Path) -> None:
    assert "is not a run folder" in refused("stability", tmp_path)
    graph = tmp_path / "graph.csv"
    graph.write_text("parent,child,weight\nt,dog,1\nt,cat,1\n")
    assert orrery("adopt", graph, "--out", tmp_path / "adopted").code == 0
    assert "was adopted from a graph" in refused("stability", tmp_path / "adopted")
