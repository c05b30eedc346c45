"""The real app in a real browser that can reach nothing but this machine."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from app import jobs

ROOT = Path(__file__).parents[2]
SCREENSHOTS = Path(__file__).parent / "screenshots"
ADDRESS = "127.0.0.1"
SIZES = ((1280, 800), (1920, 1080))
SCHEMES = ("light", "dark")
SERVER_SECONDS = 60.0
# Kernels are compiled on a machine that has never seen them, those of the judgement the longest.
PATIENCE = 180_000


def unavailable(reason: str) -> None:
    """Skip, or fail where the browser tests are required."""
    if os.environ.get("ORRERY_BROWSER") == "required":
        pytest.fail(f"the browser tests are required, and {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator:
    """Return Chromium, driven by Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        unavailable("Playwright is not installed; install the extra test")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        unavailable("there is no Chromium on the path; install it with apt-get install chromium")
    with sync_playwright() as driver:
        # A container's root has no sandbox to give; the only site visited is our own.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that starts ``orrery app`` or ``demo`` on a workspace of its own."""
    workspace = tmp_path / "workspace"
    servers = []

    def start(command: str) -> str:
        port = _free_port()
        arguments = ["--workspace", str(workspace), "--port", str(port), "--no-browser"]
        # A folder far from the project: the app must find its settings from anywhere.
        server = subprocess.Popen(
            [sys.executable, "-m", "core", command, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )
        servers.append(server)
        url = f"http://{ADDRESS}:{port}"
        _wait_until_served(url, server)
        return url

    yield start
    for job in jobs.list_jobs(workspace / "runs"):
        jobs.stop(job.folder)
    for server in servers:
        os.killpg(server.pid, signal.SIGINT)
        server.wait(20)


@pytest.fixture
def open_browser(chromium) -> Iterator[Callable[[], Window]]:
    """Return a function that opens a fresh browser with an empty memory."""
    opened = []

    def start() -> Window:
        width, height = SIZES[0]
        context = chromium.new_context(viewport={"width": width, "height": height})
        opened.append(Window(context))
        return opened[-1]

    yield start
    for window in opened:
        window.close()
        assert window.outside == [], "the app asked for something outside this machine"
        assert window.crashes == [], "a script of the page failed"


class Window:
    """A browser window that lets nothing through but requests to this machine."""

    def __init__(self, context) -> None:
        self.outside: list[str] = []
        self.crashes: list[str] = []
        self._context = context
        context.set_default_timeout(PATIENCE)
        context.route("**/*", self._let_through)
        self.page = context.new_page()
        self.page.on("request", lambda request: self._note(request.url))
        self.page.on("websocket", lambda socket: self._note(socket.url))
        self.page.on("pageerror", lambda error: self.crashes.append(str(error)))

    def _note(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname != ADDRESS:
            self.outside.append(url)

    def _let_through(self, route) -> None:
        if urlsplit(route.request.url).hostname == ADDRESS:
            route.continue_()
        else:
            self._note(route.request.url)
            route.abort()

    def settle(self) -> None:
        """Wait until the page has been drawn to its end."""
        self.page.wait_for_selector('[data-testid="stMainBlockContainer"] h1')
        self.page.wait_for_function(
            "() => document.querySelector('[data-testid=stApp]')"
            "?.getAttribute('data-test-script-state') === 'notRunning'"
        )
        # Charts and pictures are drawn after the script has ended.
        self.page.wait_for_timeout(900)

    def look(self, name: str) -> None:
        """Take a picture in both sizes and themes, and check what a picture cannot show."""
        SCREENSHOTS.mkdir(exist_ok=True)
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                self.page.emulate_media(color_scheme=scheme)
                self.settle()
                self.page.screenshot(path=SCREENSHOTS / f"{name}-{width}x{height}-{scheme}.png")
            self._check_page()
        self.page.emulate_media(color_scheme=SCHEMES[0])
        self.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        self.settle()

    def _check_page(self) -> None:
        assert self.page.locator('[data-testid="stException"]').count() == 0
        assert self.page.evaluate(
            "() => document.documentElement.scrollWidth <= window.innerWidth"
        ), "the page is wider than the window"

    def parameter(self, name: str) -> str:
        """Value of a parameter of the address."""
        return parse_qs(urlsplit(self.page.url).query).get(name, [""])[0]

    def close(self) -> None:
        """Close the window for good."""
        self._context.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        return probe.getsockname()[1]


def _wait_until_served(url: str, server: subprocess.Popen) -> None:
    until = time.monotonic() + SERVER_SECONDS
    while time.monotonic() < until:
        assert server.poll() is None, "the app ended before it was there"
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail("the app did not answer in time")
