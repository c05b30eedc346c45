"""``orrery app``: the app in the browser."""

from __future__ import annotations

import argparse
import errno
import importlib.util
import os
import signal
import socket
import subprocess
import sys
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from ...core.utils.errors import InputError
from ...core.utils.read_only import READ_ONLY
from . import options

ADDRESS = "127.0.0.1"
# What a browser on this machine asks for where the app listens everywhere.
OWN_ADDRESS = {"0.0.0.0": ADDRESS, "::": "::1"}
FIRST_PORT = 8501
PORTS_TRIED = 50
# Below, a port is given to nobody but the administrator.
FIRST_FOR_ALL = 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path("~/.orrery"),
        metavar="DIR",
        help="folder of corpora and runs; default: ~/.orrery",
    )
    parser.add_argument(
        "--port", type=options.positive, metavar="N", help="default: the first free from 8501"
    )
    parser.add_argument(
        "--address",
        default=ADDRESS,
        metavar="ADDRESS",
        help="address of this machine to listen at, IPv4, IPv6 or a name; 0.0.0.0 or :: for all of "
        f"them, which opens the app to your network; default: {ADDRESS}, this machine alone",
    )
    parser.add_argument(
        "--read-only",
        action="store_true",
        help="only show: no import, no training, no change and no upload by whoever opens it",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")


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
    if not chosen.read_only:
        # Here, for it takes numpy and its like along, and help should not wait for them.
        from ...core.storage.runs import sweep_workspace

        sweep_workspace(workspace)
    entry = importlib.util.find_spec("orrery.app.server")
    if entry is None or entry.origin is None:
        raise InputError("the app is not installed; install Orrery with pip install orrery")
    environment = {**os.environ, **(extra_environment or {}), "ORRERY_WORKSPACE": str(workspace)}
    environment[READ_ONLY] = "1" if chosen.read_only else "0"
    address = _address_of(chosen.address)
    port = _choose_port(address, chosen.port)
    print(f"Orrery is at http://{_in_browser(address)}:{port} (Ctrl-C ends it)", flush=True)
    if not address.is_loopback:
        _warn(address, port, chosen.read_only)
    command = _server_command(entry.origin, address, port, chosen.no_browser)
    if chosen.read_only:
        command += ["--server.maxUploadSize", "0"]
    # Ctrl-C reaches both; this one ends the server, which would print that it was aborted.
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    signal.signal(signal.SIGINT, heard)
    try:
        code = server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return
    if code:
        raise OSError(f"the app ended with code {code}; its last lines above say why")


def _address_of(name: str) -> IPv4Address | IPv6Address:
    """Number of an address that may be a name."""
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise InputError(
            f"there is no address {name!r}; give one of this machine, such as {ADDRESS}, or "
            "0.0.0.0 for all of them"
        ) from None
    return ip_address(found[0][4][0])


def _in_browser(address: IPv4Address | IPv6Address) -> str:
    """The address as a browser on this machine wants it."""
    own = OWN_ADDRESS.get(str(address), str(address))
    return f"[{own}]" if address.version == 6 else own


def _warn(address: IPv4Address | IPv6Address, port: int, is_read_only: bool) -> None:
    can = "read everything in the workspace"
    if not is_read_only:
        can = "read and change everything in the workspace, and start long work on this machine"
    print(
        f"orrery: WARNING: anyone who can reach port {port} of {address} can {can}: "
        "there is no password. "
        "Use --address in a network that you trust, or behind a proxy that asks who is there.",
        file=sys.stderr,
        flush=True,
    )


def _server_command(
    entry: str, address: IPv4Address | IPv6Address, port: int, no_browser: bool
) -> list[str]:
    # How the app looks stands in .streamlit/config.toml beside the entry, where Streamlit finds it
    # from any folder. What guards its users is said here, above every other source of settings.
    return [
        *(sys.executable, "-m", "streamlit", "run", entry),
        *("--server.address", str(address), "--server.port", str(port)),
        # With no address for the browser and a greeting to print, Streamlit asks a server on the
        # internet for the address that this machine has there.
        *("--browser.serverAddress", _in_browser(address)),
        *("--logger.hideWelcomeMessage", "true"),
        *("--server.headless", str(no_browser).lower()),
        *("--server.showEmailPrompt", "false"),
        *("--browser.gatherUsageStats", "false"),
        *("--client.showErrorLinks", "false"),
        *("--client.toolbarMode", "minimal"),
    ]


def _choose_port(address: IPv4Address | IPv6Address, wanted: int | None) -> int:
    """The port wanted, or the first free one."""
    for port in [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        if _is_free(address, port):
            return port
    raise InputError(f"port {wanted or FIRST_PORT} is in use; choose another with --port")


def _is_free(address: IPv4Address | IPv6Address, port: int) -> bool:
    """Whether the app can listen there, tried as Streamlit will."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            if os.name != "nt":
                # On Windows this would share a port that another program listens at.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            probe.bind((str(address), port))
    except OverflowError:
        raise InputError(f"there is no port {port}; the highest is 65535") from None
    except OSError as error:
        # From 1024 up, it is Windows that keeps ports to itself, and the next may be free.
        if error.errno == errno.EACCES and port < FIRST_FOR_ALL:
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
