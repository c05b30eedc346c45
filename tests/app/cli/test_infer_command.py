"""``orrery infer``: states of words, and how the answer reports its log-probability."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orrery.app.cli import infer_command
from orrery.app.cli.infer_command import _no_question
from orrery.core.drawing.answer import AnswerGroups, answer_groups, answer_sentence
from orrery.core.drawing.question import read_typed
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import METHODS, Estimate
from orrery.core.inference.questions import AIMS, best_questions
from orrery.core.inference.thresholds import group_of
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.storage.activations import FILE as ACTIVATIONS
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.reading import sealed
from orrery.core.storage.runs import load_run, read_config, write_config
from tests.app.cli.conftest import Orrery


def answer(orrery: Orrery, run: Path, *arguments: str) -> dict[str, Any]:
    done = orrery("infer", run, *arguments, "--json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def states(found: dict[str, Any]) -> dict[str, str]:
    return {token["token"]: token["state"] for token in found["tokens"]}


@pytest.mark.parametrize("query", [["--query=-rocket"], ["--query", "", "--absent", "rocket"]])
def test_absent_words_alone_are_evidence(orrery: Orrery, trained: Path, query: list[str]) -> None:
    run = load_run(trained)
    rocket = run.vocabulary.index("rocket")
    expected = infer(run.network, Evidence((), (rocket,), closed_world=False))
    found = answer(orrery, trained, *query)
    assert states(found) == {"rocket": "absent"}
    assert len(found["topics"]) == len(expected.local.topics) > 0
    assert found["log_probability"] == expected.log_probability
    assert orrery("infer", trained, *query).code == 0


def test_words_have_the_signs_of_the_query_page(orrery: Orrery, trained: Path) -> None:
    query = 'orbit -"guitar" ?oven -zebra'
    found = answer(orrery, trained, "--query", query, "--absent", "sugar", "--closed-world")
    assert states(found) == {
        "orbit": "present", "guitar": "absent", "sugar": "absent", "oven": "unknown",
    }  # fmt: skip
    assert found["unknown_words"] == ["zebra"]
    run = load_run(trained)
    orbit, oven = (run.vocabulary.index(word) for word in ("orbit", "oven"))
    expected = infer(run.network, Evidence((orbit,), unknown=(oven,), closed_world=True))
    assert found["log_probability"] == expected.log_probability


@pytest.mark.parametrize("method", METHODS)
def test_the_log_probability_is_a_bound_where_the_method_makes_one(
    orrery: Orrery, trained: Path, method: str
) -> None:
    query = ["--query", "orbit guitar", "--method", method]
    found = answer(orrery, trained, *query)
    has_error = method in ("auto", "elimination", "sampling")
    assert ("log_probability_error" in found) == has_error
    assert found.get("bound") == (None if method == "sum-product" else found["log_probability"])
    how = "" if has_error else "about " if method == "sum-product" else "at least "
    line = f"\nlog-probability of the query {how}{found['log_probability']:.3f}"
    assert line in orrery("infer", trained, *query).out
    assert ("compared" in found) == has_error


def test_the_words_are_compared_with_unrelated_words_and_with_the_texts(
    orrery: Orrery, trained: Path
) -> None:
    found = answer(orrery, trained, "--query", "orbit guitar")
    alone = [answer(orrery, trained, "--query", word) for word in ("orbit", "guitar")]
    assert not any({"times_expected", "compared"} & set(one) for one in alone)
    log_ratio = found["log_probability"] - sum(one["log_probability"] for one in alone)
    assert found["times_expected"] == pytest.approx(exp(log_ratio))
    assert found["compared"]["n_words"] == 2
    assert found["compared"]["share_less"] + found["compared"]["share_more"] <= 1.0
    *_, times, compared = orrery("infer", trained, "--query", "orbit guitar").out.splitlines()
    assert times.endswith("times as probable as if the words were unrelated")
    assert compared == found["comparison"]


def test_topics_of_other_documents_are_not_taken_for_theirs(
    orrery: Orrery, trained: Path, tmp_path: Path
) -> None:
    """The same words in another order of the documents."""
    corpus = load_corpus(load_run(trained).corpus_path)
    save_corpus(corpus.subset(np.arange(corpus.n_documents)[::-1]), tmp_path / "c")
    shutil.copytree(trained, tmp_path / "r")
    config = read_config(tmp_path / "r")
    write_config(tmp_path / "r", str(tmp_path / "c"), config["settings"])
    found = answer(orrery, tmp_path / "r", "--query", "orbit guitar")
    assert "times_expected" in found
    assert "compared" not in found
    # Nor are they read, so that a damaged file of them does no harm.
    (tmp_path / "r" / "model" / ACTIVATIONS).write_bytes(b"junk")
    assert answer(orrery, tmp_path / "r", "--query", "orbit guitar") == found
    assert answer(orrery, tmp_path / "r", "--query", "orbit zebra")["dropped_words"] == {}


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (0.03, "33 times less probable than"), (0.4, "2.5 times less probable than"),
        (0.99, "1.0 times as probable as"), (3.14, "3.1 times as probable as"),
        (12345.0, "12,345 times as probable as"), (0.0, "1,000,000,000,000 times less probable"),
    ],
)  # fmt: skip
def test_factors_are_written_for_people(times: float, said: str) -> None:
    assert infer_command._times(times).startswith(said)


@pytest.mark.parametrize(("probability", "shown"), [(0.999, ">0.99"), (0.001, "<0.01")])
def test_the_list_has_the_figures_of_the_sentence(
    capsys: pytest.CaptureFixture[str], trained: Path, probability: float, shown: str
) -> None:
    model, known = load_run(trained), ((0, Estimate(probability, 0.0)),)
    groups = AnswerGroups(on=known, unsure=(), off=(), prior=())
    assert shown in answer_sentence(model, groups)
    infer_command._print_lists(model, groups)
    assert capsys.readouterr().out.splitlines()[1].startswith(f"{shown}  ")


def test_topics_without_words_are_for_programs_only(orrery: Orrery, run_folder: Path) -> None:
    description = json.loads((run_folder / "model" / "model.json").read_text())
    known = description["topic_labels"]
    description["topic_labels"] = ["no words", *known[1:]]
    (run_folder / "model" / "model.json").write_text(json.dumps(sealed(description)))
    found = answer(orrery, run_folder, "--query", "orbit guitar oven")
    assert "no words" in {topic["label"] for topic in found["topics"]}
    description["topic_labels"] = ["no words"] * len(known)
    (run_folder / "model" / "model.json").write_text(json.dumps(sealed(description)))
    shown_text = orrery("infer", run_folder, "--query", "orbit guitar oven").out
    assert "no topic is linked with them" in shown_text
    assert "no words" not in shown_text


def test_a_query_is_read_as_on_the_query_page(orrery: Orrery, trained: Path) -> None:
    run = load_run(trained)
    text = " ".join(word for word in run.vocabulary if word.isalpha()) + "."
    shown_text = orrery("infer", trained, "--query", text).out
    assert "read as a whole text" in shown_text
    assert answer(orrery, trained, "--query", text)["reading"] == "text"
    assert answer(orrery, trained, "--query", text, "--open-world")["reading"] == "words"
    few = answer(orrery, trained, "--query", "orbit guitar")
    assert few["reading"] == "words"
    groups = [topic["group"] for topic in few["topics"]]
    assert groups == [group_of(topic["probability"]) for topic in few["topics"]]
    question = read_typed(run, "orbit guitar")
    posterior = infer(run.network, question.evidence(closed_world=False))
    expected = answer_sentence(run, answer_groups(run, posterior))
    assert expected in orrery("infer", trained, "--query", "orbit guitar").out


def test_explanations_questions_and_sensitivity_are_added_when_asked_for(
    orrery: Orrery, trained: Path
) -> None:
    plain = answer(orrery, trained, "--query", "orbit")
    topic = plain["topics"][0]["id"]
    more = ("--explanations", "3", "--questions", "2", "--sensitivity", topic)
    found = answer(orrery, trained, "--query", "orbit", *more)
    assert {name: found[name] for name in plain} == plain
    assert set(found) - set(plain) == {
        "aim", "explanations", "explanations_exact", "explanations_missed", "questions",
        "questions_complete", "questions_exact", "sensitivity", "undecided",
    }  # fmt: skip
    probabilities = [state["probability"] for state in found["explanations"]]
    assert probabilities == sorted(probabilities, reverse=True)
    assert 0.0 < sum(probabilities) <= 1.0 + 1e-9
    assert len(found["questions"]) <= 2
    assert found["sensitivity"]
    printed = orrery("infer", trained, "--query", "orbit", *more).out
    for line in ("all topics together:", "most informative next:", "twice, the weight or leak:"):
        assert line in printed


def test_questions_may_aim_at_a_nearly_certain_topic(orrery: Orrery, trained: Path) -> None:
    assert tuple(infer_command.HEADINGS) == AIMS
    asked = ("--query", "orbit", "--questions", "4", "--aim", "confirmation")
    model = load_run(trained)
    posterior = infer(model.network, read_typed(model, "orbit").evidence(closed_world=False))
    expected = best_questions(model.network, posterior, 4, aim="confirmation")
    found = answer(orrery, trained, *asked)
    assert found["aim"] == "confirmation"
    words = [model.vocabulary[question.node] for question in expected.questions]
    assert [question["word"] for question in found["questions"]] == words
    assert "\nto a nearly certain topic (bits of a relative entropy, which may exceed 1):" in (
        orrery("infer", trained, *asked).out
    )
    told = " ".join(orrery("infer", "--help").out.split())
    assert "its bits measure a relative entropy, which may exceed 1" in told


def test_without_questions_the_reason_is_printed(orrery: Orrery, trained: Path) -> None:
    asked = ("--query", "orbit", "--questions", "2", "--closed-world")
    found = answer(orrery, trained, *asked)
    assert found["questions"] == []
    printed = orrery("infer", trained, *asked).out
    reason = "every word is known" if found["undecided"] else "no topic of these words is undecided"
    assert reason in printed
    for reading, reason in (("text", "use --open-world"), ("words", "no further word")):
        assert reason in _no_question({"undecided": ["T1"], "reading": reading})


def test_sensitivity_of_an_unknown_topic_is_an_error(orrery: Orrery, trained: Path) -> None:
    done = orrery("infer", trained, "--query", "orbit", "--sensitivity", "T9999")
    assert done.code == 2
    assert "no topic 'T9999'" in done.err


def test_sensitivity_names_the_topic_that_has_no_word_of_the_query(
    orrery: Orrery, trained: Path
) -> None:
    known = {topic["id"] for topic in answer(orrery, trained, "--query", "orbit")["topics"]}
    other = next(name for name in load_run(trained).network.graph.topic_ids if name not in known)
    done = orrery("infer", trained, "--query", "orbit", "--sensitivity", other)
    assert done.code == 2
    assert f"topic {other} has no word of the query below it" in done.err


def test_a_model_without_topics_has_no_sensitivity(
    orrery: Orrery, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load_run(trained)
    n_words = len(run.vocabulary)
    network = build_network(build_graph(n_words, [], [], [])[0], [], np.full(n_words, 0.1))
    bare = replace(run, network=network, topic_labels=(), made_labels=(), coherence=None)
    monkeypatch.setattr("orrery.core.storage.runs.load_run", lambda _: bare)
    done = orrery("infer", trained, "--query", "orbit", "--sensitivity", "T1")
    assert done.code == 2
    assert "the model has no topics" in done.err


def test_a_word_left_open_in_a_whole_text_cannot_be_absent_too(
    orrery: Orrery, trained: Path
) -> None:
    words = [word for word in load_run(trained).vocabulary if word.isalpha()][:10]
    text = f"{' '.join(words)}. ?{words[3]}"
    done = orrery("infer", trained, "--query", text, "--closed-world", "--absent", words[3])
    assert done.code == 2
    assert f"{words[3]!r} is given as absent and as unknown; leave one of them out" in done.err
