"""``orrery export`` writes whole files, replaces nothing unasked, and refuses in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from orrery.app.cli import export_command
from orrery.app.cli.main import main
from orrery.app.text import strings as common_strings
from orrery.core.export.formats import FORMATS, FORMER_NAMES, TABLES
from orrery.core.model.overlay import Overlay
from orrery.core.model.story import KeptView
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.graphs import read_graph
from orrery.core.storage.overlay import write_overlay
from orrery.core.storage.runs import load_run
from orrery.core.storage.stories import add_story, change_story
from tests.app.cli.conftest import Orrery
from tests.core.export.models import SAMPLE

Refused = Callable[..., str]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_written_and_written_the_same_again(
    orrery: Orrery, trained: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / f"a{FORMATS[kind].extension}"
    done = orrery("export", trained, "--format", kind, "--out", out)
    assert done.code == 0, done.err
    assert str(out) in done.out
    first = out.read_bytes()
    assert orrery("export", trained, "--format", kind, "--out", out, "--force").code == 0
    assert out.read_bytes() == first
    assert not list(tmp_path.glob(".*"))


def test_the_former_name_of_the_explorer_writes_the_explorer(
    orrery: Orrery, trained: Path, tmp_path: Path
) -> None:
    requested = ("export", trained, "--json", "--out")
    now = orrery(*requested, tmp_path / "a.html", "--format", "explorer")
    former = orrery(*requested, tmp_path / "b.html", "--format", "html")
    assert (now.code, former.code) == (0, 0)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert now.err == ""
    assert former.err == "html is now called explorer, which is written instead\n"
    assert json.loads(former.out)["format"] == "html"


def test_json_prints_one_object(orrery: Orrery, trained: Path, tmp_path: Path) -> None:
    out = tmp_path / "g.csv"
    done = orrery("export", trained, "--format", "csv", "--out", out, "--json")
    result = json.loads(done.out)
    assert result["files"] == [str(out), str(tmp_path / "g.leaks.csv")]
    assert result["bytes"] == sum(Path(name).stat().st_size for name in result["files"])
    assert result["topics"] == load_run(trained).network.graph.n_topics


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if FORMATS[kind].is_graph_file])
def test_the_export_trains_again_as_a_graph(
    orrery: Orrery, trained: Path, corpus_folder: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / f"g{FORMATS[kind].extension}"
    assert orrery("export", trained, "--format", kind, "--out", out).code == 0
    graph, weight, _ = read_graph(out, load_corpus(corpus_folder).vocabulary)
    network = load_run(trained).network
    assert (graph.n_topics, graph.n_edges) == (network.graph.n_topics, network.graph.n_edges)
    assert weight is not None
    # XDSL and BIF contain probabilities.
    assert sorted(weight) == pytest.approx(sorted(network.weight), rel=1e-12)
    arguments = ("train", corpus_folder, "--graph", out, "--out", tmp_path / "again")
    assert orrery(*arguments, "--epochs", 1).code == 0


def test_a_persons_names_and_hidden_topics_are_in_the_export(
    orrery: Orrery, run_folder: Path, tmp_path: Path
) -> None:
    code = load_run(run_folder).network.graph.topic_ids[0]
    write_overlay(run_folder / "model", Overlay({code: "Skies"}, frozenset([code])))
    out = tmp_path / "m.json"
    orrery("export", run_folder, "--format", "json", "--out", out)
    node = next(node for node in json.loads(out.read_text())["nodes"] if node["id"] == code)
    assert (node["label"], node["hidden"]) == ("Skies", True)


def test_infer_states_a_persons_name(orrery: Orrery, run_folder: Path) -> None:
    code = load_run(run_folder).network.graph.topic_ids[0]
    write_overlay(run_folder / "model", Overlay({code: "Skies"}, frozenset([code])))
    done = orrery("infer", run_folder, "--query", "orbit guitar oven", "--json")
    assert ("Skies" in [topic["label"] for topic in json.loads(done.out)["topics"]]) == (
        code in [topic["id"] for topic in json.loads(done.out)["topics"]]
    )
    assert code in [topic["id"] for topic in json.loads(done.out)["topics"]]


@pytest.mark.parametrize(
    ("requested", "columns"),
    [
        (("documents",), ["document", "topic", "name", "probability", "on"]),
        (("documents", "--errors", "--least", "0.02"), ["document", "topic", "name"]),
        (("documents", "--wide"), ["document", "L"]),
        (("words",), ["topic", "name", "word", "weight", "probability", "lift"]),
        (("training",), ["step"]),
    ],
)
def test_tables_are_written_and_written_the_same_again(
    orrery: Orrery, trained: Path, tmp_path: Path, requested: tuple[str, ...], columns: list[str]
) -> None:
    out = tmp_path / "t.csv"
    done = orrery("export", trained, "--format", *requested, "--out", out, "--json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    first = out.read_bytes()
    assert (result["files"], result["bytes"]) == ([str(out)], len(first))
    header, *rows = first.decode("utf-8-sig").splitlines()
    assert header.startswith(",".join(f'"{column}"' for column in columns).rstrip('"'))
    assert len(rows) == result["rows"] > 0
    exact = tmp_path / "t.parquet"
    assert orrery("export", trained, "--format", *requested, "--out", exact).code == 0
    assert pq.read_metadata(exact).num_rows == result["rows"]
    assert orrery("export", trained, "--format", *requested, "--out", out, "--force").code == 0
    assert out.read_bytes() == first


def test_what_goes_with_no_table_is_refused(
    refused: Refused, trained: Path, tmp_path: Path
) -> None:
    def reported(kind: str, out: str, *requested: object) -> str:
        return refused("export", trained, "--format", kind, "--out", tmp_path / out, *requested)

    assert "as .csv or .parquet, not as .xlsx" in reported("words", "w.xlsx")
    assert "--wide is about --format documents" in reported("words", "w.csv", "--wide")
    assert "--errors is about --format documents" in reported("json", "m.json", "--errors")
    assert "--least is about --format documents" in reported("words", "w.csv", "--least", "0")
    assert "leave it or --wide out" in reported("documents", "d.csv", "--wide", "--least", "0.1")
    assert "there is no corpus folder" in reported(
        "documents", "d.csv", "--corpus", tmp_path / "no"
    )
    (tmp_path / "d.csv").write_text("mine")
    assert "exists already" in reported("documents", "d.csv")
    assert (tmp_path / "d.csv").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["d.csv"]


@pytest.mark.parametrize("kind", sorted({*FORMATS, *FORMER_NAMES, *TABLES} - {"explorer"}))
def test_only_the_explorer_shows_a_story(
    refused: Refused, trained: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / f"m{FORMATS[kind].extension if kind in FORMATS else '.csv'}"
    reported = refused("export", trained, "--format", kind, "--out", out, "--story", "story-01")
    assert f"only the explorer shows a story, not {kind}; leave --story out" in reported
    assert not list(tmp_path.iterdir())


def test_a_story_is_shown_by_the_explorer_or_refused_in_a_sentence(
    orrery: Orrery, refused: Refused, trained: Path, tmp_path: Path
) -> None:
    out = tmp_path / "m.html"
    requested = ("export", trained, "--format", "explorer", "--out", out, "--story")
    add_story(tmp_path, "Tides </script>", "", "")
    file = tmp_path / "stories" / "story-01.json"
    assert orrery(*requested, file).code == 0
    assert "Tides" in out.read_text("utf-8")
    assert "Tides </script>" not in out.read_text("utf-8")
    out.unlink()
    whole = file.read_text("utf-8")
    for text, shown_text in (
        (whole.replace('"version": 1', '"version": 2'), "is a story of version 2"),
        (whole[:-10], "is damaged: it is not a story"),
        ("[" * 100_000, "is damaged: it is not a story"),
        ("\0", "is damaged: it is not a story"),
    ):
        file.write_text(text, "utf-8")
        assert shown_text in refused(*requested, file)
    assert "there is no story nix" in refused(*requested, tmp_path / "nix.json")
    assert "there is no story 'nix'" in refused(*requested, "nix")
    assert not out.exists()


def test_a_story_of_another_model_is_refused(
    orrery: Orrery,
    refused: Refused,
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export_command, "_workspace", lambda _: tmp_path)
    out = tmp_path / "m.html"
    requested = ("--format", "explorer", "--out", out, "--force", "--story")
    for run, name in ((trained, trained.name), (SAMPLE, common_strings.SAMPLE)):
        (tmp_path / "runs" / "other").mkdir(parents=True, exist_ok=True)
        own, other = (add_story(tmp_path, "Tides", "", about) for about in (name, "other"))
        file = tmp_path / "stories" / f"{other.name}.json"
        reported = refused("export", run, *requested, file)
        assert f"the story is about the model other, not {name}; export other" in reported
        assert not out.exists()
        assert orrery("export", run, *requested, file.with_name(f"{own.name}.json")).code == 0
        # A model that is not in the workspace may have been renamed.
        (tmp_path / "runs" / "other").rmdir()
        done = orrery("export", run, *requested, file)
        assert (done.code, "about the model other" in done.err) == (0, True)
        out.unlink()


def test_a_story_takes_its_pictures_along_and_documents_on_request(
    orrery: Orrery, tmp_path: Path
) -> None:
    views = (
        KeptView("a", "groups", (("view", "one"), ("group", "law")), "Law"),
        KeptView("b", "map", (("light", "bass"),), "Map"),
        KeptView("c", "documents", (("doc", "n001"),), "A document"),
    )
    name = add_story(tmp_path, "A story", "", "").name
    change_story(tmp_path, name, lambda story: replace(story, views=views))
    requested = (
        "export",
        SAMPLE,
        "--format",
        "explorer",
        "--story",
        tmp_path / f"stories/{name}.json",
    )
    text = load_corpus(SAMPLE.parent / "corpus").documents["text"].iat[0]
    for more, kinds in (
        ((), ["picture", "picture", None]),
        (("--documents",), ["picture", "picture", "document"]),
    ):
        out = tmp_path / f"a{len(more)}.html"
        assert orrery(*requested, "--out", out, *more).code == 0
        page = out.read_text("utf-8")
        data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
        taken = [view.get("taken", {}) for view in data["story"]["views"]]
        assert [one.get("kind") for one in taken] == kinds
        assert ("".join(part[0] for part in taken[2].get("text", [])) == text) == bool(more)
    assert not list(tmp_path.glob("cache"))


def test_documents_go_along_only_on_request(orrery: Orrery, tmp_path: Path) -> None:
    out, texts = tmp_path / "m.html", load_corpus(load_run(SAMPLE).corpus_path).documents["text"]
    requested = ("export", SAMPLE, "--format", "explorer", "--out", out, "--force")
    assert orrery(*requested).code == 0
    assert not any(text[:40] in out.read_text("utf-8") for text in texts)
    assert orrery(*requested, "--documents").code == 0
    assert any(text[:40] in out.read_text("utf-8") for text in texts)


@pytest.mark.parametrize("kind", sorted({*FORMATS, *FORMER_NAMES, *TABLES} - {"explorer"}))
def test_only_the_explorer_takes_documents_along(
    refused: Refused, trained: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / f"m{FORMATS[kind].extension if kind in FORMATS else '.csv'}"
    reported = refused("export", trained, "--format", kind, "--out", out, "--documents")
    assert f"only the explorer includes documents, not {kind}; leave --documents out" in reported
    assert not list(tmp_path.iterdir())


def test_nothing_is_replaced_without_a_request(
    refused: Refused, trained: Path, tmp_path: Path
) -> None:
    for name, kind in (("g.json", "json"), ("g.leaks.csv", "csv")):
        (tmp_path / name).write_text("mine")
        out = tmp_path / ("g.csv" if kind == "csv" else name)
        reported = refused("export", trained, "--format", kind, "--out", out)
        assert f"{name} exists already; choose another name, or add --force" in reported
        assert (tmp_path / name).read_text() == "mine"
    assert not (tmp_path / "g.csv").exists()


@pytest.mark.parametrize("kind", ["json", "svg"])
def test_nothing_is_written_to_standard_output(
    refused: Refused, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    reported = refused("export", trained, "--format", kind, "--out", "-")
    assert "nothing is written to standard output; name a file instead of -" in reported
    assert not list(tmp_path.iterdir())


def test_bad_places_and_names_are_refused(refused: Refused, trained: Path, tmp_path: Path) -> None:
    reported = refused("export", trained, "--format", "json", "--out", tmp_path)
    assert "is a folder; name the file to write" in reported
    reported = refused("export", trained, "--format", "json", "--out", tmp_path / "no" / "m.json")
    assert "there is no folder" in reported
    reported = refused("export", trained, "--format", "graphml", "--out", tmp_path / "m.xml")
    assert "is named m.graphml, not m.xml" in reported
    reported = refused("export", tmp_path, "--format", "json", "--out", tmp_path / "m.json")
    assert "is not a run folder" in reported
    reported = refused(
        "export", trained, "--format", "html", "--out", trained / "x.html", "--force"
    )
    assert "is the folder of a run; choose another" in reported
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_what_was_there(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "m.json"
    out.write_text("mine")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert main(["export", str(trained), "--format", "json", "--out", str(out), "--force"]) == 1
    assert out.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]
