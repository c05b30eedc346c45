"""What-if in the offline explorer: words switched, topics held, two queries beside each other."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from orrery.core.drawing import strings as drawing_strings
from orrery.core.export.explorer import explorer_bytes
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from tests.browser.conftest import OpenPage
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
        assert f"set {state}" in (box(page, "topic:L1.3").text_content() or "")
        assert box(page, "topic:L1.3").locator("circle.pin").count() == 1
        # No box moves; one that was quiet may come.
        now = centres(page)
        assert {key: now.get(key) for key in places} == places
    titles = topics(page).evaluate_all("all => all.map(g => g.getAttribute('aria-label'))")
    assert all("before your switches: " in title for title in titles)
    was = f"before your switches: {free.probability[free.position(topic)]:.2f}".replace(
        "1.00", ">0.99"
    )
    assert was in (box(page, "topic:L1.3").get_attribute("aria-label") or "")
    box(page, "topic:L1.3").press(" ")
    page.wait_for_function("!location.hash.includes('hold')")
    # The key is still where it was pressed.
    assert page.evaluate(FOCUSED) == "topic:L1.3"
    answers(page, q="bank river", hold="L1.3:off,L1.14:on,nothing:on", sel="topic:L1.3")
    assert page.locator(".hand .plain").count() == 2
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
        assert address(page)["q"] == written
        assert page.get_by_label("Your words").input_value() == written
    page.get_by_role("button", name="absent", exact=True).click()
    switched(page, "absent").wait_for()
    evidence = Evidence(tokens(run, "bank"), tokens(run, "river"), closed_world=False)
    assert_equal(run, infer(run.network, evidence), shown(page)[0])


def test_two_queries_stand_beside_each_other(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(explorer_bytes(run, "sample"))
    page.get_by_label("Your words").fill("bank river")
    page.get_by_role("button", name="Compare").click()
    page.get_by_label("Words to compare with").fill("bank money loan")
    page.locator("svg .zone").first.wait_for()
    assert address(page) == {"q": "bank river", "q2": "bank money loan"}
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

    words = [box(page, f"word:{word}").count() for word in ("bank", "river", "money")]
    assert words == [1, 1, 1]
    keys = ("word:river", "topic:L1.3", "word:bank", "word:money", "topic:L1.14")
    assert [zone_of(key) for key in keys] == [0, 0, 1, 2, 2]
    # A word that both have is switched in both.
    box(page, "word:bank").click(modifiers=["Shift"])
    page.wait_for_function("location.hash.includes('q2=-bank')")
    assert address(page) == {"q": "-bank river", "q2": "-bank money loan"}
    page.get_by_role("button", name="Close the second query").click()
    page.wait_for_function("!location.hash.includes('q2')")
    assert page.locator("svg .zone").count() == 0


def test_the_senses_of_a_word_are_offered(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(), "sample"))
    answers(page, q="program")
    names = page.locator(".senses button").all_text_contents()
    assert len(names) > 1
    page.locator(".senses button").nth(1).click()
    page.locator(".hand", has_text=names[1]).wait_for()
    assert topics(page).filter(has=page.locator("circle.pin"), has_text="set on").count() == 1
