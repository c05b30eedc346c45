"""The rules of a query are the same for the command, Python, the app and the offline explorer.

``query_cases.json`` has the cases; ``javascript/query-cases.test.js`` reads them for the explorer.
In each, every word of the vocabulary is present, absent or open, or the query is refused.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from orrery import NoisyOrTopics
from orrery.app.cli import infer_command
from orrery.core.data.query import is_negation
from orrery.core.data.recipe import Recipe, matrix_recipe
from orrery.core.drawing.local_model import TypedWord
from orrery.core.drawing.question import read_question, written
from orrery.core.inference.evidence import Evidence
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_model import TopicModel
from orrery.core.storage import runs
from orrery.core.utils.errors import InputError
from tests.app.cli.conftest import Orrery, orrery
from tests.conftest import ROOT

__all__ = ["orrery"]

TABLE = json.loads((ROOT / "tests/query_cases.json").read_text("utf-8"))
CASES = [
    pytest.param(case, id=f"{case['query']}{' (closed)' * case['closed_world']}")
    for case in TABLE["cases"]
]


def model_of(case: dict[str, Any]) -> TopicModel:
    """A topic above all words of a vocabulary."""
    known = TABLE["vocabularies"][case["vocabulary"]]
    settings = {name: tuple(value) for name, value in known["recipe"].items() if name != "matrix"}
    recipe = matrix_recipe() if known["recipe"].get("matrix") else Recipe(**settings)
    words = tuple(known["vocabulary"])
    n_words = len(words)
    graph, _ = build_graph(n_words, ["T"], np.zeros(n_words, int), np.arange(1, 1 + n_words))
    network = build_network(graph, np.ones(n_words), np.full(1 + n_words, 0.1))
    return TopicModel(network, words, recipe, ("T",), ("T",), Overlay(), {})


def states(model: TopicModel, evidence: Evidence) -> dict[str, set[str]]:
    """Words of the vocabulary by their state in the evidence."""
    every = set(range(len(model.vocabulary)))
    rest = every - {*evidence.present, *evidence.absent, *evidence.unknown}
    found = {
        "present": {*evidence.present},
        "absent": {*evidence.absent} | (rest if evidence.closed_world else set()),
        "open": {*evidence.unknown} | (set() if evidence.closed_world else rest),
    }
    return {state: {model.vocabulary[t] for t in tokens} for state, tokens in found.items()}


def expected_states(case: dict[str, Any]) -> dict[str, set[str]]:
    return {state: set(case[state]) for state in ("present", "absent", "open")}


def is_empty(case: dict[str, Any], model: TopicModel) -> bool:
    """Whether no word of the query is known: there is nothing to infer from."""
    question = read_question(model, case["query"])  # type: ignore[arg-type]
    return not case["contradictions"] and all(word.token < 0 for word in question.typed)


@pytest.mark.parametrize("case", CASES)
def test_a_question_of_the_app_follows_the_table(case: dict[str, Any]) -> None:
    model = model_of(case)
    question = read_question(model, case["query"])  # type: ignore[arg-type]
    assert [list(found) for found in question.contradictions] == case["contradictions"]
    assert set(question.strangers) == set(case["unknown"])
    if case["contradictions"]:
        with pytest.raises(InputError, match="is given as"):
            question.evidence(closed_world=case["closed_world"])
    else:
        evidence = question.evidence(closed_world=case["closed_world"])
        assert states(model, evidence) == expected_states(case)
        assert [model.vocabulary[token] for token in evidence.present] == case["present"]


@pytest.mark.parametrize("case", CASES)
def test_python_follows_the_table(case: dict[str, Any]) -> None:
    estimator, model = NoisyOrTopics(), model_of(case)
    estimator.model_ = model
    if case["contradictions"] or is_empty(case, model):
        with pytest.raises(InputError) as refusal:
            estimator.query(case["query"], closed_world=case["closed_world"])
        assert_gives_the_reason(case, str(refusal.value))
    else:
        answer = estimator.query(case["query"], closed_world=case["closed_world"])
        assert states(model, answer.posterior.evidence) == expected_states(case)
        assert set(answer.unknown_words) == set(case["unknown"])


@pytest.mark.parametrize("case", CASES)
def test_the_command_follows_the_table(
    case: dict[str, Any], orrery: Orrery, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of(case)
    monkeypatch.setattr(runs, "load_run", lambda _: model)
    # The model has no corpus.
    monkeypatch.setattr(infer_command, "_dropped_words", lambda *_: {})
    monkeypatch.setattr(infer_command, "_texts_with_topics", lambda _: None)
    world = "--closed-world" if case["closed_world"] else "--open-world"
    outcome = orrery("infer", "run", f"--query={case['query']}", world, "--json")
    if case["contradictions"] or is_empty(case, model):
        assert outcome.code == 2
        assert_gives_the_reason(case, outcome.err)
        return
    found = json.loads(outcome.out)
    assert set(found["unknown_words"]) == set(case["unknown"])
    named: dict[str, tuple[int, ...]] = {"present": (), "absent": (), "unknown": ()}
    for token in found["tokens"]:
        named[token["state"]] += (model.token_number[token["token"]],)
    evidence = Evidence(**named, closed_world=case["closed_world"])
    assert states(model, evidence) == expected_states(case)


def assert_gives_the_reason(case: dict[str, Any], shown_text: str) -> None:
    """Hold a refusal to name the first contradiction, or the words that are not known."""
    if case["contradictions"]:
        word, first, second = case["contradictions"][0]
        assert f"{word!r} is given as {first} and as {second}; leave one of them out" in shown_text
    else:
        assert all(word in shown_text for word in case["unknown"])


@pytest.mark.parametrize(("word", "denies"), TABLE["negations"].items())
def test_words_that_deny_the_next_one(word: str, denies: bool) -> None:
    assert is_negation(word) is denies


@pytest.mark.parametrize("case", TABLE["denials"], ids=lambda case: case["query"])
def test_a_denial_is_of_the_next_known_word_of_its_sentence(case: dict[str, Any]) -> None:
    question = read_question(model_of(case), case["query"])  # type: ignore[arg-type]
    found = {word.text: question.denied(word) for word in question.denials}
    assert {word: denied for word, denied in found.items() if denied} == case["denied"]


@pytest.mark.parametrize("state", ["present", "absent", "unknown"])
def test_a_word_that_begins_with_a_sign_is_written_so_that_it_is_read_again(state: str) -> None:
    model = model_of({"vocabulary": "endings"})
    word = TypedWord("-itis", state, 0)
    assert read_question(model, written([word])).typed == (word,)  # type: ignore[arg-type]
