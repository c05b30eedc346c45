"""Access by a token, for a server that others can reach.

A person who opens an address with ``?token=…`` gets a cookie and is redirected to the same address
without the token. Without the cookie, the addresses of pages return a form, and everything else
returns status 403: web socket, uploads, media, static files, health.

- The cookie contains a random value of this start of the server, not the token. Other servers on
  this machine receive it too, because cookies do not depend on the port.
- It is ``SameSite=Lax``: with ``Strict``, a browser does not send it after a click on a link in a
  web mail, nor after the redirect that follows. Lax keeps it out of web sockets and uploads of
  other sites, and nothing else changes the workspace.
- The server knows the SHA-256 of a token only. It compares all of its bytes in constant time.
- A token that is part of an address is in the log of a proxy before this server. The redirect keeps
  it out of the history of the browser, and ``Referrer-Policy`` out of requests to other sites.

`tokens` chooses the tokens.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection
from functools import cache
from html import escape
from importlib.resources import files
from ipaddress import ip_address, ip_network
from urllib.parse import parse_qs, unquote_plus

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .shell import strings
from .tokens import PARAMETER, digest

# Header that this server adds to a request: "1" if the person may change the workspace.
MAY_CHANGE = "x-orrery-may-change"

# Wrong tokens in one period: of one client, and of all. Beyond the second number, a client has a
# single attempt, so that strangers cannot lock out a person who makes no mistake. Behind a proxy
# that hides the addresses of clients, all are one client.
PERIOD_SECONDS = 60.0
MAX_WRONG, MAX_WRONG_OF_ALL = 10, 100
# Networks of IPv6 that one client can choose its addresses from.
IPV6_PREFIX = 64
MAX_FORM_BYTES = 4096
READING = ("GET", "HEAD", "OPTIONS")

_NEVER_KEPT = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_FORM_HEADERS = _NEVER_KEPT | {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
}


class Attempts:
    """Wrong tokens of each client in this period.

    Parameters
    ----------
    clock : callable, optional
        Time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = clock()
        self._wrong: Counter[str] = Counter()
        self._n_wrong = 0

    def are_used_up(self, client: str) -> bool:
        """Whether a client has to wait for the next period."""
        if self._clock() - self._begun >= PERIOD_SECONDS:
            self._begun, self._n_wrong = self._clock(), 0
            self._wrong.clear()
        allowed = MAX_WRONG if self._n_wrong < MAX_WRONG_OF_ALL else 1
        return self._wrong[client] >= allowed

    def count(self, client: str) -> None:
        """Count a wrong token."""
        self._wrong[client] += 1
        self._n_wrong += 1


class Access:
    """Tokens and cookies of one start of the server.

    Parameters
    ----------
    token : str
        Hexadecimal SHA-256 of the token.
    view_token : str, optional
        The same of the token whose holders only view.
    """

    def __init__(self, token: str, view_token: str = "") -> None:
        # Digest of each token, and whether its holders may change the workspace.
        self._tokens = {token.encode(): True}
        if view_token:
            self._tokens[view_token.encode()] = False
        self.has_viewers = bool(view_token)
        self._cookies = {may: secrets.token_urlsafe().encode() for may in self._tokens.values()}
        self._once: set[bytes] = set()
        self.attempts = Attempts()

    def token_for_once(self) -> str:
        """Return a token that is valid once, for the browser that is opened with the server."""
        token = secrets.token_urlsafe()
        self._once.add(digest(token).encode())
        return token

    def rights_of_token(self, token: str) -> bool | None:
        """Whether the holder of a token may change the workspace; None if it is wrong."""
        given = digest(token).encode()
        found = [may for known, may in self._tokens.items() if hmac.compare_digest(given, known)]
        for known in self._once.copy():
            if hmac.compare_digest(given, known):
                self._once.remove(known)
                found.append(True)
        return found[0] if found else None

    def rights_of_cookies(self, values: Collection[str]) -> bool | None:
        """Whether the holder of cookies may change the workspace; None if all are wrong."""
        found = [
            may
            for value in values
            for may, known in self._cookies.items()
            if hmac.compare_digest(value.encode("utf-8", "surrogatepass"), known)
        ]
        return max(found) if found else None

    def cookie(self, may_change: bool) -> str:
        """Value of the cookie."""
        return self._cookies[may_change].decode()


