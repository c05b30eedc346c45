"""A page opened at an address, as a visitor would find it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tests.conftest import ROOT

# Seconds for one page, on a machine that does other things too.
PATIENCE = 120


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
    app.run()
    assert not app.exception
    return app


def whole_app(page: str, address: Mapping[str, str | list[str]]) -> AppTest:
    """The app with all that stands around its pages, at one of them; not yet run."""
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=PATIENCE)
    app._page_hash = calc_hash(page)
    for name, told in address.items():
        app.query_params[name] = told
    return app
