"""Exported pages in a browser: the explorer answers as ``orrery infer`` does; text stays text."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

from app.graph_style import figures
from core.exporting import export_files
from core.exporting.as_explorer import explorer_bytes
from core.inference import Evidence, infer
from core.storage import TopicModel
from core.storage.overlay import Overlay
from core.text.recipe import SIGN_PATTERN, Recipe, matrix_recipe
from tests.app.toy import large_run
from tests.core.exporting.models import EVIL, sample

pytestmark = pytest.mark.browser

CLOSE = 1e-6
QUERIES = (
    "table salt plate",
    "bank river",
    "bank river money loan",
    "star orbit program",
    "The engine, the FUEL and zzzunknown",
    "program -orbit -memory",
    'court judge -"river" bank',
    "wind sea rain storm coast film stage actor guitar",
)
TEXTS = (
    "Don't stop: e-mail, x-ray, state-of-the-art; the dog's mp3",
    "Größe naïve café \u2019tis o\u2019clock soft\u00adhyphen non\u2011breaking",
    "ﬁle \uff26\uff35\uff2c\uff2c width  日本 12 a1 b_c _x_ É e\u0301",
    "table,salt;plate/bank(river)",
    "",
    "... -- ' '' - a",
)

OpenPage = Callable[[bytes], "object"]


@pytest.fixture
def open_page(chromium, tmp_path: Path) -> Iterator[OpenPage]:
    """Return a function that opens a page from disk, in a browser that may fetch nothing else."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    failed: list[str] = []
    path = tmp_path / "page.html"

    def open_it(data: bytes):
        path.write_bytes(data)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.on("console", lambda message: failed.append(message.text))
        page.goto(path.as_uri())
        return page

    yield open_it
    context.close()
    assert {url.partition("#")[0] for url in asked} == {path.as_uri()}
    assert failed == []


def answer(page, query: str, *, closed_world: bool = False) -> dict:
    others = "&others=absent" if closed_world else ""
    page.evaluate(
        """hash => {
          delete document.getElementById('view').dataset.answer;
          location.hash = hash;
        }""",
        f"#q={quote(query)}{others}",
    )
    page.wait_for_function("document.getElementById('view').dataset.answer !== undefined")
    return json.loads(page.evaluate("document.getElementById('view').dataset.answer"))


def assert_equal(model: TopicModel, evidence: Evidence, found: dict) -> None:
    expected = infer(model.network, evidence)
    ids = model.network.graph.topic_ids
    probability = {
        ids[topic]: value
        for topic, value in zip(expected.local.topics, expected.probability, strict=True)
    }
    assert dict(found["topics"]) == pytest.approx(probability, abs=CLOSE)
    assert found["bound"] == pytest.approx(expected.bound, abs=CLOSE)


def split(query: str) -> tuple[str, str]:
    words = query.split()
    return (
        " ".join(word for word in words if word[0] != "-"),
        " ".join(word[1:].strip('"') for word in words if word[0] == "-"),
    )


@pytest.mark.parametrize("closed_world", [False, True])
def test_the_explorer_answers_as_infer_does(open_page: OpenPage, closed_world: bool) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    for query in QUERIES:
        present, unknown = run.parse(split(query)[0])
        absent, _ = run.parse(split(query)[1])
        evidence = Evidence(
            tuple(present.tolist()), tuple(absent.tolist()), closed_world=closed_world
        )
        found = answer(page, query, closed_world=closed_world)
        assert_equal(run, evidence, found)
        assert found["unknown"] == unknown


def test_a_ready_made_vocabulary_and_three_layers(open_page: OpenPage) -> None:
    toy = large_run(120, 300, 3)
    model = TopicModel(
        toy.network, toy.vocabulary, matrix_recipe(), toy.topic_labels, toy.topic_labels,
        Overlay(), {},
    )  # fmt: skip
    page = open_page(explorer_bytes(model, "toy"))
    chance = np.random.default_rng(0)
    for size in (1, 3, 8, 25):
        tokens = tuple(chance.choice(300, size, replace=False).tolist())
        query = " ".join(model.vocabulary[token] for token in tokens)
        for closed_world in (False, True):
            found = answer(page, query, closed_world=closed_world)
            assert_equal(model, Evidence(tokens, closed_world=closed_world), found)


