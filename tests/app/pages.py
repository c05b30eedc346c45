"""A page opened at an address, as a visitor would find it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamlit.testing.v1 import AppTest


def open_page(
    page: Callable[[], None],
    /,
    *,
    session: Mapping[str, Any] | None = None,
    **address: str | list[str],
) -> AppTest:
    """Run a page to its end at parameters of the address, with what the session remembers."""
    app = AppTest.from_function(page, default_timeout=120)
    for name, value in address.items():
        app.query_params[name] = value
    for name, value in (session or {}).items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app
