"""``orrery groups``: for people, as JSON and as a file."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orrery.app.cli import groups_command
from orrery.core.data.columns import POSITIONS
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.runs import load_run
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data" / "run"


def test_every_group_and_topic_is_in_the_json_and_in_the_file(orrery: Any, tmp_path: Path) -> None:
    outcome = orrery("groups", SAMPLE, "--json", "--csv", tmp_path / "g.csv")
    assert outcome.code == 0, outcome.err
    reported = json.loads(outcome.out)
    assert (reported["column"], reported["by"], reported["documents"]) == ("label", "value", 800)
    assert len(reported["groups"]) == 16
    table = pd.read_csv(tmp_path / "g.csv")
    assert len(table) == 16 * reported["topics"] > 0
    for group in reported["groups"]:
        rows = table[table["group"] == group["name"]]
        assert group["documents"] == 50
        assert rows["id"].tolist() == [topic["id"] for topic in group["topics"]]
        assert rows["certain"].is_monotonic_decreasing
    assert table["certain"].max() > 1


def test_people_read_what_is_certain(orrery: Any) -> None:
    lines = orrery("groups", SAMPLE).out.splitlines()
    assert lines[0].startswith("16 groups by label, 800 documents")
    assert any(line.startswith("  at least ") for line in lines)


def test_a_column_is_known_by_its_name_in_the_source(orrery: Any, trained: Path) -> None:
    assert load_run(trained).recipe.label_column == "theme"
    by_title, by_name = (orrery("groups", trained, "--column", c) for c in ("theme", "label"))
    assert by_title.code == 0, by_title.err
    assert by_title.out == by_name.out
    assert by_title.out.startswith("3 groups by theme")


def test_documents_in_no_group_are_reported(orrery: Any, tmp_path: Path) -> None:
    corpus = load_corpus(SAMPLE.parent / "corpus")
    months = [["2021-03", "2021-04-05", "2021", ""][n % 4] for n in range(corpus.n_documents)]
    documents = corpus.documents[["id", "text", "label"]].assign(date=months)
    save_corpus(replace(corpus, documents=documents), tmp_path / "corpus")
    run = tmp_path / "run"
    shutil.copytree(SAMPLE, run)
    outcome = orrery("groups", run, "--by", "month")
    assert outcome.code == 0, outcome.err
    sentence = (
        "Left out of 800 documents: 200 whose date gives no month (groups by year include them) "
        "and 200 without a date."
    )
    assert outcome.out.splitlines()[1] == sentence
    # Half of the dates give a month, so that the step is a year, which keeps all of them.
    assert (
        "Left out of 800 documents: 200 without a date."
        in orrery("groups", run, "--column", "date").out.splitlines()
    )
    assert "Left out" not in orrery("groups", SAMPLE).out
    reported = json.loads(orrery("groups", run, "--by", "month", "--json").out)
    assert (reported["without_value"], reported["without_month"]) == (200, 200)


def test_a_file_that_is_there_stays(
    orrery: Any, refused: Any, trained: Path, tmp_path: Path
) -> None:
    place = tmp_path / "g.csv"
    place.write_text("mine")
    assert "exists already" in refused("groups", trained, "--csv", place)
    assert place.read_text() == "mine"
    assert orrery("groups", trained, "--csv", place, "--force").code == 0
    assert place.read_text("utf-8-sig").startswith("group,")
    assert "there is no folder" in refused("groups", trained, "--csv", tmp_path / "no" / "g.csv")
    assert "the folder of a run" in refused("groups", trained, "--csv", trained / "g.csv")


@pytest.mark.parametrize(
    ("options", "shown_text"),
    [
        (("--column", "nix"), "no column 'nix'"),
        (("--by", "year"), "no column of dates"),
        (("--column", "label", "--by", "year"), "holds no dates"),
        (("--against", "before"), "have no before"),
    ],
)
def test_what_cannot_be_is_reported(
    refused: Any, trained: Path, options: tuple[str, ...], shown_text: str
) -> None:
    assert shown_text in refused("groups", trained, *options)


def test_a_run_without_its_list_of_topics_makes_one(
    orrery: Any, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = orrery("groups", trained, "--json").out
    # As of a run of an earlier version.
    monkeypatch.setattr("orrery.core.storage.activations.load_activations", lambda folder: None)
    assert orrery("groups", trained, "--json").out == kept


def test_topics_of_other_documents_with_the_same_words_are_not_taken_for_theirs(
    orrery: Any, tmp_path: Path
) -> None:
    """The same documents in another order have the same topics, each in its group."""
    corpus = load_corpus(SAMPLE.parent / "corpus")
    turned = corpus.subset(np.arange(corpus.n_documents)[::-1])
    save_corpus(turned, tmp_path / "corpus")
    shutil.copytree(SAMPLE, tmp_path / "run")
    reported, known = (
        json.loads(orrery("groups", run, "--json").out)["groups"]
        for run in (tmp_path / "run", SAMPLE)
    )
    shares = [{topic["id"]: topic["share"] for topic in group["topics"]} for group in reported]
    best = [group["topics"][0] for group in known]
    found = [share[topic["id"]] for share, topic in zip(shares, best, strict=True)]
    assert found == pytest.approx([topic["share"] for topic in best], abs=0.2)


@pytest.mark.parametrize(("how", "others"), [(["--by", "year"], "later"), ([], "smaller")])
def test_groups_that_are_not_printed_are_counted(
    orrery: Any, monkeypatch: pytest.MonkeyPatch, how: list[str], others: str
) -> None:
    monkeypatch.setattr(groups_command, "N_GROUPS", 3)
    groups = json.loads(orrery("groups", SAMPLE, *how, "--json").out)["groups"]
    printed = orrery("groups", SAMPLE, *how).out
    assert f"and {len(groups) - 3} {others} ones; --csv has them all" in printed


def test_periods_are_compared_with_what_came_before_them(orrery: Any) -> None:
    outcome = orrery("groups", SAMPLE, "--by", "decade", "--against", "before", "--json")
    groups = json.loads(outcome.out)["groups"]
    assert [group["name"] for group in groups][:2] == ["1980s", "1990s"]
    first, second, *_ = (group["topics"][0] for group in groups)
    assert (first["lift"], first["low"], first["high"]) == (None, 0.0, None)
    # None: the topic is on in no document before.
    assert second["low"] > 0.0
    assert second["lift"] is None or second["low"] <= second["lift"]


def test_passages_are_counted_by_document_and_the_report_says_so(
    orrery: Any, refused: Any, tmp_path: Path
) -> None:
    corpus = load_corpus(SAMPLE.parent / "corpus")
    place = np.arange(corpus.n_documents)
    documents = corpus.documents[["id", "text"]].assign(
        label=None, kind=np.where(place < 400, "a", "b"), document=(place // 10).astype(str)
    )
    documents = documents.assign(**dict.fromkeys(POSITIONS, 0))
    save_corpus(replace(corpus, documents=documents), tmp_path / "corpus")
    shutil.copytree(SAMPLE, tmp_path / "run")
    outcome = orrery("groups", tmp_path / "run", "--column", "kind")
    assert outcome.out.splitlines()[0].startswith("2 groups by kind, 80 documents")
    assert outcome.out.splitlines()[1].startswith("The passages of a document in a group count as")
    reported = json.loads(orrery("groups", tmp_path / "run", "--column", "kind", "--json").out)
    assert (reported["documents"], reported["passages"]) == (80, 800)
    assert [group["documents"] for group in reported["groups"]] == [40, 40]
    assert "is empty; choose another" in refused("groups", tmp_path / "run", "--column", "label")


def test_a_document_in_several_groups_is_one_and_a_group_of_one_document_counts_passages(
    orrery: Any, tmp_path: Path
) -> None:
    corpus = load_corpus(SAMPLE.parent / "corpus")
    place = np.arange(corpus.n_documents)
    documents = corpus.documents[["id", "text"]].assign(
        label=(place % 2).astype(str),
        title=(place // 200).astype(str),
        document=(place // 200).astype(str),
    )
    documents = documents.assign(**dict.fromkeys(POSITIONS, 0))
    save_corpus(replace(corpus, documents=documents), tmp_path / "corpus")
    shutil.copytree(SAMPLE, tmp_path / "run")
    by_label, by_title = (
        json.loads(orrery("groups", tmp_path / "run", "--column", column, "--json").out)
        for column in ("label", "title")
    )
    assert (by_label["documents"], by_label["passages"]) == (4, 800)
    assert [group["documents"] for group in by_label["groups"]] == [4, 4]
    assert (by_title["documents"], by_title["passages"]) == (800, None)
    assert by_title["topics"] > 20
