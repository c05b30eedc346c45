"""``orrery app``: the app in the browser."""

from __future__ import annotations

import argparse
import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

from orrery.core.commands import options
from orrery.core.errors import InputError

ADDRESS = "127.0.0.1"
FIRST_PORT = 8501
PORTS_TRIED = 50


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
    entry = importlib.util.find_spec("orrery.app.main")
    if entry is None or entry.origin is None:
        raise InputError("the app is not installed; install Orrery with pip install orrery")
    environment = {**os.environ, **(extra_environment or {}), "ORRERY_WORKSPACE": str(workspace)}
    port = _choose_port(chosen.port)
    print(f"Orrery is at http://{ADDRESS}:{port} (Ctrl-C ends it)", flush=True)
    command = _server_command(entry.origin, port, chosen.no_browser)
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        code = server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return
    if code:
        raise OSError(f"the app ended with code {code}; its last lines above say why")


def _server_command(entry: str, port: int, no_browser: bool) -> list[str]:
    # How the app looks stands in .streamlit/config.toml beside the entry, where Streamlit finds it
    # from any folder. What guards its users is said here, above every other source of settings.
    return [
        *(sys.executable, "-m", "streamlit", "run", entry),
        *("--server.address", ADDRESS, "--server.port", str(port)),
        *("--server.headless", str(no_browser).lower()),
        *("--server.showEmailPrompt", "false"),
        *("--browser.gatherUsageStats", "false"),
        *("--client.showErrorLinks", "false"),
        *("--client.toolbarMode", "minimal"),
    ]


def _choose_port(wanted: int | None) -> int:
    """The port wanted, or the first free one."""
    for port in [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ADDRESS, port))
            except OverflowError:
                raise InputError(f"there is no port {port}; the highest is 65535") from None
            except OSError:
                continue
        return port
    raise InputError(f"port {wanted or FIRST_PORT} is in use; choose another with --port")
