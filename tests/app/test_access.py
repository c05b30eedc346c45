"""Without a token, nothing of the app is reached; tokens are compared in constant time."""

from __future__ import annotations

import asyncio
import hmac
import itertools
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import platformdirs
import pytest

from orrery.app import access, server, tokens
from orrery.app.access import Access, Attempts, TokenRequired
from orrery.app.shell import strings
from orrery.core.utils import read_only
from orrery.core.utils.errors import InputError

TOKEN, VIEW = "owner-owner-owner", "guest-guest-guest"
COOKIE = "orrery-8501"
STREAMLIT = "/_stcore"
PATHS = [
    *server.ADDRESSES,
    *("/query/", "//", "//query", "/QUERY", "/query;a", "/static/js/index.js", "/favicon.png"),
    *(f"{STREAMLIT}/{name}" for name in ("health", "host-config", "stream", "metrics", "")),
    *(f"{STREAMLIT}/upload_file/a/b", f"{STREAMLIT}/bidi-components/a/b.js", "/media/a.png"),
    *( "/component/a/b.js", "/app/static/a"),
    *("/healthz", "/script-health-check", "/auth/login", "/oauth2callback", "/%2e%2e/query", "/no"),
]  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "get"]
FORGED = [
    {},
    {"cookie": f"{COOKIE}="},
    {"cookie": f"{COOKIE}={TOKEN}"},
    {"cookie": f"{COOKIE}={tokens.digest(TOKEN)}"},
    {"cookie": f"{COOKIE}=x; {COOKIE}=\xff; orrery-8502=1; {COOKIE}"},
    {"cookie": f"token={TOKEN}; _streamlit_user={TOKEN}"},
    {"authorization": f"Bearer {TOKEN}"},
    {access.MAY_CHANGE: "1"},
    {"host": "localhost", "origin": "http://localhost"},
    {"host": "evil.example", "origin": "http://evil.example"},
    {"host": "", "origin": "null"},
    {"x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https", "x-forwarded-host": "localhost"},
    {"referer": f"http://127.0.0.1:8501/?token={TOKEN}"},
    {"x-original-url": "/_stcore/health", "x-http-method-override": "GET"},
]
QUERIES = ["", "q=star", "token=", "TOKEN=" + TOKEN, "token=wrong", "token=%00%ff"]


