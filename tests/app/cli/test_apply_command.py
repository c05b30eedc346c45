"""``orrery apply``: the topics of new documents, equal to `NoisyOrTopics.transform`."""

from __future__ import annotations

import codecs
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from orrery import NoisyOrTopics
from orrery.core.export import applied
from orrery.core.inference.novelty import MARKED_SHARE
from orrery.core.storage.corpora import load_corpus, save_corpus
from tests.app.cli.conftest import Orrery
from tests.core.export.models import SAMPLE

TEXTS = [
    "The river and the rain: a flood on the coast, with wind and rivers of water.",
    "",
    "=zyzzyva qwertz",
    "A program in the memory of the computer opened the file; the software crashed.",
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    table = pd.DataFrame({"key": ["a1", "a2", "a3", "a4"], "note": TEXTS, "n": [1, 2, 3, 4]})
    table["note"] = table["note"].replace("", " ")
    table.to_csv(path, index=False)
    return path


def apply(orrery: Orrery, texts: Path, out: Path, *more: str) -> dict[str, Any]:
    options = ("--text-column", "note", "--id-column", "key", "--json")
    outcome = orrery("apply", SAMPLE, texts, "--out", out, *options, *more)
    assert outcome.code == 0, outcome
    return json.loads(outcome.out)


def test_topics_equal_those_of_transform(orrery: Orrery, texts: Path, tmp_path: Path) -> None:
    found = apply(orrery, texts, tmp_path / "t.parquet")
    table = pq.read_table(tmp_path / "t.parquet").to_pandas()
    model = NoisyOrTopics.load(SAMPLE)
    expected = model.transform(table_texts := [*TEXTS])
    assert table["document"].tolist() == ["a1", "a2", "a3", "a4"]
    np.testing.assert_array_equal(table[model.get_feature_names_out()].to_numpy(), expected)
    assert found["n_documents"] == len(table_texts)
    assert found["n_without_words"] == 2
    assert 0.0 <= found["error"] < 0.1
    apply(orrery, texts, tmp_path / "t.csv")
    # Excel reads the names of topics in UTF-8 only after this mark.
    assert (tmp_path / "t.csv").read_bytes().startswith(codecs.BOM_UTF8)
    rounded = pd.read_csv(tmp_path / "t.csv")
    np.testing.assert_allclose(
        rounded[model.get_feature_names_out()].to_numpy(), expected, atol=5.1e-7
    )


def test_documents_keep_their_ids_without_options(orrery: Orrery, tmp_path: Path) -> None:
    folder = shutil.copytree(SAMPLE, tmp_path / "run")
    model = folder / "model" / "model.json"
    stored = json.loads(model.read_text())
    stored["recipe"]["text_columns"] = ["text"]
    model.write_text(json.dumps(stored))
    ids = [f"patient-{row}" for row in range(8)]
    pd.DataFrame({"id": ids, "text": TEXTS * 2}).to_csv(tmp_path / "new.csv", index=False)
    outcome = orrery("apply", folder, tmp_path / "new.csv", "--out", tmp_path / "t.csv")
    assert outcome.code == 0, outcome
    assert pd.read_csv(tmp_path / "t.csv")["document"].tolist() == ids


def test_documents_of_a_folder_have_their_paths(orrery: Orrery, tmp_path: Path) -> None:
    for row, text in enumerate((TEXTS[0], TEXTS[3])):
        (tmp_path / "new" / f"label{row}").mkdir(parents=True)
        (tmp_path / "new" / f"label{row}" / "note.md").write_text(text)
    outcome = orrery("apply", SAMPLE, tmp_path / "new", "--out", tmp_path / "t.csv")
    assert outcome.code == 0, outcome
    table = pd.read_csv(tmp_path / "t.csv")
    assert table["document"].tolist() == [0, 1]
    assert table["file"].tolist() == ["label0/note.md", "label1/note.md"]


def test_what_is_unknown_or_explained_is_reported(
    orrery: Orrery, texts: Path, tmp_path: Path
) -> None:
    found = apply(orrery, texts, tmp_path / "t.csv", "--errors")
    table = pd.read_csv(tmp_path / "t.csv", keep_default_na=False).set_index("document")
    assert table.loc["a3", "unknown_words"] == "zyzzyva qwertz"
    assert {word for word, _ in found["unknown_words"]} >= {"zyzzyva", "qwertz"}
    assert table.loc["a3", "words"] == 0
    assert table.loc["a3", "unexplained"] == 1.0
    assert table.loc["a1", "unexplained"] < 0.5
    # A document without any word has no share.
    with_words = table.loc[["a1", "a3", "a4"], "unexplained"]
    assert found["unexplained"] == pytest.approx(with_words.mean(), abs=1e-3)
    assert "river" in table.loc["a1", "on"]
    assert table.loc["a2", "fits_worse"] == ""
    errors = table[[name for name in table if name.endswith(" error")]].to_numpy(float)
    assert errors.shape[1] == NoisyOrTopics.load(SAMPLE).network_.graph.n_topics
    assert (errors >= 0.0).all()
    assert (errors[1] < 0.05).all()


def test_without_a_known_word_no_error_is_measured(orrery: Orrery, tmp_path: Path) -> None:
    source, out = tmp_path / "new.txt", tmp_path / "t.csv"
    for text, is_measured in (("zyzzyva qwertz", False), ("river water", True)):
        source.write_text(f"{text}\n{text}\n")
        printed = orrery("apply", SAMPLE, source, "--out", out, "--force").out
        assert ("probabilities are accurate to" in printed) == is_measured, printed


def test_the_help_says_what_the_mark_measures(orrery: Orrery) -> None:
    told = " ".join(orrery("apply", "--help").out.split())
    assert "fits_worse is the share of the training documents of a similar length" in told
    assert f"below {MARKED_SHARE:.0%}".replace("%", " %") in told


def test_documents_unlike_the_training_documents_are_marked(orrery: Orrery, tmp_path: Path) -> None:
    known = pd.read_parquet(SAMPLE.parent / "corpus" / "documents.parquet")["text"].tolist()[:60]
    strange = [" ".join(f"unheard{letter}" for letter in "abcdefghijklmnop")] * 3
    table = pd.DataFrame({"text": [*known, *strange]})
    table.to_json(tmp_path / "new.jsonl", orient="records", lines=True)
    out = tmp_path / "t.parquet"
    assert orrery("apply", SAMPLE, tmp_path / "new.jsonl", "--out", out).code == 0
    is_marked = pq.read_table(out).to_pandas()["marked"]
    assert is_marked[60:].all()
    assert is_marked[:60].sum() <= 4


def test_nothing_is_compared_with_other_documents_of_the_same_words(
    orrery: Orrery, texts: Path, tmp_path: Path
) -> None:
    corpus = load_corpus(SAMPLE.parent / "corpus")
    save_corpus(corpus.subset(np.arange(200)), tmp_path / "corpus")
    shutil.copytree(SAMPLE, tmp_path / "run")
    options = ("--text-column", "note", "--out", tmp_path / "t.parquet")
    outcome = orrery("apply", tmp_path / "run", texts, *options)
    assert outcome.code == 0, outcome
    assert "none is compared with the training documents" in outcome.out
    assert "has changed since the training" in outcome.out
    assert pq.read_table(tmp_path / "t.parquet").to_pandas()["fits_worse"].isna().all()


def test_a_matrix_is_matched_by_its_words(orrery: Orrery, tmp_path: Path) -> None:
    from scipy import sparse

    words = ("rain", "no_such_word", "river")
    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array(np.array([[1, 2, 1], [0, 1, 0]])))
    (tmp_path / "vocabulary.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    out = tmp_path / "t.parquet"
    assert orrery("apply", SAMPLE, tmp_path / "m.npz", "--out", out).code == 0
    table = pq.read_table(out).to_pandas()
    assert table["words"].tolist() == [2, 0]
    assert table["unknown_words"].tolist() == ["no_such_word"] * 2
    topics = NoisyOrTopics.load(SAMPLE)
    expected = topics.transform(["rain river"])
    np.testing.assert_array_equal(table[topics.get_feature_names_out()].to_numpy()[:1], expected)


def test_a_matrix_without_documents_is_refused(refused: Callable[..., str], tmp_path: Path) -> None:
    from scipy import sparse

    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array((0, 2)))
    (tmp_path / "vocabulary.txt").write_text("rain\nriver\n", encoding="utf-8")
    message = refused("apply", SAMPLE, tmp_path / "m.npz", "--out", tmp_path / "t.csv")
    assert "no documents" in message


