"""The explorer finds the explanations and next words of Python; a click on an answer types it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from orrery.app.views.query import strings
from orrery.app.views.query.taken_together import shown_states
from orrery.core.drawing import explorer_strings
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.most_probable import most_probable
from orrery.core.inference.questions import best_questions
from orrery.core.inference.thresholds import MIN_STATE, N_QUESTIONS
from tests.browser.conftest import OpenPage
from tests.browser.explorer import answers, as_data, shown, tokens
from tests.core.export.models import sample

pytestmark = pytest.mark.browser

N_QUERIES = 60
WORKED_OUT = """asked => asked.map(evidence => {
  const begin = performance.now(), posterior = OrreryPosterior.infer(OrreryModel, evidence);
  const found = OrreryStates.mostProbable(posterior, OrreryModel.explanations);
  const { questions: limits, thresholds } = OrreryModel;
  const count = thresholds.questions;
  const asked = OrreryInformation.bestQuestions(OrreryModel, posterior, count, limits);
  return { ms: performance.now() - begin, found, asked };
})"""


def queries(run) -> list[Evidence]:
    """Two to four words of two topics."""
    rng, found = np.random.default_rng(0), []
    while len(found) < N_QUERIES:
        size = 2 + len(found) % 3
        topics = rng.choice(run.network.graph.n_topics, 2, replace=False).tolist()
        words = {run.token_number[word] for k in topics for word, *_ in run.shown_words(k, 25)}
        if len(words) >= size:
            chosen = rng.choice(sorted(words), size, replace=False).tolist()
            found.append(Evidence(tuple(chosen), closed_world=False))
    return found


def test_both_find_the_same_on_the_sample(
    open_page: OpenPage, record_property: Callable[[str, object], None]
) -> None:
    run = sample()
    page, asked = open_page(explorer_bytes(run, "sample")), queries(run)
    found = page.evaluate(WORKED_OUT, [as_data(evidence) for evidence in asked])
    record_property("ms, 95th percentile", float(np.quantile([one["ms"] for one in found], 0.95)))
    n_topics, n_compared = run.network.graph.n_topics, 0
    for evidence, one in zip(asked, found, strict=True):
        posterior = infer(run.network, evidence)
        truth = most_probable(run.network, posterior)
        states = one["found"]["states"]
        assert [s["on"] for s in states] == [truth.on(s) for s in range(len(truth.state))]
        assert [s["probability"] for s in states] == pytest.approx(truth.probability, abs=1e-9)
        assert one["found"]["isExact"] == truth.is_exact
        expected = best_questions(run.network, posterior, N_QUESTIONS)
        assert one["asked"]["targets"] == list(expected.targets)
        if one["asked"]["isExact"] and expected.is_exact:
            n_compared += 1
            got = [(q["word"] - n_topics, q["bits"], q["yes"]) for q in one["asked"]["questions"]]
            assert [node for node, *_ in got] == [q.node for q in expected.questions]
            figures = [(q.bits, q.yes) for q in expected.questions]
            np.testing.assert_allclose([pair for _, *pair in got], figures, atol=1e-9, rtol=0)
    assert n_compared >= 50


def test_an_answer_to_the_next_word_is_typed_by_keyboard(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    for label, sign, key in (("Yes", "", "Enter"), ("No", "-", "Space"), ("Skip", "?", "Enter")):
        answers(page, q="program")
        button = page.locator(".next .answers button", has_text=label).first
        word = (button.get_attribute("aria-label") or "").removesuffix(f": {label}")
        button.focus()
        page.keyboard.press(key)
        page.wait_for_function("before => location.hash !== before", arg="#q=program")
        shown(page)
        assert page.get_by_label("Your words").input_value() == f"program {sign}{word}"
        assert page.locator(".next .asked-word", has_text=word).count() == 0
        # The keys go on to the next question.
        assert page.evaluate("document.activeElement.closest('.next .answers') !== null")


def test_a_whole_text_has_explanations_but_no_next_word(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    answers(page, q="bank river")
    assert (
        page.locator(".together", has_text="Of all combinations, the most probable one").count()
        == 1
    )
    assert page.locator(".next").count() == 1
    answers(page, q="bank river", others="absent")
    assert (
        page.locator(".together", has_text="Of all combinations, the most probable one").count()
        == 1
    )
    assert page.locator(".next").count() == 0


# With these words of unrelated topics, every combination of topics of the sample is improbable.
UNRELATED = "bowl coats wide deck lie measure coast ruin fence pulls gut careful"


def test_combinations_are_named_as_in_the_app_and_not_where_all_are_improbable(
    open_page: OpenPage,
) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    answers(page, q=UNRELATED, others="unknown")
    said = page.locator(".together").inner_text()
    assert explorer_strings.NO_BEST_STATE in said
    assert "combination:" not in said
    assert page.locator(".together li").count() == 0
    answers(page, q="bank river")
    lines = page.locator(".together li").all_inner_texts()
    run = sample()
    evidence = Evidence(tokens(run, "bank river"), closed_world=False)
    found = shown_states(run, most_probable(run.network, infer(run.network, evidence)))
    states = [found[0], *(state for state in found[1:] if state.share >= MIN_STATE)]
    first, *others = [state.on for state in states]

    def names(topics: frozenset[int]) -> list[str]:
        return [run.topic_labels[topic] for topic in sorted(topics)]

    expected = [strings.change(names(on - first), names(first - on)) for on in others]
    named = [strings.share(state.share) for state in states[1:]]
    assert len(lines) > 1
    assert lines == [f"{share} {text}" for share, text in zip(named, expected, strict=True)]
