"""Systems are compared from the page: chosen, watched, and read beside each other."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from orrery.app.views.evaluate import strings
from orrery.core.baselines.registry import find_system
from orrery.core.evaluation.metrics import COMPARED
from tests.browser.conftest import Window

pytestmark = pytest.mark.browser
TITLES = [find_system(name).title for name in ("lda", "bernoulli-lda")]


def test_systems_are_compared_by_a_click(own_demo: tuple[str, Window]) -> None:
    url, window = own_demo
    page = window.page
    page.goto(f"{url}/evaluate")
    window.wait_until_still()
    form = page.locator(".st-key-systems-form")
    # Our own takes the longest, and is trained by other tests.
    form.get_by_text("Orrery").locator("..").get_by_role("button").click()
    form.get_by_role("spinbutton", name=strings.SYSTEMS_TOPICS).fill("2")
    page.get_by_role("button", name=strings.BEGIN, exact=True).click()
    page.locator(".st-key-systems-watch").get_by_text("of 2. You can leave this page.").wait_for()
    page.get_by_text(strings.ALIKE, exact=True).wait_for()
    window.wait_until_still()
    page.get_by_role("button", name=strings.AGAIN, exact=True).wait_for()
    # The form keeps the request so that it can be repeated.
    expect(form.get_by_role("spinbutton", name=strings.SYSTEMS_TOPICS)).to_have_value("2")
    # The tables of the comparison are the last ones.
    tables = page.get_by_test_id("stDataFrame")
    count = tables.count()
    for number, column in ((count - 2, COMPARED[0].heading), (count - 1, TITLES[1])):
        table = tables.nth(number)
        table.scroll_into_view_if_needed()
        table.locator("th", has_text=column).wait_for(state="attached")
    window.look("10-systems")
