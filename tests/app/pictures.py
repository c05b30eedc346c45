"""What a page has drawn."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def pictures(app: AppTest) -> list[Any]:
    """Components that show something, in the order of the page; not the library they draw with."""
    found = [element.proto for element in app.get("bidi_component")]
    return [proto for proto in found if proto.component_name != "orrery_library"]


def said_in_pictures(app: AppTest) -> list[str]:
    """What the components of a page say in words of their own."""
    texts = (json.loads(proto.json).get("said", "") for proto in pictures(app))
    return [text for text in texts if text]
