"""A server for this machine alone answers to the names of this machine alone.

A page elsewhere can let its own name lead to 127.0.0.1 and so be of one origin with the app (DNS
rebinding). Browsers send the name that they asked for.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

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
