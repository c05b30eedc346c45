"""The app is started on this machine's own address, on a free port, with its workspace."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from orrery.app.cli.app_command import SECONDS_OF_END
from orrery.app.tokens import TOKEN, VIEW_TOKEN, digest
from orrery.core.utils.read_only import READ_ONLY

Refused = Callable[..., str]


class Server:
    """Stands in for the process of the app."""

    def __init__(self, command: list[str], **options: Any) -> None:
        Server.started.append((command, options))
        self.signals: list[str] = []
        self.has_ended = False
        Server.last = self

    started: list[tuple[list[str], dict[str, Any]]]
    last: Server
    ending: Any = 0
    # What waiting for the end after SIGTERM raises, if the server does not end.
    hanging: BaseException | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Run longer than the start, and end as `ending` and `hanging` say."""
        if self.signals == ["terminate"] and Server.hanging is not None:
            assert timeout == SECONDS_OF_END
            raise Server.hanging
        if self.signals:
            self.has_ended = True
            return -15
        if timeout is not None:
            raise subprocess.TimeoutExpired("app", timeout)
        if Server.ending is KeyboardInterrupt:
            raise KeyboardInterrupt
        return Server.ending

    def terminate(self) -> None:
        self.signals.append("terminate")

    def kill(self) -> None:
        self.signals.append("kill")


