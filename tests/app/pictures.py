"""What a page has drawn."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest


def pictures(app: AppTest) -> list[Any]:
    """Components that show something, in the order of the page; not the library they draw with."""
    found = [element.proto for element in app.get("bidi_component")]
    return [proto for proto in found if proto.component_name != "orrery_library"]
