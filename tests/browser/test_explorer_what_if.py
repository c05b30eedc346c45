"""What-if in the offline explorer: words switched, topics held, two queries beside each other."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from orrery.core.drawing import strings as drawing_strings
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from tests.browser.conftest import OpenPage
from tests.browser.driving import read_until
from tests.browser.explorer import answers, assert_equal, box, shown, standing, tokens, topics
from tests.core.export.models import sample

pytestmark = pytest.mark.browser
# Key of the box that the keys go to.
FOCUSED = "document.activeElement.shadowRoot.activeElement.dataset.key"
MEANING = drawing_strings.LEGEND_STATES


def switched(page, state: str):
    """Return the box of the word "river" once it has a state."""
    label = f"river, {MEANING[state]}"
    return page.locator(
        f'.node[data-key="word:river"]:is([aria-label="{label}"], [aria-label^="{label}, "])'
    )


def centres(page) -> dict[str, list[float]]:
    """Return the centre of each box: a box that is switched on grows in its place."""
    sides = standing(page).items()
    return {key: [round(x + right), round(y + bottom)] for key, (x, y, right, bottom) in sides}


def address(page) -> dict[str, str]:
    """Return what stands behind the hash of the page's address."""
    fields = parse_qs(page.url.partition("#")[2], keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}


def test_a_topic_is_held_switched_and_set_free(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    words, topic = tokens(run, "bank river"), run.network.graph.topic_ids.index("L1.3")
    free = infer(run.network, Evidence(words, closed_world=False))
    answers(page, q="bank river")
    places = centres(page)
    # It was on: first its contrary, then set on, then free again.
    for state in ("off", "on"):
        box(page, "topic:L1.3").click(modifiers=["Shift"])
        page.wait_for_function("state => location.hash.includes('hold=L1.3%3A' + state)", arg=state)
        evidence = Evidence(words, closed_world=False, **{state: (topic,)})
        assert_equal(run, infer(run.network, evidence), shown(page)[0])
        expect(box(page, "topic:L1.3")).to_contain_text(f"set {state}")
        expect(box(page, "topic:L1.3").locator("circle.pin")).to_have_count(1)
        # No box moves; one that was quiet may come.
        now = centres(page)
        assert {key: now.get(key) for key in places} == places
    titles = topics(page).evaluate_all("all => all.map(g => g.getAttribute('aria-label'))")
    assert all("before your switches: " in title for title in titles)
    was = f"before your switches: {free.probability[free.position(topic)]:.2f}".replace(
        "1.00", ">0.99"
    )
    expect(box(page, "topic:L1.3")).to_have_attribute("aria-label", re.compile(re.escape(was)))
    box(page, "topic:L1.3").press(" ")
    page.wait_for_function("!location.hash.includes('hold')")
    shown(page)
    # The key is still where it was pressed.
    assert page.evaluate(FOCUSED) == "topic:L1.3"
    answers(page, q="bank river", hold="L1.3:off,L1.14:on,nothing:on", sel="topic:L1.3")
    expect(page.locator(".hand .plain")).to_have_count(2)
    page.get_by_role("button", name="automatic", exact=True).click()
    page.wait_for_function("!location.hash.includes('L1.3%3A')")
    page.get_by_role("button", name="Undo all").click()
    page.wait_for_function("!location.hash.includes('hold')")
    assert_equal(run, free, shown(page)[0])


def test_a_word_is_switched_in_a_circle(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    answers(page, q="bank river", sel="word:river")
    for written, state in (
        ("bank -river", "absent"),
        ("bank ?river", "unknown"),
        ("bank river", "present"),
    ):
        box(page, "word:river").click(modifiers=["Shift"])
        switched(page, state).wait_for()
        read_until(page, lambda: address(page)["q"], lambda found, asked=written: found == asked)
        expect(page.get_by_label("Your words")).to_have_value(written)
    page.get_by_role("button", name="absent", exact=True).click()
    switched(page, "absent").wait_for()
    evidence = Evidence(tokens(run, "bank"), tokens(run, "river"), closed_world=False)
    assert_equal(run, infer(run.network, evidence), shown(page)[0])


def test_a_new_query_has_neither_the_selection_nor_the_switches_of_another(
    open_page: OpenPage,
) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    answers(page, q="bank river", hold="L1.3:off", sel="topic:L1.3")
    page.get_by_label("Your words").fill("bank money")
    read_until(
        page, lambda: address(page), lambda found: found == {"q": "bank money", "hold": "L1.3:off"}
    )
    page.get_by_label("Your words").fill("salt")
    read_until(page, lambda: address(page), lambda found: found == {"q": "salt"})
    # Stop words are no words of both, and a second query alone frees nothing.
    answers(page, q="the bank", hold="L1.3:off")
    page.get_by_label("Your words").fill("the salt")
    read_until(page, lambda: address(page), lambda found: found == {"q": "the salt"})
    answers(page, q2="bank", hold="L1.3:off")
    page.get_by_label("Words to compare with").fill("salt")
    expected = {"q2": "salt", "hold": "L1.3:off"}
    read_until(page, lambda: address(page), lambda found: found == expected)


def test_two_queries_stand_beside_each_other(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    page.get_by_label("Your words").fill("bank river")
    page.get_by_role("button", name="Compare").click()
    page.get_by_label("Words to compare with").fill("bank money loan")
    page.locator("svg .zone").first.wait_for()
    asked = {"q": "bank river", "q2": "bank money loan"}
    read_until(page, lambda: address(page), lambda found: found == asked)
    for query, found in zip(("bank river", "bank money loan"), shown(page), strict=True):
        evidence = Evidence(tokens(run, query), closed_world=False)
        assert_equal(run, infer(run.network, evidence), found)
    page.locator("text=Both contain “bank”").wait_for()
    zones = [zone.bounding_box() for zone in page.locator("svg .zone rect").all()]

    def zone_of(key: str) -> int:
        place = box(page, key).bounding_box()
        return [
            zone["x"] <= place["x"] and place["x"] + place["width"] <= zone["x"] + zone["width"]
            for zone in zones
        ].index(True)

    for word in ("bank", "river", "money"):
        expect(box(page, f"word:{word}")).to_have_count(1)
    keys = ("word:river", "topic:L1.3", "word:bank", "word:money", "topic:L1.14")
    assert [zone_of(key) for key in keys] == [0, 0, 1, 2, 2]
    # A word that both have is switched in both.
    box(page, "word:bank").click(modifiers=["Shift"])
    denied = {"q": "-bank river", "q2": "-bank money loan"}
    read_until(page, lambda: address(page), lambda found: found == denied)
    page.get_by_role("button", name="Close the second query").click()
    page.wait_for_function("!location.hash.includes('q2')")
    expect(page.locator("svg .zone")).to_have_count(0)


def test_the_senses_of_a_word_are_offered(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    answers(page, q="program")
    page.locator(".senses button").nth(1).wait_for()
    names = page.locator(".senses button").all_text_contents()
    page.locator(".senses button").nth(1).click()
    page.locator(".hand", has_text=names[1]).wait_for()
    held = topics(page).filter(has=page.locator("circle.pin"), has_text="set on")
    expect(held).to_have_count(1)