def test_nothing_is_left_half_written(
    orrery: Orrery,
    refused: Callable[..., str],
    texts: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    names: Callable[[], list[str]],
) -> None:
    before = names()
    command = ("apply", SAMPLE, texts, "--out")
    assert "written as .csv or .parquet" in refused(*command, tmp_path / "t.xls")
    assert "nix" in refused(*command, tmp_path / "t.csv", "--text-column", "nix")
    assert "there is no folder" in refused(*command, tmp_path / "nix" / "t.csv")
    refused("apply", tmp_path / "nix", texts, "--out", tmp_path / "t.csv")
    monkeypatch.setattr(applied, "_table", lambda *_: 1 / 0)
    assert orrery(*command, tmp_path / "t.csv", "--text-column", "note").code == 1
    assert names() == before
    monkeypatch.undo()
    (tmp_path / "t.csv").write_text("mine")
    assert "exists already" in refused(*command, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "mine"


def test_how_the_texts_were_read_is_printed(orrery: Orrery, texts: Path, tmp_path: Path) -> None:
    lines = texts.read_text().replace(",", "|")
    texts.write_text(lines)
    chosen = ("--delimiter", "bar", "--header", "1", "--text-column", "note", "--force")
    outcome = orrery("apply", SAMPLE, texts, "--out", tmp_path / "t.csv", *chosen)
    assert outcome.code == 0, outcome
    assert "How it was read" in outcome.out
    assert "text: “note”" in outcome.out
    assert "[--header]" in outcome.out
