"""A server for this machine alone answers to the names of this machine alone.

A page elsewhere can let its own name lead to 127.0.0.1 and so be of one origin with the app (DNS
rebinding). Browsers send the name that they asked for.

The app's server: what a browser shows before the app is there, and what is loaded meanwhile.

Streamlit's own page is empty until its scripts have come, a session has begun and Python has
imported what the first page needs. Ours is that page with a sign on it that goes by itself.
(Starlette comes with Streamlit, whose `App` takes its routes.)
"""

from __future__ import annotations

import gc
import threading
import webbrowser
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from orrery.app.shell import strings as shell_strings

REFUSED = (
    "Orrery listens to this machine alone: ask for localhost or 127.0.0.1. A proxy has to pass one "
    "of them as the host."
)


def is_own(name: str) -> bool:
    """Whether a name or address is this machine's own, wherever it is asked for."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def name_in(host: str) -> str:
    """The name in a ``Host`` header, without its port; empty where it has none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class OwnNamesOnly:
    """Refuses requests and sockets that were asked for under another name."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or answer with 403."""
        is_asked = scope["type"] in ("http", "websocket")
        if is_asked and not is_own(name_in(Headers(scope=scope).get("host", ""))):
            await PlainTextResponse(REFUSED, status_code=403)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


ASSETS = files("orrery.assets")
ICON = '<link rel="shortcut icon" href="./favicon.png" />'
TITLE = "<title>Streamlit</title>"
# Where pages are opened; any other address is for Streamlit to answer.
ADDRESSES = ("/", *(f"/{page}" for page in shell_strings.PAGE_TITLES))


def opening_page() -> str:
    """Streamlit's page with our title and icon, and a sign until the app is there."""
    page = Path(st.__file__).with_name("static").joinpath("index.html").read_text("utf-8")
    logo = ASSETS.joinpath("brand/logo.svg").read_bytes()
    icon = f'<link rel="icon" href="data:image/svg+xml;base64,{b64encode(logo).decode()}">'
    sign = ASSETS.joinpath("app/opening.html").read_text("utf-8")
    sign = sign.replace("{logo}", logo.decode()).replace("{opening}", shell_strings.OPENING)
    sign = sign.replace("{opening_long}", shell_strings.OPENING_LONG)
    page = page.replace(ICON, icon).replace(TITLE, f"<title>{shell_strings.APP}</title>")
    return page.replace("</body>", f"{sign}</body>")


def load_pages() -> None:
    """Import what pages are made of and make queries ready, before the first visitor asks."""
    for page in shell_strings.PAGE_TITLES:
        import_module(f"orrery.app.views.{page}.page")
    _set_aside()
    import_module("orrery.app.shell.loaders").warm_up().join()
    _set_aside()


def _set_aside() -> None:
    """Spare what is loaded the search for garbage, which Streamlit makes after every run of a page.

    Nothing is sent while that goes on. What is loaded stays as long as the server; what else is
    there at this moment is freed when nothing refers to it, but not out of a circle.
    """
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def ready(_app: st.App) -> AsyncIterator[None]:
    """Begin to load, and open a browser window where one is wanted."""
    threading.Thread(target=load_pages, name="loading", daemon=True).start()
    if not st.get_option("server.headless"):
        # The socket listens already; the browser waits in its queue until all is set up.
        host, port = st.get_option("browser.serverAddress"), st.get_option("server.port")
        threading.Thread(target=webbrowser.open, args=(f"http://{host}:{port}",)).start()
    yield


PAGE = opening_page()
ADDRESS = st.get_option("server.address") or ""


async def opening(_request: Request) -> HTMLResponse:
    """Answer with the page; the browser asks anew each time, for the next version has another."""
    return HTMLResponse(PAGE, headers={"Cache-Control": "no-cache"})


app = st.App(
    Path(__file__).with_name("main.py"),
    lifespan=ready,
    routes=[Route(address, opening) for address in ADDRESSES],
    # Whoever opens the app to a network calls it by any name.
    middleware=[Middleware(OwnNamesOnly)] if is_own(ADDRESS) else [],
)
