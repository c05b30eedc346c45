"""A server that others can reach gives nothing to requests without its token."""

from __future__ import annotations

import base64
import http.client
import itertools
import os
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from orrery.app.shell import strings
from orrery.app.shell.strings import PAGE_TITLES
from tests.browser.driving import served
from tests.nginx import proxied

TOKEN = "a-token-of-these-tests"
OPEN_TO_ALL = ("--address", "0.0.0.0", "--token", TOKEN)
STREAM = "/_stcore/stream"
# Seconds within which no receipt comes.
RECEIPT = 0.03
PATHS = [
    *("/", *(f"/{page}" for page in PAGE_TITLES), "/query/", "//", "/no-page", "/%2e%2e/query"),
    *(
        "/_stcore/health",
        "/_stcore/host-config",
        "/_stcore/metrics",
        "/_stcore/script-health-check",
    ),
    *("/_stcore/upload_file/a/b", "/_stcore/bidi-components/a/b.js", STREAM, "/healthz"),
    *("/media/a.png", "/component/a/b.js", "/app/static/a", "/static/js/index.js", "/favicon.png"),
    *("/auth/login", "/oauth2callback", "/query?q=star&token=", "http://localhost/query"),
]
FORGED = [
    {},
    {"Cookie": f"orrery-PORT={TOKEN}; token={TOKEN}"},
    {"Authorization": f"Bearer {TOKEN}", "X-Orrery-May-Change": "1"},
    {"Host": "localhost", "Origin": "http://localhost"},
    {"Host": "evil.example", "Origin": "http://evil.example"},
    {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost", "X-Forwarded-Proto": "https"},
]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]
Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("printed") / "log.txt"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, printed: Path) -> Iterator[str]:
    workspace = tmp_path_factory.mktemp("token") / "workspace"
    with served("app", workspace, options=OPEN_TO_ALL, printed=printed) as address:
        yield address


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Return a redirect as it is."""

    def redirect_request(self, *_: object) -> None:
        return None


def answered(
    url: str, headers: dict[str, str] | None = None, method: str = "GET", context=None
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Status, headers and body of an answer."""
    request = urllib.request.Request(url, None, headers or {}, method=method)
    secure = urllib.request.HTTPSHandler(context=context)
    try:
        with urllib.request.build_opener(NoRedirect, secure).open(request, timeout=20) as page:
            return page.status, page.headers, page.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def is_refusal(status: int, method: str, body: bytes) -> bool:
    """Whether an answer is the form or status 403."""
    text = body.decode()
    is_form = 'name="token"' in text and f"<h1>{strings.APP}</h1>" in text
    return status == 403 and (is_form or text == strings.TOKEN_MISSING or method == "HEAD")


def test_no_request_without_the_token_gets_anything(url: str, record_property: Record) -> None:
    place, n_kinds = urlsplit(url), 0
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
    for path, method, headers in itertools.product(PATHS, METHODS, FORGED):
        # A form without a token counts as an attempt, and the unit tests have all of them.
        if method == "POST" and path.partition("?")[0].strip("/") in ("", *PAGE_TITLES):
            continue
        if path.endswith("token=") and (method, headers) != ("GET", {}):
            continue
        given = {name: value.replace("PORT", str(place.port)) for name, value in headers.items()}
        line.request(method, path, body=b"x" if method == "PUT" else None, headers=given)
        answer = line.getresponse()
        body = answer.read()
        assert is_refusal(answer.status, method, body), (path, method, headers, answer.status)
        assert not answer.getheader("Set-Cookie")
        n_kinds += 1
    line.close()
    for path, headers in itertools.product(("/", STREAM, "/no"), FORGED):
        assert handshake(url, path, **headers) == 403
        n_kinds += 1
    assert n_kinds > 500
    record_property("kinds of requests without a token, to a server", n_kinds)


def handshake(url: str, path: str = STREAM, context=None, **headers: str) -> int:
    """Ask for a websocket with the headers of a browser; the status of the answer."""
    place = urlsplit(url)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = {"Host": place.netloc, "Upgrade": "websocket", "Connection": "Upgrade"}
    lines |= {"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **headers}
    request = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with socket.create_connection((place.hostname, place.port), timeout=20) as plain:
        line = context.wrap_socket(plain, server_hostname=place.hostname) if context else plain
        line.sendall(f"GET {path} HTTP/1.1\r\n{request}\r\n".encode())
        return int(line.recv(4096).split()[1])


def entered(url: str, context=None) -> tuple[str, http.client.HTTPMessage]:
    """Cookie of the token, and the headers of the answer that has it."""
    status, headers, _ = answered(f"{url}/query?q=star&token={TOKEN}", context=context)
    assert status == 303
    assert headers["Location"] == "./query?q=star"
    return headers["Set-Cookie"].partition(";")[0], headers


def test_the_cookie_opens_everything(url: str, printed: Path) -> None:
    cookie, headers = entered(url)
    assert "Secure" not in headers["Set-Cookie"]
    given = {"Cookie": cookie}
    assert answered(f"{url}/_stcore/health", given)[2] == b"ok"
    status, _, page = answered(f"{url}/query", given)
    assert status == 200
    assert b'id="opening"' in page
    origin = url.rstrip("/")
    assert handshake(url, Origin=origin, Cookie=cookie) == 101
    # Another origin has no socket, with the cookie either.
    assert handshake(url, Origin="http://evil.example", Cookie=cookie) == 403
    for path in ("/query", "/no", "/media/no"):
        answered(f"{url}{path}?token={TOKEN}", given)
        answered(f"{url}{path}?token=mistaken-mistaken")
    log = printed.read_text("utf-8")
    # The address is printed once, and the token is nowhere else in the log.
    assert log.count(TOKEN) == log.count(f"Orrery is at {origin}/?token={TOKEN} ") == 1
    assert cookie.partition("=")[2] not in log
    assert "mistaken" not in log


def test_a_proxy_with_tls_and_a_prefix(url: str, tmp_path: Path) -> None:
    with proxied(url, tmp_path) as address:
        context = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        assert is_refusal(*refusal_of(f"{address}/query", context))
        assert is_refusal(*refusal_of(f"{address}/_stcore/health", context))
        cookie, headers = entered(address, context)
        assert "Secure" in headers["Set-Cookie"]
        given = {"Cookie": cookie}
        assert answered(f"{address}/_stcore/health", given, context=context)[2] == b"ok"
        place = urlsplit(address)
        origin = f"https://{place.netloc}"
        socket_path = f"/topics{STREAM}"
        assert handshake(address, socket_path, context, Origin=origin) == 403
        assert handshake(address, socket_path, context, Origin=origin, Cookie=cookie) == 101
        # Each client behind the proxy has attempts of its own.
        for _ in range(12):
            answered(f"{url}/?token=wrong", {"X-Forwarded-For": "198.51.100.7"})
        assert entered(address, context)[0] == cookie


def refusal_of(url: str, context: ssl.SSLContext) -> tuple[int, str, bytes]:
    status, _, body = answered(url, context=context)
    return status, "GET", body


def test_answers_wait_for_no_receipt_of_their_beginning(url: str) -> None:
    place, seconds = urlsplit(url), []
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
    for _ in range(30):
        begun = time.perf_counter()
        line.request("GET", "/_stcore/health")
        line.getresponse().read()
        seconds.append(time.perf_counter() - begun)
    line.close()
    # With a receipt each takes at least 40 ms; on a busy machine only some take less without it.
    # The first few need none, because a new connection acknowledges at once.
    assert min(seconds[10:]) < RECEIPT