def test_the_explorer_reads_a_query_as_the_recipe_does(open_page: OpenPage) -> None:
    run = sample()
    matrix = replace(
        run, vocabulary=("Tom", "new_york", "solid state", "NASA", *run.vocabulary[4:]),
        recipe=matrix_recipe(),
    )  # fmt: skip
    phrases = replace(run, recipe=Recipe(phrase_list=("table_salt", "plate_tom"), min_df=1))
    chance = random.Random(1)
    words = [*run.vocabulary[:40], "new", "York", "tom,", "(nasa)", "Solid", "state.", "the"]
    texts = [*TEXTS, *(" ".join(chance.choices(words, k=6)) for _ in range(30))]
    signs = replace(run, recipe=Recipe(token_pattern=SIGN_PATTERN, phrase_list=("机_器",)))
    texts += ["机器学习 and AI技术", "東京タワーへ行きました", "GPUの速度, tom's 机"]
    for model in (run, matrix, phrases, signs):
        page = open_page(explorer_bytes(model, "m"))
        for text in texts:
            tokens, unknown = model.parse(text)
            found = page.evaluate(
                """text => {
                  const data = JSON.parse(document.getElementById('data').textContent);
                  const number = new Map(data.vocabulary.map((word, token) => [word, token]));
                  return OrreryText.parse(data.recipe, number, text);
                }""",
                text,
            )
            assert (found["tokens"], found["unknown"]) == (tokens.tolist(), unknown), text


def test_typing_finding_and_walking(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    page.get_by_label("Your words").fill("table salt plate")
    page.locator("svg g.topic.on").first.wait_for()
    page.locator("svg g.topic.on").first.click()
    page.get_by_role("heading", level=1).wait_for()
    page.locator(".columns section", has_text="Below").locator("a").first.click()
    page.locator(".path a", has_text="Answer").click()
    page.locator("svg g.word.present").first.wait_for()
    page.get_by_label("Find a topic or word").fill("river")
    page.locator("#found a", has_text="word").first.click()
    page.get_by_role("heading", level=1, name="river").wait_for()
    page.reload()
    page.get_by_role("heading", level=1, name="river").wait_for()


def test_hidden_topics_are_counted_and_left_out(open_page: OpenPage) -> None:
    run = sample(Overlay(hidden=frozenset(["L2.1"])))
    page = open_page(explorer_bytes(run, "sample"))
    found = answer(page, "table salt plate")
    assert "L2.1" in dict(found["topics"])
    assert page.locator('svg [data-key="topic:L2.1"]').count() == 0
    assert page.locator(".keys", has_text="+1 hidden").count() == 1


def test_topics_shown_as_one_have_one_box(open_page: OpenPage) -> None:
    run = sample(Overlay(merged={"L1.12": "L1.22"}))
    page = open_page(explorer_bytes(run, "sample"))
    found = dict(answer(page, "table salt plate")["topics"])
    assert page.locator('svg [data-key="topic:L1.12"]').count() == 0
    box = page.locator('svg [data-key="topic:L1.22"]')
    either = 1 - (1 - found["L1.12"]) * (1 - found["L1.22"])
    assert figures(either) in (box.text_content() or "")
    page.evaluate("location.hash = '#topic=L1.12'")
    page.locator(".sentence", has_text="L1.22").wait_for()


@pytest.mark.parametrize("kind", ["explorer", "html", "report", "svg"])
def test_names_that_look_like_markup_stay_text(open_page: OpenPage, kind: str) -> None:
    run = sample(Overlay(dict.fromkeys(sample().network.graph.topic_ids, EVIL)))
    (data,) = export_files(run, kind, "page").values()
    if kind == "svg":
        data = b"<!doctype html><title></title>" + data
    page = open_page(data)
    before = page.title()
    if kind == "explorer":
        page.get_by_label("Your words").fill(f"table salt {EVIL}")
        page.locator("svg g.topic").first.wait_for()
        page.get_by_label("Find a topic or word").fill("<img")
        page.locator("#found a").first.click()
        page.get_by_role("heading", level=1, name="<img src=x").wait_for()
    if kind == "html":
        page.get_by_label("Find a topic").fill("<img")
        page.keyboard.press("Enter")
        page.locator("#card h2", has_text="<img src=x").wait_for()
    assert page.locator("img").count() == 0
    assert page.title() == before


def test_the_picture_of_topics_is_searched_by_word_and_id(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(export_files(run, "html", "page")["page"])
    for wanted in ("L1.3", "wind"):
        page.get_by_label("Find a topic").fill(wanted)
        page.keyboard.press("Enter")
        page.locator("#card h2", has_text="wind · sea · rain").wait_for()
        assert page.evaluate("orrery.network.getSelectedNodes()") == ["L1.3"]
    page.locator("#card button", has_text="river").click()
    page.locator("#card h2", has_text="river · flood · water").wait_for()


def test_the_picture_of_topics_is_walked_by_keys(open_page: OpenPage) -> None:
    page = open_page(export_files(sample(), "html", "page")["page"])
    page.get_by_role("button", name="Fit").focus()
    page.keyboard.press("Tab")
    assert "64 topics" in page.evaluate("document.activeElement.ariaLabel")
    said = page.locator("#said[aria-live]")
    heard = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        heard.add(said.text_content())
        assert page.locator("#card h2").text_content() in said.text_content()
    assert len(heard) > 2
    page.keyboard.press("Tab")
    link = page.evaluate("document.activeElement.textContent")
    assert page.locator("#card .line button").first.text_content() == link
    page.keyboard.press("Enter")
    page.locator("#card h2", has_text=link).wait_for()
    # The next link is one step away, not at the other end of the page.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#card') !== null")
