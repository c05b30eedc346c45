"""Every page in windows of four widths, light and dark: nothing cut, covered, pale or scrolling."""

from __future__ import annotations

import io
from itertools import product
from urllib.request import urlopen

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from orrery.app import server
from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.core.drawing.style import contrast
from tests.browser.appearance import OF_EVERY_PAGE, SCHEMES, WIDTHS, faults_of, wait_for_scheme
from tests.browser.conftest import Window
from tests.browser.driving import read_until, resize

pytestmark = pytest.mark.browser
HEIGHT = 900
# Each page as it opens, and what else the larger ones can show.
PLACES = [
    *shell_strings.PAGE_TITLES,
    "query?q=space+shuttle&sel=topic:L1.11",
    "query?q=program+star&q2=program+memory",
    "graph?topic=L1.3",
    "graph?topic=L1.1&to=L1.10",
    "documents?doc=n007&palette=blue-orange",
    "groups?by=year&periods=decade&view=course",
    "groups?view=one&group=law",
]


def hold_what_is_drawn(socket: WebSocketRoute) -> None:
    """Let a browser hear that a page is being drawn, and no more."""
    server_side = socket.connect_to_server()
    held: list[str | bytes] = []

    def pass_on(message: str | bytes) -> None:
        assert isinstance(message, bytes)
        if held or ForwardMsg.FromString(message).WhichOneof("type") == "delta":
            held.append(message)
        else:
            socket.send(message)

    server_side.on_message(pass_on)


def test_every_page_is_whole_and_can_be_read(demo: tuple[str, Window]) -> None:
    url, window = demo
    faults = {}
    for place in PLACES:
        window.show(f"{url}/{place}")
        for (width, _), scheme in OF_EVERY_PAGE:
            window.page.set_viewport_size({"width": width, "height": HEIGHT})
            window.page.emulate_media(color_scheme=scheme)
            wait_for_scheme(window.page, scheme)
            faults[place, width, scheme] = faults_of(window.page)
    assert {state: found for state, found in faults.items() if found} == {}


def test_what_is_pointed_at_or_was_clicked_can_be_read(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    faults = {}
    for place in ("home", "groups?view=one&group=law"):
        window.show(f"{url}/{place}")
        main = page.locator("[data-testid=stMain]")
        kinds = "[data-testid=stBaseButton-primary], [role=radio], [data-testid=stButton] button"
        # One of each look.
        buttons = {button.get_attribute("class"): button for button in main.locator(kinds).all()}
        assert buttons
        for (look, button), scheme in product(buttons.items(), SCHEMES):
            page.emulate_media(color_scheme=scheme)
            wait_for_scheme(page, scheme)
            for act in (button.hover, button.focus):
                act()
                faults[place, look, scheme] = faults_of(page)
    assert {state: found for state, found in faults.items() if found} == {}


def test_the_form_that_keeps_a_view_can_be_read(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    window.show(f"{url}/query?q=space+shuttle")
    page.get_by_role("button", name=shared_strings.KEEP).click()
    page.get_by_role("button", name=shared_strings.KEEP_IT, exact=True).wait_for()
    faults = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        wait_for_scheme(page, scheme)
        faults[scheme] = [fault for fault in faults_of(page) if fault.startswith("contrast")]
    assert faults == {scheme: [] for scheme in SCHEMES}


def test_the_button_that_keeps_a_view_lies_on_no_warning(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    button, warnings = page.locator(".st-key-keep-view button"), page.get_by_test_id("stAlert")
    for address, count in (("corpus=gone&run=gone-07&", 2), ("run=gone-07&", 1), ("", 0)):
        window.show(f"{url}/query?{address}q=space")
        expect(warnings).to_have_count(count)
        for width in WIDTHS:
            resize(page, width, HEIGHT)
            # Level with the headline, and below all that stands above it.
            read_until(
                page,
                lambda: (button.bounding_box(), page.locator("h1").bounding_box()),
                lambda found: all(found) and -5 < found[0]["y"] - found[1]["y"] < 15,
            )
            if count:
                last = warnings.last.bounding_box()
                assert last["y"] + last["height"] < button.bounding_box()["y"], (address, width)


def test_every_address_begins_with_the_sign(demo: tuple[str, Window]) -> None:
    url, _ = demo
    for address in server.ADDRESSES:
        with urlopen(f"{url}{address}", timeout=30) as answer:
            assert answer.read().decode("utf-8") == server.opening_page()
            assert answer.headers["Cache-Control"] == "no-cache"


def test_a_page_that_is_slow_to_draw_offers_no_stop(demo: tuple[str, Window]) -> None:
    url, window = demo
    window.page.route_web_socket("**/stream", hold_what_is_drawn)
    window.page.goto(f"{url}/home")
    # Streamlit's own, for the script of the page; who waits for a run would take it for the run's.
    streamlits = window.page.get_by_test_id("stStatusWidget").get_by_text("Stop")
    streamlits.wait_for(state="attached")
    # Not waited for: it goes by itself when the page is drawn.
    assert window.page.get_by_role("button", name="Stop").count() == 0
    assert streamlits.count() == 1


def test_the_word_orrery_stands_out(demo: tuple[str, Window]) -> None:
    url, window = demo
    window.page.goto(f"{url}/home")
    window.wait_until_still()
    for scheme in SCHEMES:
        window.page.emulate_media(color_scheme=scheme)
        wait_for_scheme(window.page, scheme)
        read_until(window.page, lambda: contrast_of_word(window), lambda found: found >= 4.5)


def contrast_of_word(window: Window) -> float:
    """Contrast of the name of the app with the ground of the sidebar."""
    logo = Image.open(io.BytesIO(window.page.get_by_test_id("stSidebarLogo").screenshot()))
    # The picture stands before the word.
    word = np.asarray(logo.convert("RGB"))[:, logo.width // 2 :].reshape(-1, 3)
    ground = Image.fromarray(word[None]).getcolors(len(word))
    behind = max(ground)[1]
    farthest = word[np.abs(word.astype(int) - behind).sum(axis=1).argmax()]
    return contrast(*("#{:02X}{:02X}{:02X}".format(*c) for c in (farthest, behind)))
