"""``orrery app`` and ``orrery demo``: serve the app, with or without the sample corpus."""

from __future__ import annotations

import argparse
import errno
import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import sys
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from ...core.utils.errors import InputError
from ...core.utils.read_only import READ_ONLY
from ..tokens import PARAMETER, TOKEN, VIEW_TOKEN, checked, digest, own_token
from . import options

ADDRESS = "127.0.0.1"
# Address for a browser on this machine if the app listens on all addresses.
OWN_ADDRESS = {"0.0.0.0": ADDRESS, "::": "::1"}
FIRST_PORT = 8501
N_PORTS = 50
# The workspace is cleaned after this time, when the first page has been drawn.
SECONDS_OF_START = 10.0
# Time for the server to end after an interruption, before it is killed: it waits for browsers to
# close their connections.
SECONDS_OF_END = 5.0
# Lower ports are reserved for the administrator.
MIN_USER_PORT = 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path("~/.orrery"),
        metavar="DIR",
        help="folder with corpora and runs; default: ~/.orrery",
    )
    parser.add_argument(
        "--port", type=options.positive, metavar="N", help="default: first free port from 8501"
    )
    parser.add_argument(
        "--address",
        default=ADDRESS,
        metavar="ADDRESS",
        help="address of this machine to listen on: IPv4, IPv6 or a name; 0.0.0.0 or :: means all "
        f"addresses and opens the app to your network; default: {ADDRESS}, this machine only",
    )
    parser.add_argument(
        "--read-only",
        action="store_true",
        help="show the workspace only: visitors cannot import, train, change or upload anything",
    )
    parser.add_argument(
        "--token",
        nargs="?",
        const="",
        metavar="TOKEN",
        help="require a token, which is part of the printed address; without TOKEN, the one in the "
        "file orrery/token of your configuration folder (~/.config on Linux), or a random one; "
        "default: only at addresses that others can reach",
    )
    parser.add_argument(
        "--no-token",
        action="store_true",
        help="require no token at addresses that others can reach: for a proxy that asks who is "
        "there",
    )
    parser.add_argument(
        "--view-token",
        nargs="?",
        const="",
        metavar="TOKEN",
        help="with --read-only: a second token for those who only view; with the first one, people "
        "can change the workspace; default: a random one",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")


def run_demo(chosen: argparse.Namespace) -> None:
    """Serve the app with the sample corpus and its model beside the workspace's own."""
    run(chosen, {"ORRERY_DEMO": "1"})


def run(chosen: argparse.Namespace, extra_environment: dict[str, str] | None = None) -> None:
    """Serve the app until it is interrupted."""
    try:
        workspace = chosen.workspace.expanduser().resolve()
    except RuntimeError:
        raise InputError("you have no home folder here; name one with --workspace") from None
    try:
        workspace.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the workspace {workspace} cannot be made: {error.strerror}") from None
    entry = importlib.util.find_spec("orrery.app.server")
    if entry is None or entry.origin is None:
        raise InputError("the app is not installed; install Orrery with pip install orrery")
    environment = {**os.environ, **(extra_environment or {}), "ORRERY_WORKSPACE": str(workspace)}
    environment[READ_ONLY] = "1" if chosen.read_only else "0"
    address = _address_of(chosen.address)
    tokens = _tokens(chosen, address)
    environment |= {TOKEN: "", VIEW_TOKEN: ""} | {use: digest(tokens[use]) for use in tokens}
    port = _choose_port(address, chosen.port)
    _print_addresses(f"http://{_in_browser(address)}:{port}", tokens)
    only_viewed = chosen.read_only and chosen.view_token is None
    if not address.is_loopback:
        _warn(address, port, only_viewed, bool(tokens))
    command = _server_command(entry.origin, address, port, chosen.no_browser)
    if only_viewed:
        command += ["--server.maxUploadSize", "0"]
    # Ctrl-C reaches both processes. The server inherits that the signal is ignored, so it ends
    # without printing "Aborted!"; this process ends it if it does not end by itself.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    signal.signal(signal.SIGINT, handler)
    try:
        try:
            code = server.wait(SECONDS_OF_START)
        except subprocess.TimeoutExpired:
            if not only_viewed:
                from ...core.storage.runs import clean_workspace

                clean_workspace(workspace)
            code = server.wait()
    except KeyboardInterrupt:
        _end(server)
        return
    if code:
        raise OSError(f"the app ended with code {code}; the reason is in its last lines above")


def _end(server: subprocess.Popen[bytes]) -> None:
    """End the server; kill it if it takes too long, or at a second interruption.

    No file is left half-written, because files are written under another name and then moved.
    """
    server.terminate()
    try:
        server.wait(SECONDS_OF_END)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        server.kill()
        server.wait()


def _address_of(name: str) -> IPv4Address | IPv6Address:
    """IP address of a host name or address (InputError if not found)."""
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise InputError(
            f"there is no address {name!r}; give one of this machine, such as {ADDRESS}, or "
            "0.0.0.0 for all of them"
        ) from None
    return ip_address(found[0][4][0])


def _in_browser(address: IPv4Address | IPv6Address) -> str:
    """Host part of a URL for a browser on this machine."""
    own = OWN_ADDRESS.get(str(address), str(address))
    return f"[{own}]" if address.version == 6 else own


def _tokens(chosen: argparse.Namespace, address: IPv4Address | IPv6Address) -> dict[str, str]:
    """Token of each use, by the environment variable of the use; empty if none is required."""
    is_given = chosen.token is not None or chosen.view_token is not None
    if chosen.no_token and is_given:
        raise InputError("--no-token excludes --token and --view-token; leave one of them out")
    if chosen.view_token is not None and not chosen.read_only:
        raise InputError("--view-token is for a read-only server; add --read-only")
    if chosen.no_token or (address.is_loopback and not is_given):
        return {}
    tokens = {TOKEN: checked(chosen.token, "--token") if chosen.token else own_token()}
    if chosen.view_token is not None:
        given = chosen.view_token
        view_token = checked(given, "--view-token") if given else secrets.token_urlsafe()
        if view_token == tokens[TOKEN]:
            raise InputError("both tokens are the same; give another one with --view-token")
        tokens[VIEW_TOKEN] = view_token
    return tokens


def _print_addresses(url: str, tokens: dict[str, str]) -> None:
    if not tokens:
        print(f"Orrery is at {url} (Ctrl-C ends it)", flush=True)
        return
    print(f"Orrery is at {url}/?{PARAMETER}={tokens[TOKEN]} (Ctrl-C ends it)", flush=True)
    if VIEW_TOKEN in tokens:
        print(f"For those who only view: {url}/?{PARAMETER}={tokens[VIEW_TOKEN]}", flush=True)


def _warn(
    address: IPv4Address | IPv6Address, port: int, is_read_only: bool, needs_token: bool
) -> None:
    can = "read everything in the workspace"
    if not is_read_only:
        can = "read and change everything in the workspace, and start long work on this machine"
    if needs_token:
        text = (
            f"anyone who can reach port {port} of {address} and has the token can {can}. Use the "
            "printed address with the name of this machine. The connection is not encrypted: use a "
            "proxy with TLS, or a network that you trust. --no-token leaves out the token, for a "
            "proxy that authenticates people."
        )
    else:
        text = (
            f"anyone who can reach port {port} of {address} can {can}: there is no token. Use "
            "--no-token behind a proxy that authenticates people, and nowhere else."
        )
    print(f"orrery: WARNING: {text}", file=sys.stderr, flush=True)


def _server_command(
    entry: str, address: IPv4Address | IPv6Address, port: int, no_browser: bool
) -> list[str]:
    # The theme is in .streamlit/config.toml beside the entry, where Streamlit finds it from any
    # folder. Settings that protect users are given here, since options override all other sources.
    return [
        *(sys.executable, "-m", "streamlit", "run", entry),
        *("--server.address", str(address), "--server.port", str(port)),
        # Without these two, Streamlit asks a server on the internet for this machine's address.
        *("--browser.serverAddress", _in_browser(address)),
        *("--logger.hideWelcomeMessage", "true"),
        *("--server.headless", str(no_browser).lower()),
        *("--server.showEmailPrompt", "false"),
        *("--browser.gatherUsageStats", "false"),
        *("--client.showErrorLinks", "false"),
        *("--client.toolbarMode", "minimal"),
    ]


def _choose_port(address: IPv4Address | IPv6Address, wanted: int | None) -> int:
    for port in [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + N_PORTS):
        if _is_free(address, port):
            return port
    raise InputError(f"port {wanted or FIRST_PORT} is in use; choose another with --port")


def _is_free(address: IPv4Address | IPv6Address, port: int) -> bool:
    """Whether the app can listen on a port, tested with the socket options of Streamlit."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            if os.name != "nt":
                # On Windows this option would share a port with another program.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            probe.bind((str(address), port))
    except OverflowError:
        raise InputError(f"there is no port {port}; the highest is 65535") from None
    except OSError as error:
        # Windows reserves ports above 1024 too; the next one may be free.
        if error.errno == errno.EACCES and port < MIN_USER_PORT:
            raise InputError(
                f"port {port} is kept for the administrator; choose one from 1024 with --port"
            ) from None
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise InputError(
                f"{address} is no address of this machine; give one that is, such as {ADDRESS}, or "
                "0.0.0.0 for all of them"
            ) from None
        return False
    return True
