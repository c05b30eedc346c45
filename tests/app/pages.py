"""Open a page of the app without a browser, press its buttons, and read what it shows.

Tests of pages use these functions and none of their own. A file that opens one page many times
names it once: ``opened = partial(open_page, page)``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tests.conftest import ROOT

# Seconds for one page, on a machine that does other things too.
PATIENCE = 120
# Components that show nothing.
UNSEEN = ("orrery_completion", "orrery_scroll")
# Elements of a page that are text.
TEXTS = ("caption", "info", "warning", "error", "markdown", "subheader", "html")


def open_page(
    page: Callable[[], None],
    /,
    *,
    session: Mapping[str, Any] | None = None,
    **address: str | list[str],
) -> AppTest:
    """Run a page to its end at parameters of the address, with what the session remembers."""
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    for name, value in address.items():
        app.query_params[name] = value
    for name, value in (session or {}).items():
        app.session_state[name] = value
    return run(app)


def open_app(page: str | None = None, /, **address: str | list[str]) -> AppTest:
    """Run the whole app to its end, at one of its pages; at the page it begins with if None."""
    return run(whole_app(page, address))


def whole_app(page: str | None, address: Mapping[str, str | list[str]]) -> AppTest:
    """The app with all that surrounds its pages, at one of them; not yet run."""
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=PATIENCE)
    if page is not None:
        app._page_hash = calc_hash(page)
    for name, value in address.items():
        app.query_params[name] = value
    return app


def run(app: AppTest) -> AppTest:
    """Run a page to its end, which raises nothing."""
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, name: str) -> AppTest:
    """Press the first button with this key or label, and run the page."""
    next(button for button in app.button if name in (button.key, button.label)).click()
    return run(app)


def shown_text(app: AppTest) -> str:
    """All text of a page: headings, Markdown, captions, messages, HTML, and texts of pictures."""
    texts = [str(element.value) for kind in TEXTS for element in app.get(kind)]
    pictured = [json.loads(proto.json).get("said", "") for proto in pictures(app)]
    return " ".join([*texts, *filter(None, pictured)])


def as_read(app: AppTest) -> str:
    """Text of the page without the backslashes that escape Markdown."""
    return shown_text(app).replace("\\", "")


def pictures(app: AppTest) -> list[Any]:
    """Components that show something, in the order of the page."""
    found = [element.proto for element in app.get("bidi_component")]
    return [proto for proto in found if proto.component_name not in UNSEEN]
