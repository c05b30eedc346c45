"""Open a page of the app without a browser, press its buttons, and read what it shows.

Tests of pages use these functions and none of their own. A file that opens one page many times
names it once: ``opened = partial(open_page, page)``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from google.protobuf.message import Message
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


# Parts of an element that are not for people.
_UNREAD = frozenset({
    "id", "form_id", "js_content", "css_content", "key", "page", "raw_value", "raw_values", "type",
    "url", "user_key", "spec",
})  # fmt: skip
_UNREAD_OF_PICTURES = frozenset({"id", "key", "kind", "from", "to", "switch", "selected"})


def every_string(app: AppTest) -> set[str]:
    """All strings of a page that a person may read: also labels, hints, help and descriptions."""
    return set(_strings_of_block(app._tree))


def _strings_of_block(block: Any) -> Iterator[str]:
    proto = getattr(block, "proto", None)
    if isinstance(proto, Message):
        yield from _strings_of_message(proto)
    for child in getattr(block, "children", {}).values():
        yield from _strings_of_block(child)


def _strings_of_message(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name in _UNREAD:
            continue
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        values = value.values() if is_map else value if field.is_repeated else [value]
        for each in values:
            if isinstance(each, Message):
                yield from _strings_of_message(each)
            elif isinstance(each, str) and field.name in ("json", "columns"):
                yield from _strings_of_json(json.loads(each))
            elif isinstance(each, str):
                yield each


def _strings_of_json(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            if name not in _UNREAD_OF_PICTURES and name not in _UNREAD:
                yield from _strings_of_json(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings_of_json(each)
