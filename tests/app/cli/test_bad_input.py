"""Whatever is handed in wrong is one clear line, exit code 2, and nothing half-written."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core.small_runs import contents, write_source

Refused = Callable[..., str]
Names = Callable[[], list[str]]
needs_permissions = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read and write everything"
)


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        ("empty.csv", b"", "", "is empty"),
        ("empty.txt", b"\n \n", "", "is empty"),
        ("empty.jsonl", b"", "", "empty|no documents"),
        ("binary.txt", bytes(range(256)) * 4, "", "binary data"),
        ("odd.txt", b"\xff\xfe\x00\xd8 ab", "--encoding utf-8", "not valid utf-8"),
        ("c.txt", b"words", "--encoding klingon", "no text encoding 'klingon'"),
        ("c.csv", b"id,text\n1,red star\n", "--text-column body", "no column 'body'"),
        ("c.csv", b"id,text\n1,red star\n", "--label-column x", "no column 'x'"),
        ("c.csv", b"id,text\n1,red star\n", "--title-column x", "no column 'x'"),
        ("c.csv", b"id,text\n1,red star\n", "--date-column x", "no column 'x'"),
        ("c.csv", b"id,text,b\n1,red star,c\n", "--date-column b", "'b' of c.csv holds no dates"),
        ("c.txt", b"red star\n", "--title-column x", "no columns; leave out --title-column"),
        ("c.txt", b"red star\n", "--date-column x", "no columns; leave out --date-column"),
        ("c.csv", b"id,text\n1,a b\n1,c d\n", "--id-column id", "'1' occurs twice"),
        ("c.jsonl", b"[1]\n", "", "c.jsonl holds no array of objects; write"),
        ("c.parquet", b"PAR1 junk", "", "not a Parquet file"),
        ("c.zip", b"PK junk", "", "not a zip file"),
        ("c.npz", b"junk", "", "not a sparse matrix"),
        ("c.mat", b"junk", "", "lacks the variables"),
        ("c.mtx", b"junk", "", "not a Matrix Market file"),
        ("c.xyz", b"words", "", "of no kind that can be imported"),
        ("c.txt", b"rare words only", "", "no word"),
        ("c.txt", b"the and of\n", "--min-df 1", "no word"),
        ("c.txt", b"red star\n", "--min-df 3 --max-df 2", "no word can satisfy both"),
        ("c.txt", b"red star\n", "--min-df 1.5", "--min-df: got '1.5', expected a"),
        ("c.txt", b"red star\n", "--min-df 0", "--min-df: got '0', expected a whole number"),
        ("c.txt", b"red star\n", "--max-df 1.01", "--max-df: got '1.01', expected a whole number"),
        ("c.txt", b"red star\n", "--stop-words nix.txt", "no file nix.txt"),
    ],
)
def test_sources_and_recipes(
    tmp_path: Path, refused: Refused, names: Names, name: str, data: bytes, options: str,
    message: str,
) -> None:  # fmt: skip
    (tmp_path / name).write_bytes(data)
    line = refused("import", tmp_path / name, "--out", tmp_path / "c", *options.split())
    assert re.search(message, line)
    assert names() == [name]


def test_sources_that_are_not_there(tmp_path: Path, refused: Refused, names: Names) -> None:
    assert "no file" in refused("import", tmp_path / "nix.csv", "--out", tmp_path / "c")
    assert "no text files" in refused("import", tmp_path, "--out", tmp_path / "c")
    assert names() == []


@needs_permissions
def test_what_may_not_be_read_or_written(tmp_path: Path, refused: Refused, orrery: Any) -> None:
    source = write_source(tmp_path)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    outcome = orrery("import", source, "--out", closed / "c", "--min-df", 1)
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert list(closed.iterdir()) == []
    source.chmod(0)
    assert "permission" in refused("import", source, "--out", tmp_path / "c")


def test_places_that_are_taken(
    tmp_path: Path, refused: Refused, names: Names, corpus_folder: Path
) -> None:
    source = write_source(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    before = names()
    import_ = ["import", source, "--min-df", 1, "--out"]
    assert "exists already" in refused(*import_, source)
    assert "exists already" in refused(*import_, tmp_path / "full")
    assert "is a file" in refused(*import_, source / "c")
    # Said before the source is read, which may take minutes.
    missing = tmp_path / "nix.csv"
    assert "exists already" in refused("import", missing, "--out", tmp_path / "full")
    structure = ["structure", corpus_folder, "--out"]
    assert "is a folder" in refused(*structure, tmp_path)
    assert "there is no folder" in refused(*structure, tmp_path / "nix" / "g.csv")
    assert "there is no folder" in refused(*structure, source / "g.csv")
    train = ["train", corpus_folder, "--out"]
    assert "is a file" in refused(*train, source)
    assert "is a file" in refused(*train, source / "r")
    assert "holds other files" in refused(*train, tmp_path / "full")
    assert "holds other files" in refused(*train, corpus_folder)
    assert names() == before


def test_a_run_is_not_written_over(refused: Refused, run_folder: Path, corpus_folder: Path) -> None:
    before = contents(run_folder)
    assert "holds a run already" in refused("train", corpus_folder, "--out", run_folder)
    assert contents(run_folder) == before


@pytest.fixture
def commands(tmp_path: Path, trained: Path) -> list[list[object]]:
    """Every command that reads a corpus, up to the corpus."""
    return [
        ["structure", "--out", tmp_path / "g.csv"],
        ["train", "--out", tmp_path / "r"],
        ["evaluate", trained, "--corpus"],
    ]


def test_corpora_that_are_none(
    tmp_path: Path, refused: Refused, names: Names, commands: list[list[object]]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    for command in commands:
        assert "there is no corpus folder" in refused(*command, tmp_path / "nix")
        assert "there is no corpus folder" in refused(*command, tmp_path / "file")
        assert "is not a corpus folder" in refused(*command, tmp_path / "empty")
    assert names() == ["empty", "file"]


@pytest.mark.parametrize("name", ["documents.parquet", "tokens.npz", "vocabulary.txt"])
def test_damaged_corpora(
    tmp_path: Path, refused: Refused, commands: list[list[object]], corpus_folder: Path, name: str
) -> None:
    damaged = Path(shutil.copytree(corpus_folder, tmp_path / "c"))
    data = bytearray((damaged / name).read_bytes())
    data[len(data) // 2] ^= 1
    (damaged / name).write_bytes(data)
    for command in commands:
        assert f"is damaged: {name}" in refused(*command, damaged)
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_a_corpus_of_other_words(
    tmp_path: Path, refused: Refused, orrery: Any, trained: Path
) -> None:
    (tmp_path / "o.txt").write_text("red star\nblue star\n" * 5, encoding="utf-8")
    other = tmp_path / "o"
    assert orrery("import", tmp_path / "o.txt", "--out", other, "--max-df", "1.0").code == 0
    line = refused("evaluate", trained, "--corpus", other)
    assert "another vocabulary than the model" in line
    graph = tmp_path / "g.csv"
    graph.write_text("parent,child\nt,rocket\n", encoding="utf-8")
    line = refused("train", other, "--out", tmp_path / "r", "--graph", graph)
    assert "'rocket', which is neither a word of the vocabulary nor a topic" in line
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "header parent,child"),
        ("parent,kind\n", "header parent,child"),
        ("parent,child\na,b\nb,a\n", "row 3 of g.csv"),
        ("parent,child\nrocket,orbit\n", "row 2 of g.csv makes the word 'rocket' a parent"),
        ("parent,child\na,rocket\na,rocket\n", "row 3 of g.csv repeats"),
        ("parent,child,weight\na,rocket,-1\n", "row 2 of g.csv has the weight '-1'"),
    ],
)
def test_graphs_that_are_none(
    tmp_path: Path, refused: Refused, names: Names, corpus_folder: Path, rows: str, message: str
) -> None:
    graph = tmp_path / "g.csv"
    graph.write_text(rows, encoding="utf-8")
    train = ["train", corpus_folder, "--out", tmp_path / "r", "--graph"]
    assert message in refused(*train, graph)
    assert "there is no file" in refused(*train, tmp_path / "nix.csv")
    assert "leave out --method" in refused(*train, graph, "--topics", "3")
    assert names() == ["g.csv"]


def test_options_of_a_training(
    tmp_path: Path, refused: Refused, names: Names, corpus_folder: Path
) -> None:
    (tmp_path / "ids.txt").write_text("d1\nnobody\n", encoding="utf-8")
    (tmp_path / "odd.txt").write_bytes(b"\xff\xfe\xff")
    train = ["train", corpus_folder, "--out", tmp_path / "r"]
    assert "--threads is 4096" in refused(*train, "--threads", 4096)
    assert "'nobody' is no document" in refused(*train, "--held-out-ids", tmp_path / "ids.txt")
    assert "not valid utf-16" in refused(*train, "--held-out-ids", tmp_path / "odd.txt")
    assert "there is no file" in refused(*train, "--held-out-ids", tmp_path / "nix.txt")
    for text in ('{"d1": "d2"}', "[1]", '"d1"', "[", "[" * 100_000):
        (tmp_path / "ids.json").write_text(text, encoding="utf-8")
        assert "no JSON list" in refused(*train, "--held-out-ids", tmp_path / "ids.json")
    (tmp_path / "ids.json").unlink()
    assert "4000 topics" in refused(*train, "--topics", "4000")
    n_samples = [*train, "--importance-samples", 8]
    assert "importance_samples is 1; expected 0, or 2" in refused(*train, *n_samples[-2:-1], 1)
    assert "refine the exact bound" in refused(*n_samples, "--bound", "jensen")
    assert "the paper's optimizer follows the paper" in refused(*n_samples, "--optimizer", "paper")
    assert "importance_share is 2.0" in refused(*n_samples, "--importance-share", 2)
    assert "add --importance-samples" in refused(*train, "--importance-share", 0.5)
    assert "averaging is nan; expected a share" in refused(*train, "--averaging", "nan")
    assert "leave it out with jensen" in refused(*train, "--accuracy", "fine", "--bound", "jensen")
    n_samples = [*train, "--bound", "likelihood"]
    assert "leave it out with likelihood" in refused(*n_samples, "--accuracy", "fine")
    assert "leave out --importance-share" in refused(*n_samples, "--importance-share", 0.5)
    assert "the paper's optimizer follows the paper" in refused(*n_samples, "--optimizer", "paper")
    assert "invalid choice: 'best'" in refused(*train, "--accuracy", "best")
    assert "learning_rate is nan; expected a number" in refused(*train, "--learning-rate", "nan")
    assert "learning_rate is 0.0; expected a number" in refused(*train, "--learning-rate", 0)
    assert "weight_penalty is -1.0; expected 0" in refused(*train, "--weight-penalty", -1)
    paper = [*train, "--optimizer", "paper"]
    assert "leave it out with the optimizer paper" in refused(*paper, "--learning-rate", 0.1)
    assert "leave out --weight-penalty" in refused(*paper, "--weight-penalty", 1)
    assert "invalid choice: 'warm'" in refused(*train, "--start", "warm")
    assert "add --start gibbs" in refused(*train, "--start-epochs", 5)
    assert "add --start gibbs" in refused(*train, "--start-epochs", 5, "--start", "random")
    learn = [*train, "--learn-structure"]
    assert "leave out --start random" in refused(*learn, "--start", "random")
    assert "leave out --learn-structure" in refused(*learn, "--graph", "g.csv")
    assert "22 edges cannot reach all 23 words; allow more" in refused(*learn, "--edges", 22)
    regions = [*learn, "--method", "dense-regions"]
    assert "22 edges cannot reach all 23 words; allow more" in refused(*regions, "--edges", 22)
    complete = [*train, "--method", "complete", "--edges", 40]
    assert "or train with --learn-structure" in refused(*complete)
    every = "".join(f"d{number}\n" for number in range(60))
    (tmp_path / "all.txt").write_text(every, encoding="utf-8")
    assert "none is left to train" in refused(*train, "--held-out-ids", tmp_path / "all.txt")
    assert names() == ["all.txt", "ids.txt", "odd.txt"]


def test_graph_sizes_that_cannot_be_had(
    tmp_path: Path, refused: Refused, names: Names, corpus_folder: Path
) -> None:
    structure = ["structure", corpus_folder, "--out", tmp_path / "g.csv"]
    assert "4000 topics" in refused(*structure, "--topics", "4000")
    assert "edges" in refused(*structure, "--edges", 1)
    assert names() == []


def test_resuming_what_cannot_be_resumed(
    tmp_path: Path, refused: Refused, run_folder: Path, corpus_folder: Path
) -> None:
    resume = ["train", corpus_folder, "--resume", "--out"]
    before = contents(run_folder)
    for option, value in (
        ("epochs", 5), ("bound", "exact"), ("topics", 3), ("graph", "g.csv"), ("seed", 0),
        ("held-out", 0.2), ("held-out-ids", "ids.txt"), ("batch-size", 3), ("scope", "full"),
        ("optimizer", "paper"), ("method", "complete"), ("edges", 9), ("accuracy", "fine"),
        ("importance-samples", 4), ("importance-share", 0.5), ("averaging", 0.5),
        ("start", "gibbs"), ("start-epochs", 9), ("learning-rate", 0.1), ("weight-penalty", 2),
    ):  # fmt: skip
        line = refused(*resume, run_folder, f"--{option}", value)
        assert line.endswith(f"keeps its own settings; leave out --{option}")
    line = refused(*resume, run_folder, "--learn-structure")
    assert line.endswith("keeps its own settings; leave out --learn-structure")
    other = Path(shutil.copytree(corpus_folder, tmp_path / "other"))
    assert "resume it with that corpus" in refused("train", other, "--resume", "--out", run_folder)
    assert contents(run_folder) == before
    for place in (tmp_path, tmp_path / "nix", corpus_folder):
        assert "is not a run folder" in refused(*resume, place)
    assert not (tmp_path / "nix").exists()


@pytest.mark.parametrize(
    "config",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"version": 1}',
        b'{"version": 2, "corpus": "c"}',
        b'{"version": 1, "corpus": 5}',
    ],
)
def test_settings_edited_into_nonsense(
    refused: Refused, run_folder: Path, corpus_folder: Path, config: bytes
) -> None:
    (run_folder / "config.json").write_bytes(config)
    for command in (
        ["train", corpus_folder, "--out", run_folder, "--resume"],
        ["infer", run_folder, "--query", "rocket"],
        ["evaluate", run_folder],
    ):
        assert "damaged: config.json" in (line := refused(*command)) or "cannot read" in line


def test_values_edited_into_nonsense(
    refused: Refused, run_folder: Path, corpus_folder: Path
) -> None:
    path = run_folder / "config.json"
    # An older version wrote it: a checksum shows at once that the file was edited.
    text = re.sub(r',\s*"seal": "\w+"', "", path.read_text(encoding="utf-8"))
    for old, new in (
        ('"epochs": 3', '"epochs": "many"'),
        ('"epochs": 3', '"epochs": 1e400'),
        ('"bound": "exact"', '"bound": "none"'),
        ('"training": {', '"training": 5, "was": {'),
    ):
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        line = refused("train", corpus_folder, "--out", run_folder, "--resume")
        assert "config.json is not as it was written" in line


@pytest.mark.parametrize(
    ("query", "absent", "message"),
    [
        ("", "", "the query has no words; type some"),
        ("  ?! ", "", "the query has no words; type some"),
        ("the and of", "", "no words but stop words"),
        ("zebra quagga", "", "knows none of these words: zebra, quagga"),
        ("zebra", "quagga", "knows none of these words: zebra, quagga"),
        ("rocket guitar", "sugar Guitar", "'guitar' is given as present and as absent"),
        ("rocket guitar -rocket", "", "'rocket' is given as present and as absent"),
        ("rocket ?guitar", "guitar", "'guitar' is given as absent and as unknown"),
    ],
)
def test_queries_without_an_answer(
    refused: Refused, trained: Path, query: str, absent: str, message: str
) -> None:
    line = refused("infer", trained, "--query", query, "--absent", absent, "--json")
    assert message in line


def test_queries_of_odd_bytes_have_an_answer(orrery: Any, trained: Path) -> None:
    for query in ("rocket \udcff", "rocket \x00 \u202e", "rocket " * 10_000, "rocket\nROCKET"):
        assert orrery("infer", trained, "--query", query, "--json").code == 0


@pytest.mark.parametrize("command", [["infer", "--query", "rocket"], ["evaluate"]])
def test_models_that_are_none(
    tmp_path: Path, refused: Refused, run_folder: Path, command: list[str]
) -> None:
    assert "is not a run folder" in refused(*command, tmp_path / "nix")
    assert "is not a run folder" in refused(*command, tmp_path)
    model = run_folder / "model"
    for name in ("model.json", "model.npz", "vocabulary.txt"):
        data = (model / name).read_bytes()
        for damaged in (b"", data[: len(data) // 2], data[:100] + b"?" + data[101:]):
            (model / name).write_bytes(damaged)
            assert "is damaged" in refused(*command, run_folder)
        (model / name).unlink()
        assert f"damaged: {name} is missing" in refused(*command, run_folder)
        (model / name).write_bytes(data)
    shutil.rmtree(model)
    assert "has no model yet" in refused(*command, run_folder)


def test_an_evaluation_without_its_documents(
    tmp_path: Path, refused: Refused, orrery: Any, run_folder: Path, corpus_folder: Path
) -> None:
    (run_folder / "start.npz").write_bytes(b"junk")
    assert "damaged: start.npz" in refused("evaluate", run_folder)
    (run_folder / "start.npz").unlink()
    assert "damaged: start.npz is missing" in refused("evaluate", run_folder)
    none = ["--held-out", 0, "--epochs", 1, "--topics", 2]
    assert orrery("train", corpus_folder, "--out", tmp_path / "r", *none).code == 0
    assert "hold some out" in refused("evaluate", tmp_path / "r")