class TokenRequired:
    """Middleware that passes on the requests of persons who have shown a token.

    Parameters
    ----------
    app : ASGI application
    access : Access
    pages : collection of str
        Paths of pages, where the token is accepted and the form is shown.
    port : int
        Part of the name of the cookie.
    """

    def __init__(self, app: ASGIApp, access: Access, pages: Collection[str], port: int) -> None:
        self.app, self.access, self.pages = app, access, frozenset(pages)
        self.cookie_name = f"orrery-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, answer with the form or a redirect, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        may_change = self.access.rights_of_cookies(self._cookies(HTTPConnection(scope)))
        answer = await self._answer(scope, receive, may_change)
        if answer is None:
            MutableHeaders(scope=scope)[MAY_CHANGE] = "1" if may_change else "0"
            await self.app(scope, receive, send)
        else:
            await answer(scope, receive, send)

    async def _answer(
        self, scope: Scope, receive: Receive, may_change: bool | None
    ) -> Response | None:
        """Answer in place of the app; None if the request is passed on."""
        method = scope["method"] if scope["type"] == "http" else "GET"
        if scope["type"] == "http" and scope["path"] in self.pages and method in ("GET", "POST"):
            answer = await self._enter(Request(scope, receive), may_change)
            if answer is not None:
                return answer
        if may_change is None:
            return PlainTextResponse(strings.TOKEN_MISSING, 403, headers=_NEVER_KEPT)
        if not may_change and method not in READING:
            return PlainTextResponse(strings.TOKEN_OF_VIEWERS, 403)
        return None

    def _cookies(self, request: HTTPConnection) -> list[str]:
        """Values of all cookies of this name; a browser may have one for each folder."""
        pairs = ";".join(request.headers.getlist("cookie")).split(";")
        named = (pair.strip().partition("=") for pair in pairs)
        return [value for name, _, value in named if name == self.cookie_name]

    async def _enter(self, request: Request, may_change: bool | None) -> Response | None:
        """Answer to a request for a page; None for a person who has shown the token before."""
        is_form = request.method == "POST"
        token = await _posted(request) if is_form else request.query_params.get(PARAMETER)
        if token is None:
            return _form() if may_change is None else None
        attempts, client = self.access.attempts, _client(request)
        if attempts.are_used_up(client):
            refused = _form(strings.TOKEN_TOO_MANY, 429)
            return refused if may_change is None else _redirect(request)
        granted = self.access.rights_of_token(token)
        if granted is None:
            attempts.count(client)
            return _form(strings.TOKEN_WRONG) if may_change is None else _redirect(request)
        answer = _redirect(request)
        # A person who may change something keeps this right after a link for viewers.
        if may_change and not granted:
            return answer
        # Without a path, the cookie belongs to the folder of the page, which a proxy may have
        # changed.
        answer.set_cookie(
            self.cookie_name,
            self.access.cookie(granted),
            path=None,
            secure=_is_encrypted(request),
            httponly=True,
            samesite="lax",
        )
        return answer


def _form(message: str = "", status: int = 403) -> HTMLResponse:
    waiting = {"Retry-After": str(int(PERIOD_SECONDS))} if status == 429 else {}
    return HTMLResponse(_form_page(message), status, headers=_FORM_HEADERS | waiting)


@cache
def _form_page(message: str) -> str:
    assets = files("orrery.assets")
    page = assets.joinpath("app/token.html").read_text("utf-8")
    texts = {
        "app": strings.APP,
        "explanation": strings.TOKEN_EXPLANATION,
        "label": strings.TOKEN_LABEL,
        "message": message,
        "open": strings.TOKEN_OPEN,
    }
    for name, text in texts.items():
        page = page.replace(f"{{{name}}}", escape(text))
    return page.replace("{logo}", assets.joinpath("brand/logo.svg").read_text("utf-8"))


def _redirect(request: Request) -> RedirectResponse:
    """Redirect to the same address without the token, relative to its folder."""
    parts = request.scope["query_string"].decode("latin-1").split("&")
    kept = [part for part in parts if unquote_plus(part.partition("=")[0]) != PARAMETER]
    page = request.scope["path"].rpartition("/")[2]
    query = "&".join(filter(None, kept))
    address = f"./{page}?{query}" if query else f"./{page}"
    return RedirectResponse(address, 303, headers=_NEVER_KEPT)


async def _posted(request: Request) -> str:
    """Token in the field of a form; "" without one."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_FORM_BYTES:
            return ""
    return parse_qs(body.decode("latin-1")).get(PARAMETER, [""])[0].strip()


def _client(request: Request) -> str:
    """Address of a client, or the network from which it can choose its addresses."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 6 and not address.ipv4_mapped:
        return str(ip_network((int(address), IPV6_PREFIX), strict=False))
    return host


def _is_encrypted(request: Request) -> bool:
    """Whether the browser uses TLS, as seen here or reported by a proxy.

    A client that reports it wrongly gets a cookie that its browser does not send.
    """
    reported = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
    return "https" in (request.url.scheme, reported)