class App:
    """Stands in for Streamlit, and keeps the headers that it receives."""

    def __init__(self) -> None:
        self.seen: list[dict[str, str]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append({k.decode(): v.decode("latin-1") for k, v in scope["headers"]})
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body", "body": b""})


class Guarded:
    """The middleware before an app, and a browser that keeps no cookies."""

    def __init__(self, *, view: str = "", clock: Callable[[], float] | None = None) -> None:
        self.app = App()
        self.access = Access(tokens.digest(TOKEN), tokens.digest(view) if view else "")
        if clock is not None:
            self.access.attempts = Attempts(clock)
        self.guard = TokenRequired(self.app, self.access, server.ADDRESSES, 8501)

    def ask(
        self,
        path: str = "/",
        method: str = "GET",
        query: str = "",
        headers: dict[str, str] | None = None,
        *,
        body: bytes = b"",
        kind: str = "http",
        client: str = "192.0.2.1",
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and body of the answer."""
        scope = {
            "type": kind,
            "path": path,
            "query_string": query.encode("latin-1"),
            "headers": [(k.encode(), v.encode("latin-1")) for k, v in (headers or {}).items()],
            "client": (client, 5),
            "server": ("192.0.2.9", 8501),
            "scheme": "http" if kind == "http" else "ws",
            "root_path": "",
            "extensions": {"websocket.http.response": {}},
        } | ({"method": method} if kind == "http" else {})
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        asyncio.run(self.guard(scope, receive, send))
        answer = b"".join(message.get("body", b"") for message in sent)
        found = {k.decode(): v.decode() for k, v in sent[0].get("headers", ())}
        return sent[0]["status"], found, answer.decode()

    def enter(self, token: str = TOKEN, **options: Any) -> dict[str, str]:
        """Headers of a request with the cookie of a token."""
        status, headers, _ = self.ask(query=f"token={token}", **options)
        assert status == 303
        return {"cookie": headers["set-cookie"].partition(";")[0]}


def is_refusal(status: int, headers: dict[str, str], body: str) -> bool:
    """Whether an answer is the form or status 403, without a cookie."""
    is_form = status in (403, 429) and 'name="token"' in body
    is_plain = status == 403 and body == strings.TOKEN_MISSING
    return (is_form or is_plain) and not {"set-cookie", "location"} & headers.keys()


def requests_without_token() -> Iterable[tuple[str, str, str, dict[str, str]]]:
    """Every path, method, query and forgery with every other one."""
    return itertools.product(PATHS, METHODS, QUERIES, FORGED)


def test_no_request_without_a_token_reaches_the_app(record_property: Any) -> None:
    guarded = Guarded(view=VIEW, clock=lambda: 0.0)
    n_kinds = 0
    for path, method, query, headers in requests_without_token():
        answer = guarded.ask(path, method, query, headers)
        assert is_refusal(*answer), (path, method, query, headers, answer)
        n_kinds += 1
    for path, headers in itertools.product(PATHS, FORGED):
        status, given, _ = guarded.ask(path, headers=headers, kind="websocket")
        assert status == 403, (path, headers)
        assert "set-cookie" not in given
        n_kinds += 1
    assert guarded.app.seen == []
    assert n_kinds > 10_000
    record_property("kinds of requests without a token", n_kinds)


def test_the_token_leads_to_a_cookie_and_leaves_the_address() -> None:
    guarded = Guarded()
    query = f"q=a%20b+c&token=old&x=&t%6Fken={TOKEN}"
    status, headers, body = guarded.ask("/query", query=query)
    assert (status, headers["location"], body) == (303, "./query?q=a%20b+c&x=", "")
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    value, *attributes = headers["set-cookie"].split("; ")
    assert {name.lower() for name in attributes} == {"httponly", "samesite=lax"}
    assert TOKEN not in value
    assert tokens.digest(TOKEN) not in value
    for path, kind in itertools.product(PATHS, ("http", "websocket")):
        assert guarded.ask(path, headers={"cookie": f"a=b; {value}"}, kind=kind)[0] == 299
    # A browser has a cookie for each folder, also of an earlier start.
    assert guarded.ask(headers={"cookie": f"{value}; {COOKIE}=old"})[0] == 299
    assert guarded.ask(headers={"cookie": f"{COOKIE}=old; {value}"})[0] == 299
    # Another start of the same server has other cookies.
    assert is_refusal(*Guarded().ask(headers={"cookie": value}))


@pytest.mark.parametrize(
    ("forwarded", "is_secure"),
    [("https", True), ("HTTPS, http", True), ("http", False), ("", False), ("http, https", False)],
)
def test_a_cookie_got_by_tls_is_only_sent_by_tls(forwarded: str, is_secure: bool) -> None:
    headers = {"x-forwarded-proto": forwarded} if forwarded else {}
    _, given, _ = Guarded().ask(query=f"token={TOKEN}", headers=headers)
    assert ("Secure" in given["set-cookie"].split("; ")) == is_secure


def test_the_form() -> None:
    guarded = Guarded()
    status, headers, page = guarded.ask("/query", "POST", "q=a", body=f"token=+{TOKEN}+".encode())
    assert (status, headers["location"], page) == (303, "./query?q=a", "")
    assert "set-cookie" in headers
    for body in (b"", b"token=", b"token=wrong", b"\xff\0", b"token=" + TOKEN.encode() * 999):
        answer = guarded.ask("/query", "POST", body=body)
        assert is_refusal(*answer)
        assert strings.TOKEN_WRONG in answer[2]
    _, headers, page = guarded.ask("/query", query="q=<script>")
    assert "script" not in page
    assert strings.TOKEN_WRONG not in page
    assert "default-src 'none'" in headers["content-security-policy"]


def test_no_answer_contains_a_token() -> None:
    guarded = Guarded(view=VIEW)
    for path, query in itertools.product(
        PATHS, (f"token={TOKEN}", f"token={VIEW}", "token=mistaken")
    ):
        _, headers, body = guarded.ask(path, query=query)
        for secret in (TOKEN, VIEW, "mistaken"):
            assert secret not in body
            assert secret not in str(headers)


def test_those_who_view_change_nothing() -> None:
    guarded = Guarded(view=VIEW)
    owner, guest = guarded.enter(TOKEN), guarded.enter(VIEW)
    assert owner != guest
    forged = guest | {access.MAY_CHANGE: "1"}
    for method in ("GET", "HEAD", "OPTIONS"):
        assert guarded.ask("/media/a", method, headers=forged)[0] == 299
        assert guarded.app.seen[-1][access.MAY_CHANGE] == "0"
    guarded.ask(headers=forged, kind="websocket")
    assert guarded.app.seen[-1][access.MAY_CHANGE] == "0"
    n_seen = len(guarded.app.seen)
    for method in ("PUT", "DELETE", "POST", "PATCH"):
        assert guarded.ask(f"{STREAMLIT}/upload_file/a/b", method, headers=forged)[0] == 403
    assert len(guarded.app.seen) == n_seen
    assert guarded.ask(f"{STREAMLIT}/upload_file/a/b", "PUT", headers=owner)[0] == 299
    guarded.ask(headers=owner, kind="websocket")
    assert guarded.app.seen[-1][access.MAY_CHANGE] == "1"
    # A guest who gets the other token may change from then on.
    upgraded = guarded.ask(query=f"token={TOKEN}", headers=guest)
    assert upgraded[1]["set-cookie"].startswith(owner["cookie"])


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_all_rights_are_kept_after_a_link_for_viewers(method: str) -> None:
    guarded = Guarded(view=VIEW)
    owner = guarded.enter(TOKEN)
    token = f"token={VIEW}"
    sent = (
        {"query": f"q=a&{token}"} if method == "GET" else {"query": "q=a", "body": token.encode()}
    )
    status, headers, _ = guarded.ask("/query", method, headers=owner, **sent)
    assert (status, headers["location"]) == (303, "./query?q=a")
    assert "set-cookie" not in headers
    # The token of an owner renews the cookie, and a guest gets the cookie of a guest.
    guest = guarded.enter(VIEW)
    assert guarded.enter(TOKEN, headers=owner) == owner
    assert guarded.enter(VIEW, headers=guest) == guest


def test_one_who_has_entered_keeps_access_after_a_wrong_token() -> None:
    guarded = Guarded(view=VIEW, clock=lambda: 0.0)
    guest = guarded.enter(VIEW)
    for _ in range(access.MAX_WRONG + 2):
        status, headers, _ = guarded.ask("/map", query="token=wrong", headers=guest)
        assert (status, headers["location"]) == (303, "./map")
        assert "set-cookie" not in headers
    # Guests have no more attempts for the other token than strangers.
    assert "set-cookie" not in guarded.ask(query=f"token={TOKEN}", headers=guest)[1]
    assert guarded.ask(headers=guest)[0] == 299


def test_attempts_are_limited_and_never_for_good() -> None:
    now = [0.0]
    guarded = Guarded(clock=lambda: now[0])
    for _ in range(access.MAX_WRONG):
        assert guarded.ask(query="token=wrong")[0] == 403
    status, headers, body = guarded.ask(query=f"token={TOKEN}")
    assert status == 429
    assert strings.TOKEN_TOO_MANY in body
    assert headers["retry-after"] == "60"
    assert guarded.ask("/", "POST", body=f"token={TOKEN}".encode())[0] == 429
    # Others still enter, and the same client after the period.
    guarded.enter(client="192.0.2.2")
    now[0] += access.PERIOD_SECONDS
    guarded.enter()


def test_many_strangers_do_not_lock_out_the_owner() -> None:
    guarded = Guarded(clock=lambda: 0.0)
    for number in range(access.MAX_WRONG_OF_ALL):
        guarded.ask(query="token=wrong", client=f"198.51.100.{number}")
    guarded.enter(client="192.0.2.2")
    # Each has one attempt left, and one alone cannot use many addresses of IPv6.
    assert guarded.ask(query="token=wrong", client="192.0.2.3")[0] == 403
    assert guarded.ask(query=f"token={TOKEN}", client="192.0.2.3")[0] == 429
    assert guarded.ask(query="token=wrong", client="2001:db8::1")[0] == 403
    assert guarded.ask(query=f"token={TOKEN}", client="2001:db8::ffff")[0] == 429
    guarded.enter(client="2001:db8:0:1::1")


def test_a_token_of_the_opened_browser_is_valid_once() -> None:
    guarded = Guarded(view=VIEW)
    token = guarded.access.token_for_once()
    owner = guarded.enter(token)
    assert is_refusal(*guarded.ask(query=f"token={token}"))
    guarded.ask(headers=owner)
    assert guarded.app.seen[-1][access.MAY_CHANGE] == "1"


def test_secrets_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every comparison is of bytes of one length, and no comparison ends the others."""
    compared: list[tuple[bytes, bytes]] = []
    real = hmac.compare_digest

    def compare(left: Any, right: Any) -> bool:
        compared.append((left, right))
        return real(left, right)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    found = Access(tokens.digest(TOKEN), tokens.digest(VIEW))
    for token, rights in (
        (TOKEN, True),
        (VIEW, False),
        ("wrong", None),
        ("", None),
        ("é\ud800", None),
    ):
        compared.clear()
        assert found.rights_of_token(token) is rights
        given = tokens.digest(token).encode()
        known = [tokens.digest(TOKEN).encode(), tokens.digest(VIEW).encode()]
        assert compared == [(given, one) for one in known]
    for value, rights in ((found.cookie(True), True), (found.cookie(False), False), ("x", None)):
        compared.clear()
        assert found.rights_of_cookies([value]) is rights
        known = [found.cookie(True).encode(), found.cookie(False).encode()]
        assert compared == [(value.encode(), one) for one in known]


@pytest.mark.parametrize("place", range(0, 64, 7))
def test_a_token_with_one_other_letter_is_wrong(place: int) -> None:
    token = "a" * 64
    found = Access(tokens.digest(token))
    assert found.rights_of_token(token) is True
    assert found.rights_of_token(token[:place] + "b" + token[place + 1 :]) is None
    assert found.rights_of_token(token[:place]) is None
    cookie = found.cookie(True)
    other = "-" if cookie[place % 43] != "-" else "_"
    assert (
        found.rights_of_cookies([cookie[: place % 43] + other + cookie[place % 43 + 1 :]]) is None
    )


@pytest.fixture
def token_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(platformdirs, "user_config_path", lambda name: tmp_path / name)
    (tmp_path / "orrery").mkdir()
    return tmp_path / "orrery" / "token"


def test_the_token_of_the_users_file(token_file: Path) -> None:
    assert tokens.own_token() != tokens.own_token()
    assert len(tokens.own_token()) == 43
    token_file.write_text(f"{TOKEN}\n")
    token_file.chmod(0o600)
    assert tokens.own_token() == TOKEN
    for text in ("short", "a b" * 9, "", "x" * 999, quote("é" * 9)):
        token_file.write_text(text)
        with pytest.raises(InputError, match="needs 16 to 256") as refused:
            tokens.own_token()
        assert not text or text not in str(refused.value)
    token_file.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        tokens.own_token()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bits")
@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666])
def test_a_file_that_others_can_read_is_refused(token_file: Path, bits: int) -> None:
    token_file.write_text(TOKEN)
    token_file.chmod(bits)
    with pytest.raises(InputError, match="other users can read"):
        tokens.own_token()


def test_an_exemption_from_reading_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(read_only.READ_ONLY, "1")
    monkeypatch.setattr(read_only, "_exemptions", [])
    may_change = [False]
    read_only.exempt(lambda: may_change[0])
    assert read_only.is_read_only()
    may_change[0] = True
    assert not read_only.is_read_only()
    assert read_only.writer(lambda: 5)() == 5
