"""``orrery names`` lists, writes, reads and takes back; nothing is half-applied."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from orrery.core.storage.overlay import read_overlay
from orrery.core.storage.runs import load_run
from tests.app.cli.conftest import Orrery
from tests.core.export.models import SAMPLE

Refused = Callable[..., str]


@pytest.fixture
def ids(run_folder: Path) -> list[str]:
    """Topics that have words."""
    run = load_run(run_folder)
    names = run.network.graph.topic_ids
    return [name for topic, name in enumerate(names) if topic not in run.wordless_topics]


def test_a_table_is_written_edited_read_and_taken_back(
    orrery: Orrery, run_folder: Path, ids: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "names.csv"
    weights = (run_folder / "model" / "model.npz").read_bytes()
    assert orrery("names", run_folder, "--csv", table).code == 0
    text = table.read_text("utf-8-sig")
    listed = json.loads(orrery("names", run_folder, "--json").out)["topics"]
    assert [line.partition(",")[0] for line in text.split("\n")[1:-1]] == [
        row["id"] for row in listed
    ]
    table.write_text(text.replace(f"\n{ids[0]},,", f'\n{ids[0]},"Skies, and more",'), "utf-8")
    done = orrery("names", run_folder, "--set", table)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{ids[0]}  name: – → Skies, and more\n"
    assert read_overlay(run_folder / "model").labels == {ids[0]: "Skies, and more"}
    assert orrery("names", run_folder, "--set", table).out == "nothing to change\n"
    assert "Skies, and more" in orrery("names", run_folder).out
    assert orrery("names", run_folder, "--undo").out == f"{ids[0]}  name: Skies, and more → –\n"
    assert read_overlay(run_folder / "model").labels == {}
    assert (run_folder / "model" / "model.npz").read_bytes() == weights


def test_an_answer_is_read_and_what_is_not_understood_is_reported(
    orrery: Orrery, run_folder: Path, ids: list[str], tmp_path: Path
) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text(f"Here you are\n{ids[0]}: Same\n{ids[1]}: Same\nL99.1: Other\n")
    done = orrery("names", run_folder, "--set", answer, "--json")
    result = json.loads(done.out)
    assert [edit["topic"] for edit in result["changed"]] == [ids[0], ids[1]]
    assert len(result["not_understood"]) == 2
    orrery("names", run_folder, "--undo")
    reported = orrery("names", run_folder, "--set", answer).err
    assert "line 4: 'L99.1: Other', it names no topic of this model" in reported
    assert "several topics are called Same" in reported


def test_a_bad_table_changes_nothing(
    refused: Refused, run_folder: Path, ids: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "names.csv"
    table.write_text(f"id,name\n{ids[0]},Fine\n{ids[1]},{'x' * 200}\n")
    assert "the name has 200 characters" in refused("names", run_folder, "--set", table)
    assert read_overlay(run_folder / "model").labels == {}
    assert "there is no file" in refused("names", run_folder, "--set", tmp_path / "no.csv")
    (tmp_path / "a.txt").write_text("no names here")
    assert "names no topic" in refused("names", run_folder, "--set", tmp_path / "a.txt")
    assert "no change to take back" in refused("names", run_folder, "--undo")


def test_nothing_is_replaced_without_a_request(
    refused: Refused, run_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "names.csv").write_text("mine")
    reported = refused("names", run_folder, "--csv", tmp_path / "names.csv")
    assert "exists already" in reported
    assert "is the folder of a run" in refused("names", run_folder, "--csv", run_folder / "n.csv")
    assert (tmp_path / "names.csv").read_text() == "mine"


def test_a_prompt_has_every_topic(orrery: Orrery, refused: Refused) -> None:
    requested = [orrery("names", SAMPLE, "--prompt", "--part", part).out for part in (1, 2, 3)]
    whole = orrery("names", SAMPLE, "--prompt").out
    shown = [row["id"] for row in json.loads(orrery("names", SAMPLE, "--json").out)["topics"]]
    for reported in (whole, "".join(requested)):
        assert [line[4:] for line in reported.splitlines() if line.startswith("id: ")] == shown
    assert "text: " in requested[2]
    assert "3 parts; there is no part 4" in refused("names", SAMPLE, "--prompt", "--part", 4)
    assert "--part is about --prompt" in refused("names", SAMPLE, "--part", 1)
