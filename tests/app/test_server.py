"""Page of a browser before the app has loaded: Streamlit's page with a loading sign."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest
import streamlit
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message

from orrery.app import server
from orrery.app.shell import strings as shell_strings

PARTS = re.compile(r'(?:src|href)="([^"]*)"')


def test_the_opening_page_is_streamlits_with_a_sign_title_and_icon_of_ours() -> None:
    theirs = Path(streamlit.__file__).with_name("static").joinpath("index.html").read_text("utf-8")
    ours = server.opening_page()
    gone = set(PARTS.findall(theirs)) - set(PARTS.findall(ours))
    assert gone == {"./favicon.png"}
    (added,) = set(PARTS.findall(ours)) - set(PARTS.findall(theirs))
    assert added.startswith("data:image/svg+xml")
    assert f"<title>{shell_strings.APP}</title>" in ours
    sign = ours.partition('<div id="root"></div>')[2]
    assert 'id="opening"' in sign
    assert shell_strings.OPENING in sign
    assert "<svg" in sign
    assert not re.search(r"\{\w+\}", sign)


@pytest.mark.parametrize("kind", ["text/html", "image/png"])
def test_a_page_shows_no_image_from_elsewhere(kind: str) -> None:
    assert server.OwnImagesOnly in [guard.cls for guard in server.guards()]
    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    answer = server.OwnImagesOnly(Response("", media_type=kind))
    asyncio.run(answer({"type": "http"}, keep, keep))
    policy = Headers(scope=sent[0]).get("content-security-policy", "")
    assert bool(policy) == (kind == "text/html")
    for rule in filter(None, policy.split("; ")):
        loaded, *sources = rule.split()
        assert loaded in ("img-src", "media-src", "font-src")
        assert set(sources) <= {"'self'", "data:", "blob:"}


def test_what_is_loaded_is_not_looked_through_for_garbage_after_each_run_of_a_page() -> None:
    code = (
        "import gc; from orrery.app import server; server.SECONDS_OF_FIRST_PAGE = 0; "
        "server.processes.start_compilation = lambda: None; server.load_pages(); "
        "print(gc.get_freeze_count(), len(gc.get_objects()))"
    )
    reported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded, looked_at = map(int, reported.stdout.split()[-2:])
    assert loaded > 10 * looked_at
