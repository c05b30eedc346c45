"""Server of the app: allowed hosts, the opening page, and loading in the background.

Streamlit's page is empty until its scripts have arrived, a session has begun and Python has
imported the first page. The opening page is Streamlit's page with a loading sign that disappears by
itself.

A server that listens on this machine only accepts requests for local host names only. Otherwise a
website could point its own name to 127.0.0.1 and share an origin with the app (DNS rebinding);
browsers send the name that they requested. Starlette's middleware for allowed hosts takes neither
IPv6 addresses nor a whole network such as 127.0.0.0/8. A server that a network can reach has any
name, and requires a token (`access`).

Starlette comes with Streamlit, whose `App` accepts its routes.
"""

from __future__ import annotations

import gc
import os
import socket
import threading
import webbrowser
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from orrery.app.access import MAY_CHANGE, Access, TokenRequired
from orrery.app.shell import strings as shell_strings
from orrery.app.tokens import PARAMETER, TOKEN, VIEW_TOKEN
from orrery.app.workspace import processes
from orrery.core.utils import read_only

ASSETS = files("orrery.assets")
# Parts of Streamlit's page that are replaced.
ICON = '<link rel="shortcut icon" href="./favicon.png" />'
TITLE = "<title>Streamlit</title>"
# Addresses of pages; Streamlit answers all others.
ADDRESSES = ("/", *(f"/{page}" for page in shell_strings.PAGE_TITLES))
# Time in which a browser that was opened with the server has drawn its first page.
SECONDS_OF_FIRST_PAGE = 20.0
# Names from files may be Markdown with images. No image, sound or font is loaded from elsewhere.
POLICY = "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:"
REFUSED = (
    "Orrery accepts requests from this machine only: use localhost or 127.0.0.1. A proxy has to "
    "send one of them as the host."
)


def is_own(name: str) -> bool:
    """Whether a name or address always denotes this machine."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def name_in(host: str) -> str:
    """Name in a ``Host`` header without its port, or ""."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class LocalHostsOnly:
    """Middleware that refuses requests and sockets for other host names."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with status 403."""
        is_request = scope["type"] in ("http", "websocket")
        if is_request and not is_own(name_in(Headers(scope=scope).get("host", ""))):
            await PlainTextResponse(REFUSED, status_code=403)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


class OwnImagesOnly:
    """Middleware that forbids pages to load images, sounds and fonts from elsewhere."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the policy to a page without one."""

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Security-Policy", POLICY)
            await send(message)

        await self.app(scope, receive, send_with_policy)


def opening_page() -> str:
    """Streamlit's page with the title and icon of Orrery, and a sign until the app has loaded."""
    page = Path(st.__file__).with_name("static").joinpath("index.html").read_text("utf-8")
    logo = ASSETS.joinpath("brand/logo.svg").read_bytes()
    icon = f'<link rel="icon" href="data:image/svg+xml;base64,{b64encode(logo).decode()}">'
    sign = ASSETS.joinpath("app/opening.html").read_text("utf-8")
    sign = sign.replace("{logo}", logo.decode()).replace("{opening}", shell_strings.OPENING)
    sign = sign.replace("{opening_long}", shell_strings.OPENING_LONG)
    page = page.replace(ICON, icon).replace(TITLE, f"<title>{shell_strings.APP}</title>")
    return page.replace("</body>", f"{sign}</body>")


def load_pages() -> None:
    """Import the pages: the first one at once, the others after it; then compile kernels elsewhere.

    The others wait until the first page has been drawn, which would share the interpreter with
    their imports, or until it is clear that nobody is waiting for it.
    """
    navigation = import_module("orrery.app.navigation")
    import_module("orrery.app.views.query.page")
    navigation.FIRST_PAGE_DRAWN.wait(SECONDS_OF_FIRST_PAGE)
    for page in shell_strings.PAGE_TITLES:
        import_module(f"orrery.app.views.{page}.page")
    # Streamlit runs a garbage collection after every page, during which the server sends nothing.
    # Most present objects are modules, which live as long as the server; the others are still freed
    # by reference counting, except in cycles.
    gc.collect()
    gc.freeze()
    processes.start_compilation()


def send_at_once() -> None:
    """Let the server send the end of an answer without waiting for a receipt of its beginning.

    Streamlit opens a socket for which asyncio does not see to this. The operating system would wait
    for up to 40 ms, for each file and each change of a page. Connections have the option from the
    socket that accepts them.
    """
    # The app works without it, so a system that gives no list of connections does not matter.
    with suppress(psutil.Error, OSError):
        for connection in psutil.Process().net_connections("tcp"):
            # Windows does not give the number of the socket.
            if connection.status == psutil.CONN_LISTEN and connection.fd >= 0:
                with socket.socket(fileno=os.dup(connection.fd)) as accepting:
                    accepting.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@asynccontextmanager
async def ready(_app: st.App) -> AsyncIterator[None]:
    """Start to load pages, and open a browser window unless the server is headless."""
    send_at_once()
    threading.Thread(target=load_pages, name="loading", daemon=True).start()
    if not st.get_option("server.headless"):
        # The socket is already open; the browser waits in its queue until the server is ready.
        host, port = st.get_option("browser.serverAddress"), st.get_option("server.port")
        token = f"/?{PARAMETER}={ACCESS.token_for_once()}" if ACCESS else ""
        threading.Thread(target=webbrowser.open, args=(f"http://{host}:{port}{token}",)).start()
    yield
    processes.stop_compilation()


PAGE = opening_page()
ADDRESS = st.get_option("server.address") or ""
ACCESS = None
if os.environ.get(TOKEN):
    ACCESS = Access(os.environ[TOKEN], os.environ.get(VIEW_TOKEN, ""))
if ACCESS is not None and ACCESS.has_viewers:
    read_only.exempt(lambda: st.context.headers.get(MAY_CHANGE) == "1")


async def opening(_request: Request) -> HTMLResponse:
    """Return the page; browsers must not cache it, because another version has another page."""
    return HTMLResponse(PAGE, headers={"Cache-Control": "no-cache"})


def guards() -> list[Middleware]:
    """Middleware that decides which requests reach Streamlit, and what its pages may load."""
    hosts = [Middleware(LocalHostsOnly)] if is_own(ADDRESS) else []
    hosts.append(Middleware(OwnImagesOnly))
    if ACCESS is None:
        return hosts
    port = st.get_option("server.port")
    return [*hosts, Middleware(TokenRequired, access=ACCESS, pages=ADDRESSES, port=port)]


app = st.App(
    Path(__file__).with_name("main.py"),
    lifespan=ready,
    routes=[Route(address, opening) for address in ADDRESSES],
    middleware=guards(),
)
