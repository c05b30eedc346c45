"""``orrery adopt``: from a weighted graph to answers and figures, and nothing half-done."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orrery.core.data import word_vectors
from orrery.core.data.corpus import Corpus
from orrery.core.model.default_leaks import TOPIC_LEAK, WORD_LEAK
from tests.core.storage.test_adopted import TOY

Refused = Callable[..., str]


@pytest.fixture
def adopted(tmp_path: Path, orrery: Any) -> Path:
    """A model of five symptoms."""
    (tmp_path / "toy.csv").write_text(TOY, encoding="utf-8")
    made = orrery(
        *("adopt", tmp_path / "toy.csv", "--weights", "probability"),
        *("--out", tmp_path / "r", "--json"),
    )
    assert made.code == 0, made.err
    run = tmp_path / "r"
    sizes = {"topics": 3, "words": 5, "layers": 1, "edges": 7}
    assumed = {"assumed_leaks": {"topic": TOPIC_LEAK, "word": WORD_LEAK}}
    assert json.loads(made.out) == {"run": str(run), **sizes, **assumed}
    return run


def test_a_query_of_phrases_with_commas(adopted: Path, orrery: Any) -> None:
    query = ["--query", "fever, pain behind the eyes, rash", "--absent", "runny nose", "--json"]
    found = json.loads(orrery("infer", adopted, *query).out)
    assert found["unknown_words"] == ["rash"]
    states = {token["token"]: token["state"] for token in found["tokens"]}
    assert states == {
        "fever": "present",
        "pain behind the eyes": "present",
        "runny nose": "absent",
    }
    assert found["topics"][0]["label"] == found["topics"][0]["id"] == "flu"
    shown_text = orrery("infer", adopted, *query[:-1]).out
    assert re.search(r"^>0\.99  flu$", shown_text, re.MULTILINE)


def test_an_unknown_word_brings_those_that_hold_it(
    adopted: Path, orrery: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_vectors, "nearest", lambda vocabulary, word, count: [])
    shown_text = orrery("infer", adopted, "--query", "fever, Nose, rash").out.splitlines()[0]
    assert shown_text == "not in the vocabulary: Nose (near it: runny nose), rash"


def test_a_denial_is_explained_and_a_misspelt_phrase_is_listed_once(
    adopted: Path, orrery: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_vectors, "nearest", lambda vocabulary, word, count: [])
    said = orrery("infer", adopted, "--query", "never fever, runy nose").out.splitlines()
    assert said[0] == "not in the vocabulary: runy nose (near it: runny nose)"
    assert said[1].startswith("Read as absent: “fever”;")


def test_everything_that_is_printed_has_the_terms_of_the_model(adopted: Path, orrery: Any) -> None:
    run, toy = adopted.parent / "own", adopted.parent / "toy.csv"
    terms = ("--topic-term", "disease", "--word-term", "symptom")
    made = orrery("adopt", toy, "--out", run, "--weights", "probability", *terms).out
    assert "3 diseases, 5 symptoms" in made
    assert "every disease has the assumed leak" in made
    assert "every symptom has the assumed leak" in made
    assert "give symptoms their own in toy.leaks.csv, or choose another by --word-leak" in made
    more = ("--explanations", 3, "--questions", 2, "--sensitivity", "flu")
    for query in ("fever, pain behind the eyes", "cough", "-fever"):
        said = orrery("infer", run, f"--query={query}", *more).out
        assert not re.search(r"\b(topics?|words?|on|off)\b", said, re.IGNORECASE), said
        assert re.search(r"^probable \d, unsure \d, improbable \d$", said, re.MULTILINE)


def test_where_no_topic_is_on_the_likeliest_are_named(adopted: Path, orrery: Any) -> None:
    by_leak, run = ("--word-leak", 0.9), adopted.parent / "s"
    assert orrery("adopt", adopted.parent / "toy.csv", "--out", run, *by_leak).code == 0
    shown_text = orrery("infer", run, "--query", "cough").out.splitlines()
    assert shown_text[0].startswith("Most probable: flu 0.")
    assert shown_text[1] == "Most probable topics:"
    assert [line.split()[-1] for line in shown_text[2:4]] == ["flu", "cold"]
    assert shown_text[4] == "on 0, unsure 0, off 2"
    assert shown_text[5].startswith("log-probability of the query -")


def test_it_is_evaluated_on_a_corpus_of_the_same_words(
    tmp_path: Path, orrery: Any, refused: Refused, corpus: Corpus, corpus_folder: Path
) -> None:
    rows = "".join(f"t{n % 3},{word},0.5\n" for n, word in enumerate(corpus.vocabulary))
    (tmp_path / "g.csv").write_text("parent,child,weight\n" + rows, encoding="utf-8")
    run = tmp_path / "r"
    assert orrery("adopt", tmp_path / "g.csv", "--out", run).code == 0
    evaluated = orrery("evaluate", run, "--corpus", corpus_folder, "--samples", 5, "--json")
    assert json.loads(evaluated.out)["documents"] == corpus.n_documents
    assert "name documents with --corpus" in refused("evaluate", run)
    assert "leave out --corpus" in refused("evaluate", run, "--corpus", corpus_folder, "--classify")


def test_what_it_is_not(adopted: Path, refused: Refused, corpus_folder: Path) -> None:
    resumed = refused("train", corpus_folder, "--out", adopted, "--resume")
    assert "adopted from a graph and never trained" in resumed
    assert "exists already" in refused("adopt", adopted.parent / "toy.csv", "--out", adopted)
    shutil.rmtree(adopted)
    adopt = ["adopt", adopted.parent / "toy.csv", "--out", adopted]
    assert "got '0', expected a number from 1e-06 to 30" in refused(*adopt, "--word-leak", "0")
    assert "invalid choice: 'log'" in refused(*adopt, "--weights", "log")
    assert not adopted.exists()


def test_the_help_gives_the_leaks_that_hold(orrery: Any) -> None:
    shown_text = re.sub(r"\s+", " ", orrery("adopt", "--help").out)
    for leak in (TOPIC_LEAK, WORD_LEAK):
        assert f"default: {leak} " in f"{shown_text} "
