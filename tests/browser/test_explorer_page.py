"""The page of the offline explorer: walking, figures, reasons, and how it is laid out."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from orrery.core.data.recipe import matrix_recipe
from orrery.core.export import explorer
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference import thresholds
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import explain, leave_one_out
from orrery.core.inference.infer import infer
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_names import NO_WORDS
from tests.browser.appearance import WIDTHS
from tests.browser.conftest import OpenPage
from tests.browser.driving import read_until
from tests.browser.explorer import answers, as_data, box, standing, tokens, topics, without_sums
from tests.core.export.models import sample

pytestmark = pytest.mark.browser

FIGURES = [
    (0.567, 0.01, "0.57"),
    (0.567, 0.011, "0.6"),
    (0.999, 0.001, ">0.99"),
    (0.996, 0.004, "0.99"),
    (0.001, 0.0, "<0.01"),
    (0.002, 0.005, "0.01"),
    (0.96, 0.04, "0.9"),
    (0.999, 0.02, ">0.9"),
    (1.0, 0.0, "1.00"),
    (1.0, 0.001, ">0.99"),
    (0.0, 0.0, "0.00"),
]


def test_typing_finding_and_walking(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    assert sample().network.graph.n_tokens == 1571
    expect(page.locator("#size")).to_contain_text("1,571 words")
    page.get_by_label("Your words").fill("table salt plate")
    topics(page).filter(has_text="●").first.wait_for()
    topics(page).filter(has_text="●").first.click()
    page.locator(".chosen a").wait_for()
    topics(page).filter(has_text="●").first.dblclick()
    page.get_by_role("heading", level=1).wait_for()
    page.locator(".columns section", has_text="Below").locator("a").first.click()
    page.locator(".path a", has_text="Answer").click()
    box(page, "word:salt").wait_for()
    page.get_by_label("Find a topic or word").fill("river")
    page.locator("#found a", has_text="word").first.click()
    page.get_by_role("heading", level=1, name="river").wait_for()
    page.reload()
    page.get_by_role("heading", level=1, name="river").wait_for()


def test_a_click_denies_all_words_after_a_denial(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(replace(sample(), recipe=matrix_recipe()), "sample"))
    answers(page, q="no bank, river, salt, table")
    switches = page.locator("p.senses button")
    expect(switches).to_have_count(5)
    page.get_by_role("button", name="Make “river”, “salt” and “table” absent").click()
    expect(page.get_by_label("Your words")).to_have_value("no bank, -river, -salt, -table")
    expect(switches).to_have_count(1)
    words = page.evaluate("OrreryModel.vocabulary.filter((word) => /^[a-z]+$/.test(word))")
    listed = words[: 2 * thresholds.MAX_SWITCHES]
    answers(page, q=f"no {', '.join(listed)}")
    expect(switches).to_have_count(thresholds.MAX_SWITCHES + 1)
    switches.last.click()
    expect(page.get_by_label("Your words")).to_have_value(f"no {', -'.join(listed)}")


def test_hidden_topics_are_counted_and_left_out(open_page: OpenPage) -> None:
    run = sample(Overlay(hidden=frozenset(["L2.1"])))
    page = open_page(explorer_bytes(run, "sample"))
    (found,) = answers(page, q="table salt plate")
    assert "L2.1" in {name for name, _, _ in found["topics"]}
    expect(page.locator(".legend", has_text="+1 hidden")).to_have_count(1)
    expect(box(page, "topic:L2.1")).to_have_count(0)


def test_a_topic_without_words_is_nowhere_and_not_counted(open_page: OpenPage) -> None:
    run = sample()
    number = run.network.graph.topic_ids.index("L2.1")
    labels = tuple(
        NO_WORDS if topic == number else name for topic, name in enumerate(run.topic_labels)
    )
    page = open_page(explorer_bytes(replace(run, topic_labels=labels), "sample"))
    (found,) = answers(page, q="table salt plate")
    assert "L2.1" in {name for name, _, _ in found["topics"]}
    topics(page).first.wait_for()
    expect(box(page, "topic:L2.1")).to_have_count(0)
    expect(page.locator(".legend", has_text="hidden")).to_have_count(0)
    page.get_by_label("Find a topic or word").fill("L2.1")
    page.locator("#found", has_text="No topic is named or linked").wait_for()


def test_a_topic_shows_how_often_it_is_on_with_those_below_it(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    page.evaluate("location.hash = '#topic=L2.1'")
    page.locator(".sentence", has_text="with the topics inside it: probability").wait_for()


def test_topics_shown_as_one_have_one_box(open_page: OpenPage) -> None:
    run = sample(Overlay(merged={"L1.12": "L1.22"}))
    page = open_page(explorer_bytes(run, "sample"))
    answers(page, q="table salt plate")
    posterior = infer(run.network, Evidence(tokens(run, "table salt plate"), closed_world=False))
    places = [posterior.position(run.network.graph.topic_ids.index(t)) for t in ("L1.12", "L1.22")]
    assert posterior.samples is not None
    (either,), _ = posterior.samples.mean(posterior.samples.state[:, places].any(axis=1)[:, None])
    expect(box(page, "topic:L1.22")).to_contain_text(f"{either:.2f}")
    expect(box(page, "topic:L1.12")).to_have_count(0)
    page.evaluate("location.hash = '#topic=L1.12'")
    page.locator(".sentence", has_text="L1.22").wait_for()


def test_figures_have_no_more_digits_than_their_error_allows(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    for probability, error, text in FIGURES:
        estimate = {"probability": probability, "error": error}
        assert page.evaluate("e => OrreryFigures.figures(e)", estimate) == text, estimate


def test_what_may_be_either_is_dashed_and_pale(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    dashed = {}
    for query in ("program", "bank", "star", "bank river", "plate", "engine match"):
        answers(page, q=query)
        dashed |= topics(page).evaluate_all(
            """all => Object.fromEntries(all.map(
              g => [parseFloat(g.querySelector('.figures').textContent),
                    getComputedStyle(g.querySelector('.box')).strokeDasharray !== 'none']))"""
        )
    either = {float(p) for p, is_dashed in dashed.items() if is_dashed}
    assert 0.3 <= min(either) < 0.4 < 0.6 < max(either) <= 0.7, either
    assert not any(0.3 < float(p) < 0.7 for p, is_dashed in dashed.items() if not is_dashed)


def test_where_samples_run_out_a_sentence_reports_it(open_page: OpenPage) -> None:
    data = without_sums(explorer_bytes(sample(), "sample"))
    settings = b'"draws":256,"least_rounds":8,"most_rounds":250,"most_enumerated":12'
    assert settings in data
    few = b'"draws":4,"least_rounds":4,"most_rounds":4,"most_enumerated":1'
    hasty = data.replace(settings, few)
    query = "bank program wind"
    for page, is_rough in ((open_page(data), False), (open_page(hasty), True)):
        (found,) = answers(page, q=query)
        assert (max(error for _, _, error in found["topics"]) > 0.01) == is_rough
        expect(page.locator("text=Probabilities are accurate to")).to_have_count(int(is_rough))


@pytest.mark.parametrize("closed_world", [False, True])
def test_reasons_are_those_of_explain_and_add_up(open_page: OpenPage, closed_world: bool) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    evidence = Evidence(tokens(run, "bank river"), tokens(run, "money"), closed_world=closed_world)
    posterior = infer(run.network, evidence)
    n_together = 0
    for topic in posterior.local.topics.tolist():
        found, belief, shown_p = page.evaluate(
            """([evidence, topic]) => {
              const found = OrreryPosterior.infer(OrreryModel, evidence);
              const k = found.local.place.get(topic);
              const messages = OrreryWhy.explain(found, topic);
              const bars = OrreryWhy.bars(messages, { probability: found.probability[k] });
              return [{ messages, bars }, found.beliefs.logOdds[k], found.probability[k]];
            }""",
            [as_data(evidence), topic],
        )
        messages = found["messages"]
        expected = explain(run.network, posterior, topic)
        apart = [m for m in messages if m["source"] != "together"]
        together = [m["logOdds"] for m in messages if m["source"] == "together"]
        n_together += len(together)
        assert [m["logOdds"] for m in apart] == pytest.approx(
            [m.log_odds for m in expected if m.source != "together"], abs=1e-9
        )
        assert sum(m["logOdds"] for m in apart) == pytest.approx(belief, abs=1e-9)
        if together:
            total = belief + together[0]
            assert 1.0 / (1.0 + np.exp(-total)) == pytest.approx(shown_p, abs=1e-9)
        # A reason too small for a bar may be missing.
        bars = found["bars"]
        assert bars[-1]["logOdds"] == pytest.approx(sum(m["logOdds"] for m in messages), abs=0.011)
        assert [bar["start"] for bar in bars[1:-1]] == [bar["end"] for bar in bars[:-2]]
    assert n_together > 0


def test_why_states_what_each_word_does(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    answers(page, q="bank river", sel="topic:L1.3")
    page.locator(".why h2", has_text="What speaks for “river · water · sea”").wait_for()
    expect(page.locator(".waterfall li.sum")).to_have_count(1)
    page.wait_for_function("!document.querySelector('.without').textContent.includes('…', 30)")
    posterior = infer(run.network, Evidence(tokens(run, "bank river"), closed_world=False))
    apart = [Evidence(tokens(run, word), closed_world=False) for word in ("bank", "river")]
    n_beyond = 0
    for topic in posterior.local.topics.tolist():
        found = page.evaluate(
            """([evidence, topic]) => OrreryWhy
              .omissions(OrreryPosterior.infer(OrreryModel, evidence), topic)
              .map(({ node, without }) => [node - OrreryModel.nTopics, without()])""",
            [as_data(posterior.evidence), topic],
        )
        expected = leave_one_out(run.network, posterior, topic)
        assert [node for node, _ in found] == [omission.node for omission in expected]
        for (_, estimate), omission in zip(found, expected, strict=True):
            without = omission.without
            assert estimate["error"] == without.error == 0.0
            assert estimate["probability"] == pytest.approx(without.value, abs=1e-9)
        # For some topics a single word is evidence.
        n_beyond += not all(topic in infer(run.network, rest).local.topics for rest in apart)
    assert n_beyond > 0
    rows = page.locator(".without .row")
    expect(rows).to_have_text([re.compile("^bank(?![a-z])"), re.compile("^river(?![a-z])")])


def test_thresholds_of_the_app_are_those_of_the_page(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = sample()
    evidence = as_data(Evidence(tokens(run, "bank river"), closed_world=False))
    topic = run.network.graph.topic_ids.index("L1.3")

    def shown_text() -> list[Any]:
        page = open_page(explorer_bytes(run, "sample"))
        found: list[Any] = page.evaluate(
            """([evidence, topic]) => {
              const found = OrreryPosterior.infer(OrreryModel, evidence);
              return [
                OrreryWhy.omissions(found, topic).length,
                OrreryWhy.bars(OrreryWhy.explain(found, topic), { probability: 0.5 }).length,
                OrreryFigures.figures({ probability: 0.567, error: 0.02 }),
                OrreryAnswer.isOn({ probability: 0.55 }),
              ];
            }""",
            [evidence, topic],
        )
        answers(page, q="bank")
        return [*found, page.locator(".senses").count() == 1]

    n_omissions, n_bars, *usual = shown_text()
    assert n_omissions == 2
    assert usual == ["0.6", True, True]
    monkeypatch.setattr(explorer, "MAX_PIECES", 1)
    monkeypatch.setattr(explorer, "MIN_SHARE", 0.9)
    monkeypatch.setattr(thresholds, "MAX_BARS", 2)
    monkeypatch.setattr(thresholds, "FINE_ERROR", 0.02)
    monkeypatch.setattr(thresholds, "ON_THRESHOLD", 0.6)
    n_omissions, fewer_bars, *changed = shown_text()
    assert n_omissions == 0
    assert fewer_bars < n_bars
    assert changed == ["0.57", False, False]


LONG = {
    "q": "gravitational earthquake laboratory government",
    "q2": "transmitter parliament government population",
}
# Whether nothing is wider than the page, the letters of its picture, of 13 pixels, are not much
# smaller than that, and it is whole: on a telephone one with many words is scrolled, as in the app.
IS_LEGIBLE = """(picture, mayScroll) => {
  const stage = picture.querySelector(".stage"), isWhole = stage.scrollWidth <= stage.clientWidth;
  const fits = document.documentElement.scrollWidth <= window.innerWidth;
  return fits && (isWhole || mayScroll) && picture.scale() > 0.74;
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_or_is_wider_than_the_window(open_page: OpenPage, width: int) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    page.set_viewport_size({"width": width, "height": 844})
    two = {"q": "bank river", "q2": "bank loan"}
    for query in ({"q": "wind sea rain storm bank film"}, two, LONG):
        answers(page, **query)
        may_scroll = width == min(WIDTHS) and query is not two
        picture = page.locator(".orrery-graph")
        read_until(page, partial(picture.evaluate, IS_LEGIBLE, may_scroll), bool)
        left, top, right, bottom = np.array(list(standing(page).values())).T
        apart = (
            (right[:, None] <= left) | (left[:, None] >= right)
            | (bottom[:, None] <= top) | (top[:, None] >= bottom)
        )  # fmt: skip
        assert (apart | np.eye(len(left), dtype=bool)).all()