@pytest.fixture(autouse=True)
def config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep a token of the person who runs the tests out of them."""
    folder = tmp_path / "config"
    monkeypatch.setattr(platformdirs, "user_config_path", lambda name: folder / name)
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> type[Server]:
    monkeypatch.setattr(subprocess, "Popen", Server)
    monkeypatch.setattr(Server, "started", [], raising=False)
    monkeypatch.setattr(Server, "ending", 0)
    monkeypatch.setattr(Server, "hanging", None)
    return Server


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.parametrize(("command", "demo"), [("app", None), ("demo", "1")])
def test_what_is_started(
    tmp_path: Path, orrery: Any, server: type[Server], command: str, demo: str | None
) -> None:
    outcome = orrery(command, "--workspace", tmp_path / "deep" / "w", "--no-browser")
    assert outcome.code == 0
    [(started, options)] = server.started
    assert (tmp_path / "deep" / "w").is_dir()
    assert options["env"]["ORRERY_WORKSPACE"] == str(tmp_path / "deep" / "w")
    assert options["env"].get("ORRERY_DEMO", os.environ.get("ORRERY_DEMO")) == demo
    given = dict(zip(started[5::2], started[6::2], strict=True))
    assert given["--server.address"] == "127.0.0.1"
    assert given["--server.headless"] == "true"
    assert f"http://127.0.0.1:{given['--server.port']} " in outcome.out
    assert Path(started[4]).is_file()
    assert given["--browser.gatherUsageStats"] == "false"
    assert (Path(started[4]).parent / ".streamlit" / "config.toml").is_file()


def test_a_port_that_is_taken(
    tmp_path: Path, refused: Refused, orrery: Any, server: type[Server], taken_port: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    app = ["app", "--workspace", tmp_path]
    assert f"port {taken_port} is in use" in refused(*app, "--port", taken_port)
    assert "there is no port 70000" in refused(*app, "--port", 70000)
    assert server.started == []
    monkeypatch.setattr("orrery.app.cli.app_command.FIRST_PORT", taken_port)
    assert orrery(*app).code == 0
    [(started, _)] = server.started
    assert int(started[started.index("--server.port") + 1]) > taken_port


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


IPV6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


@pytest.mark.parametrize(
    ("requested", "bound", "shown", "is_open"),
    [
        ("127.0.0.1", "127.0.0.1", "127.0.0.1", False),
        ("127.0.0.9", "127.0.0.9", "127.0.0.9", False),
        ("0.0.0.0", "0.0.0.0", "127.0.0.1", True),
        pytest.param("::1", "::1", "[::1]", False, marks=IPV6),
        pytest.param("::", "::", "[::1]", True, marks=IPV6),
    ],
)
def test_addresses(
    tmp_path: Path, orrery: Any, server: type[Server], requested: str, bound: str, shown: str,
    is_open: bool,
) -> None:  # fmt: skip
    outcome = orrery("app", "--workspace", tmp_path, "--address", requested)
    assert outcome.code == 0
    [(started, _)] = server.started
    given = dict(zip(started[5::2], started[6::2], strict=True))
    assert given["--server.address"] == bound
    end = "/?token=" if is_open else " "
    assert f"http://{shown}:{given['--server.port']}{end}" in outcome.out
    # Without both, Streamlit asks a server on the internet which address this machine has there.
    assert given["--browser.serverAddress"] == shown
    assert given["--logger.hideWelcomeMessage"] == "true"
    assert ("anyone who can reach port" in outcome.err) == is_open


def test_a_name_is_an_address(tmp_path: Path, orrery: Any, server: type[Server]) -> None:
    outcome = orrery("demo", "--workspace", tmp_path, "--address", "localhost")
    assert outcome.code == 0
    [(started, _)] = server.started
    assert started[started.index("--server.address") + 1] in ("127.0.0.1", "::1")
    assert outcome.err == ""


def test_bad_addresses(
    tmp_path: Path, refused: Refused, server: type[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = ["app", "--workspace", tmp_path]
    for address in ("no such address", "127.0.0.1:80", "x" * 70, ""):
        assert "there is no address" in refused(*app, "--address", address)
    # A network kept for examples; no machine has such an address.
    assert "is no address of this machine" in refused(*app, "--address", "203.0.113.7")

    def barred(self: socket.socket, place: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", barred)
    assert "port 80 is kept for the administrator" in refused(*app, "--port", "80")
    # Windows bars ports in the middle of the range, and the next may be free.
    assert "port 9000 is in use" in refused(*app, "--port", "9000")
    assert server.started == []


def test_workspaces_that_cannot_be(tmp_path: Path, refused: Refused, server: type[Server]) -> None:
    (tmp_path / "file").touch()
    for workspace in (tmp_path / "file", tmp_path / "file" / "w"):
        assert "cannot be made" in refused("app", "--workspace", workspace)
    assert server.started == []


def test_how_it_ends(tmp_path: Path, orrery: Any, server: type[Server]) -> None:
    app = ["app", "--workspace", tmp_path]
    server.ending = KeyboardInterrupt
    assert orrery(*app).code == 0
    assert server.last.signals == ["terminate"]
    server.ending = 3
    outcome = orrery(*app)
    assert outcome.code == 1
    assert outcome.err.startswith("orrery: the app ended with code 3")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "hanging", [subprocess.TimeoutExpired("app", 5), KeyboardInterrupt()], ids=["late", "again"]
)
def test_a_server_that_does_not_end_is_killed(
    tmp_path: Path, orrery: Any, server: type[Server], hanging: BaseException
) -> None:
    server.ending, server.hanging = KeyboardInterrupt, hanging
    assert orrery("app", "--workspace", tmp_path).code == 0
    assert server.last.signals == ["terminate", "kill"]
    assert server.last.has_ended


def test_an_app_that_is_not_there(
    tmp_path: Path, refused: Refused, server: type[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "the app is not installed" in refused("app", "--workspace", tmp_path)
    assert server.started == []


@pytest.mark.parametrize(("options", "cleaned"), [((), 1), (("--read-only",), 0)])
def test_the_workspace_is_cleaned_after_the_start(
    tmp_path: Path,
    orrery: Any,
    server: type[Server],
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    cleaned: int,
) -> None:
    """A server that only shows a workspace changes nothing in it."""
    calls: list[Path] = []
    monkeypatch.setattr("orrery.core.storage.runs.clean_workspace", calls.append)
    assert orrery("app", "--workspace", tmp_path, *options).code == 0
    assert calls == [tmp_path] * cleaned


def printed_token(line: str) -> str:
    """Token at the end of an address, which a space may follow."""
    return line.partition("/?token=")[2].partition(" ")[0]


@pytest.mark.parametrize(
    ("options", "is_needed"),
    [
        ((), False),
        (("--address", "0.0.0.0"), True),
        (("--address", "0.0.0.0", "--no-token"), False),
        (("--token",), True),
        (("--read-only",), False),
        (("--read-only", "--address", "0.0.0.0"), True),
    ],
)
def test_where_a_token_is_required(
    tmp_path: Path,
    orrery: Any,
    server: type[Server],
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    is_needed: bool,
) -> None:
    # For another server, from which this one was started.
    monkeypatch.setenv(TOKEN, digest("of another server"))
    outcome = orrery("app", "--workspace", tmp_path, *options)
    assert outcome.code == 0
    [(started, given)] = server.started
    token = printed_token(outcome.out)
    assert bool(token) == is_needed
    assert given["env"][TOKEN] == (digest(token) if token else "")
    assert given["env"][VIEW_TOKEN] == ""
    # The server learns the digest only; other users see its options and its log.
    assert not token or token not in f"{started}{given}{outcome.err}"
    assert ("WARNING" in outcome.err) == ("--address" in options)
    assert ("--no-token" in outcome.err) == ("--address" in options)
    assert outcome.out.count("\n") == 1
    again = orrery("app", "--workspace", tmp_path, *options)
    assert not token or printed_token(again.out) != token


def test_the_token_that_is_given_or_in_the_file(
    tmp_path: Path, config_folder: Path, orrery: Any, server: type[Server], refused: Refused
) -> None:
    app = ["app", "--workspace", tmp_path, "--address", "0.0.0.0"]
    file = config_folder / "orrery" / "token"
    file.parent.mkdir(parents=True)
    file.write_text("of-the-file-of-the-user\n")
    file.chmod(0o644)
    assert "other users can read" in refused(*app)
    assert orrery("app", "--workspace", tmp_path).code == 0
    file.chmod(0o600)
    for options in ((), ("--token",)):
        assert printed_token(orrery(*app, *options).out) == "of-the-file-of-the-user"
    assert printed_token(orrery(*app, "--token", "given-given-given").out) == "given-given-given"


def test_two_tokens(tmp_path: Path, orrery: Any, server: type[Server]) -> None:
    outcome = orrery("app", "--workspace", tmp_path, "--read-only", "--view-token")
    owner, guest = map(printed_token, outcome.out.splitlines())
    [(started, given)] = server.started
    assert owner != guest
    assert given["env"][TOKEN] == digest(owner)
    assert given["env"][VIEW_TOKEN] == digest(guest)
    assert given["env"][READ_ONLY] == "1"
    assert "--server.maxUploadSize" not in started
    assert "WARNING" not in outcome.err


def test_tokens_that_cannot_be(tmp_path: Path, refused: Refused, server: type[Server]) -> None:
    app = ["app", "--workspace", tmp_path]
    token = "given-given-given"
    for options in (("--token",), ("--token", token), ("--read-only", "--view-token")):
        assert "--no-token excludes" in refused(*app, "--no-token", *options)
    assert "add --read-only" in refused(*app, "--view-token", token)
    both = ("--read-only", "--token", token, "--view-token", token)
    assert "both tokens are the same" in refused(*app, *both)
    for wrong in ("short", "with a space in it", "x" * 300, "a/b?c=d&e#f-----------"):
        message = refused(*app, "--token", wrong)
        assert "needs 16 to 256" in message
        assert wrong not in message
    assert server.started == []
