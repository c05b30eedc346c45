"""The server listens to this machine alone, and talks to no page of another origin."""

from __future__ import annotations

import base64
import os
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from tests.browser.driving import served

STREAM = "/_stcore/stream"
Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served("app", tmp_path_factory.mktemp("server") / "workspace") as address:
        yield address


def handshake(url: str, **headers: str) -> int:
    """Ask for a websocket with the headers of a browser; the status of the answer."""
    place = urlsplit(url)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = {"Host": place.netloc, "Upgrade": "websocket", "Connection": "Upgrade"}
    lines |= {"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **headers}
    request = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        line.sendall(f"GET {STREAM} HTTP/1.1\r\n{request}\r\n".encode())
        return int(line.recv(4096).split()[1])


def test_a_page_of_another_origin_gets_no_socket(url: str, record_property: Record) -> None:
    assert handshake(url, Origin=url.rstrip("/")) == 101
    foreign = ["http://evil.example", "null", "https://127.0.0.1.evil.example", "file://"]
    for origin in foreign:
        assert handshake(url, Origin=origin) == 403, origin
    record_property("foreign pages refused", len(foreign))


def test_a_page_of_another_origin_uploads_and_reads_nothing(url: str) -> None:
    origin = {"Origin": "http://evil.example"}
    place = url.rstrip("/")
    upload = f"{place}/_stcore/upload_file/x/y"
    request = urllib.request.Request(upload, b"x", origin, method="PUT")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=20)
    assert refused.value.code in (400, 403)
    for path in ("/", "/_stcore/health", "/_stcore/host-config"):
        with urllib.request.urlopen(urllib.request.Request(place + path, headers=origin)) as page:
            assert page.headers.get("Access-Control-Allow-Origin") in (None, "null", place)


def test_a_page_whose_name_leads_here_is_refused(url: str, record_property: Record) -> None:
    """DNS rebinding: of one origin with itself, and not the app."""
    port = urlsplit(url).port
    names = [f"evil.example:{port}", "evil.example", "127.0.0.1.evil.example", "", "[", "0.0.0.0"]
    for name in names:
        assert handshake(url, Host=name, Origin=f"http://{name}") != 101, name
        page = urllib.request.Request(url, headers={"Host": name})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(page, timeout=20)
        assert refused.value.code in (400, 403), name
    for name in (f"localhost:{port}", f"[::1]:{port}", "LOCALHOST"):
        assert handshake(url, Host=name, Origin=f"http://{name}") == 101, name
    record_property("names that lead here refused", len(names))


def test_the_server_listens_to_this_machine_alone(url: str) -> None:
    port = urlsplit(url).port
    found = [
        connection.laddr.ip
        for process in psutil.Process().children(recursive=True)
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
    ]
    assert set(found) == {"127.0.0.1"}


@pytest.mark.parametrize("path", ["..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "%00"])
@pytest.mark.parametrize("root", ["/", "/media/", "/component/", "/static/", "/app/static/"])
def test_no_path_leads_out_of_what_is_served(url: str, root: str, path: str) -> None:
    try:
        with urllib.request.urlopen(url.rstrip("/") + root + path, timeout=20) as page:
            content = page.read()
    except urllib.error.HTTPError:
        return
    assert b"root:" not in content
    assert Path("/etc/passwd").exists() <= (content != Path("/etc/passwd").read_bytes())
