"""The rules of a query are the same for the command, Python, the app and the offline explorer.

``query_cases.json`` has the cases; ``javascript/query-cases.test.js`` reads them for the explorer.
In each, every word of the vocabulary is present, absent or open, or the query is refused.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery import NoisyOrTopics
from orrery.app.cli import infer_command
from orrery.core.data.clauses import WORDS, is_negation
from orrery.core.data.query import read_query
from orrery.core.data.recipe import Recipe, matrix_recipe
from orrery.core.drawing.explorer_strings import DENIAL_HOLDS
from orrery.core.drawing.local_model import TypedWord
from orrery.core.drawing.question import (
    all_denied,
    denial_switches,
    is_whole_text,
    notes,
    parts_used,
    read_question,
    written,
)
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
    known = case.get("known") or TABLE["vocabularies"][case["vocabulary"]]
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


@pytest.mark.parametrize("case", TABLE["whole_texts"])
def test_a_whole_text_is_distinguished_from_words_with_signs(case: dict[str, Any]) -> None:
    model = model_of({"vocabulary": "sky"})
    assert is_whole_text(model, case["query"]) == case["is_text"]  # type: ignore[arg-type]


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
def test_a_word_that_is_not_understood_has_the_next_known_word_of_its_sentence(
    case: dict[str, Any],
) -> None:
    question = read_question(model_of(case), case["query"])  # type: ignore[arg-type]
    found = {word.text: question.denied(word) for word in question.denials}
    assert {word: denied for word, denied in found.items() if denied} == case["denied"]


@pytest.mark.parametrize("state", ["present", "absent", "unknown"])
def test_a_word_that_begins_with_a_sign_is_written_so_that_it_is_read_again(state: str) -> None:
    model = model_of({"vocabulary": "endings"})
    word = TypedWord("-itis", state, 0)
    assert read_question(model, written([word])).typed == (word,)  # type: ignore[arg-type]


def test_the_explorer_has_the_words_of_clauses() -> None:
    assert TABLE["clauses"] == {name: sorted(words) for name, words in WORDS.items()}


SYMPTOMS = model_of({"vocabulary": "symptoms"})


@pytest.mark.parametrize("case", TABLE["switches"], ids=lambda case: case["text"])
def test_a_switched_word_is_written_into_the_text(case: dict[str, Any]) -> None:
    question = read_question(SYMPTOMS, case["query"])  # type: ignore[arg-type]
    text = question.switched(SYMPTOMS, f"word:{case['word']}", case["state"])  # type: ignore[arg-type]
    assert text == case["text"]


@pytest.mark.parametrize("case", TABLE["additions"], ids=lambda case: case["text"])
def test_a_further_word_is_written_behind_the_text(case: dict[str, Any]) -> None:
    question = read_question(SYMPTOMS, case["query"])  # type: ignore[arg-type]
    text = question.with_word(SYMPTOMS, case["word"], case["state"])  # type: ignore[arg-type]
    assert text == case["text"]


@pytest.mark.parametrize("case", TABLE["parts_used"], ids=lambda case: case["query"])
def test_a_known_part_of_an_unknown_phrase_is_named(case: dict[str, Any]) -> None:
    question = read_question(SYMPTOMS, case["query"])  # type: ignore[arg-type]
    found = [[part.phrase, SYMPTOMS.vocabulary[part.token]] for part in parts_used(question)]
    assert found == case["parts"]
    said = notes(SYMPTOMS, question)
    for phrase, known in case["parts"]:
        assert f"does not know “{phrase}”; the answer uses “{known}” alone." in " ".join(said)


@pytest.mark.parametrize("case", TABLE["denial_switches"], ids=lambda case: case["query"])
def test_words_read_by_a_denial_are_offered_in_their_other_state(case: dict[str, Any]) -> None:
    question = read_question(SYMPTOMS, case["query"])  # type: ignore[arg-type]
    found = denial_switches(question)
    assert [[word.text, state] for word, state in found] == case["switches"]
    for word, state in found:
        text = question.switched(SYMPTOMS, word.key, state)  # type: ignore[arg-type]
        states = states_of(SYMPTOMS, case["query"])
        assert states_of(SYMPTOMS, text) == states | {word.text: state}


@pytest.mark.parametrize("case", TABLE["all_denied"], ids=lambda case: case["query"])
def test_all_words_after_a_denial_are_denied_at_once(case: dict[str, Any]) -> None:
    question = read_question(SYMPTOMS, case["query"])  # type: ignore[arg-type]
    text = all_denied(SYMPTOMS, question)  # type: ignore[arg-type]
    assert text == case["text"]
    changed = states_of(SYMPTOMS, case["query"]) | dict.fromkeys(case["words"], "absent")
    assert states_of(SYMPTOMS, text) == changed


def test_a_note_on_a_denial_names_absent_and_present_words() -> None:
    (note,) = notes(SYMPTOMS, read_question(SYMPTOMS, "fever, no neck pain, nausea"))  # type: ignore[arg-type]
    assert note.startswith("Read as absent: “neck pain”; as present: “fever” and “Nausea”.")
    assert note.endswith('+"neck pain".')
    (alone,) = notes(SYMPTOMS, read_question(SYMPTOMS, "denies nausea and fever"))  # type: ignore[arg-type]
    assert alone.startswith("Read as absent: “Nausea” and “fever”; no word is read as present.")


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("no fever. Denies nausea, pain. Without coughing", {"word": "no", "verb": "denies"}),
        ("she denied fever and has pain", {"verb": "denied"}),
    ],
)
def test_a_note_has_the_rule_of_each_kind_of_denial_once(query: str, kinds: dict[str, str]) -> None:
    (note,) = notes(SYMPTOMS, read_question(SYMPTOMS, query))  # type: ignore[arg-type]
    rules = (DENIAL_HOLDS[kind].format(denial=denial) for kind, denial in kinds.items())
    assert f". {' '.join(rules)} Type" in note
    assert note.count("” holds up to") + note.count("” holds beyond") == len(kinds)


def test_a_sign_before_an_unknown_term_leaves_the_denial_of_another() -> None:
    query = read_query(model_of({"vocabulary": "symptoms"}), "-zzz, no qqq")
    assert [(item.text, item.state, item.denial) for item in query.items] == [
        ("zzz", "absent", ""),
        ("qqq", "absent", "no"),
    ]


def states_of(model: TopicModel, text: str) -> dict[str, str]:
    question = read_question(model, text)  # type: ignore[arg-type]
    return {word.text: word.state for word in question.typed if word.token >= 0}


KNOWN = [word.replace("_", " ") for word in SYMPTOMS.vocabulary]
TERMS = st.sampled_from(KNOWN)
DENIALS = st.sampled_from(["no", "not", "without", "denies", "never had any", "isn't"])
ENDS = st.sampled_from([". ", "; ", "! ", "\n", " but ", ", she has "])


@given(DENIALS, st.lists(TERMS, min_size=1, max_size=4, unique=True), st.data())
def test_a_denial_holds_for_its_list_and_for_nothing_outside(
    denial: str, terms: list[str], data: st.DataObject
) -> None:
    rest = [word for word in KNOWN if word not in terms]
    before = data.draw(st.lists(st.sampled_from(rest), max_size=2, unique=True))
    after = data.draw(st.lists(st.sampled_from(rest), max_size=2, unique=True))
    after = [word for word in after if word not in before]
    joints = [data.draw(st.sampled_from([" or ", " nor "]))] + [", "] * len(terms)
    clause = f"{denial} {terms[0]}"
    for place, term in enumerate(terms[1:], start=2):
        clause += joints[0 if place == len(terms) else 1] + term
    first = "".join(f"{word}, " for word in before[:-1]) + "".join(
        f"{word}{data.draw(st.sampled_from(['. ', '; ', ', ', ' and ']))}" for word in before[-1:]
    )
    last = (data.draw(ENDS) + ", ".join(after)) if after else ""
    expected = dict.fromkeys([*before, *after], "present") | dict.fromkeys(terms, "absent")
    assert states_of(SYMPTOMS, f"{first}{clause}{last}") == expected


@given(st.lists(TERMS, min_size=1, max_size=7, unique=True), st.data())
def test_a_denial_holds_up_to_the_next_comma_wherever_it_is(
    terms: list[str], data: st.DataObject
) -> None:
    parts, expected = [], {}
    while terms:
        size = data.draw(st.integers(1, 3))
        part, terms = terms[:size], terms[size:]
        denial = data.draw(st.one_of(st.just(""), DENIALS))
        joints = [data.draw(st.sampled_from([" and ", " "])) for _ in part[1:]]
        joined = "".join(map("".join, zip(["", *joints], part, strict=True)))
        parts.append(f"{denial} {joined}".strip())
        expected |= dict.fromkeys(part, "absent" if denial else "present")
    joint = data.draw(st.sampled_from([", ", ",", "; ", ". "]))
    assert states_of(SYMPTOMS, joint.join(parts)) == expected


OTHER_PIECES = "no|not|denies|or|nor|but|and|zebra|chest|,|.|;|she has|without|(|)|of|can't|recent"
SIGNED = [f"{sign}{word}" for sign in "+-?" for word in KNOWN[:4]]
PIECES = st.sampled_from([*KNOWN, *SIGNED, '?"neck pain"', "signs of", *OTHER_PIECES.split("|")])
QUERIES = (
    st.lists(PIECES, min_size=1, max_size=9)
    .map(" ".join)
    .map(lambda text: text.replace(" ,", ",").replace(" .", ".").replace(" ;", ";"))
)


@settings(max_examples=300)
@given(QUERIES, st.sampled_from(["present", "absent", "unknown"]), st.data())
def test_a_switch_gives_a_word_its_state_and_leaves_the_others(
    text: str, state: str, data: st.DataObject
) -> None:
    question = read_question(SYMPTOMS, text)  # type: ignore[arg-type]
    words = [word for word in question.typed if word.token >= 0]
    if question.contradictions or not words:
        return
    word = data.draw(st.sampled_from(words))
    written_text = question.switched(SYMPTOMS, word.key, state)  # type: ignore[arg-type]
    assert states_of(SYMPTOMS, written_text) == states_of(SYMPTOMS, text) | {word.text: state}
    again = read_question(SYMPTOMS, written_text)  # type: ignore[arg-type]
    assert set(again.strangers) == set(question.strangers)


NAME = st.text("ab -+?.,'c", min_size=1, max_size=6).map(lambda name: " ".join(name.split()))
NAMES = st.lists(
    NAME.filter(lambda name: any(letter.isalnum() for letter in name)),
    min_size=1,
    max_size=4,
    unique_by=str.lower,
)


@settings(max_examples=200)
@given(NAMES, st.sampled_from(["present", "absent", "unknown"]), st.sampled_from("_ "))
def test_a_word_of_any_vocabulary_is_added_in_its_state(
    names: list[str], state: str, joint: str
) -> None:
    names = [name.replace(" ", joint) for name in names]
    known = {"recipe": {"matrix": True}, "vocabulary": names}
    model = model_of({"known": known})
    question = read_question(model, "zzz")  # type: ignore[arg-type]
    for name in names:
        text = question.with_word(model, name, state)  # type: ignore[arg-type]
        assert states_of(model, text) == {name.replace("_", " "): state}
