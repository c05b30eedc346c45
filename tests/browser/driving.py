"""The app on a port of its own, and Chromium to look at it."""

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[2]
ADDRESS = "127.0.0.1"
SERVER_SECONDS = 60.0
# A container's root has no sandbox to give; our own site is the only one that is found.
ARGUMENTS = ("--no-sandbox", f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {ADDRESS}")
# Kernels are compiled on a new machine, the kernels of the evaluation the longest. In milliseconds,
# as in Playwright.
PATIENCE = 180_000
# How often a value is read until it is the expected one.
READ_MS = 50
NO_PLAYWRIGHT = "Playwright is not installed; install the extra test"
_REQUESTS, _REPORTS = BackMsg.DESCRIPTOR.fields_by_name, ForwardMsg.DESCRIPTOR.fields_by_name
# Numbers of fields of Streamlit's messages: request for a run of the script, its begin, its end.
_FIELDS = [
    _REQUESTS["rerun_script"].number,
    _REPORTS["new_session"].number,
    _REPORTS["script_finished"].number,
]
_WATCH = """([RERUN, BEGUN, FINISHED]) => {
  let isAsked = false, isRunning = false, requests = 0;
  window.isServerBusy = () => isAsked || isRunning;
  window.countRuns = () => requests;
  const fieldsOf = (data) => {
    const bytes = ArrayBuffer.isView(data) ? data : new Uint8Array(data), fields = [];
    let at = 0;
    const next = () => {
      let value = 0, unit = 1, byte = 0;
      do {
        byte = bytes[at++];
        value += (byte & 127) * unit;
        unit *= 128;
      } while (byte > 127);
      return value;
    };
    while (at < bytes.length) {
      const tag = next(), value = next();
      fields.push(Math.floor(tag / 8));
      if (tag % 8 === 2) at += value;
    }
    return fields;
  };
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        const fields = fieldsOf(data);
        if (fields.includes(BEGUN)) [isAsked, isRunning] = [false, true];
        if (fields.includes(FINISHED)) isRunning = false;
      });
    }
    send(data) {
      if (fieldsOf(data).includes(RERUN)) {
        isAsked = true;
        requests += 1;
      }
      super.send(data);
    }
  };
}"""
# Runs in every page before its own scripts: `isServerBusy` is true from a request for a run of the
# script to the end of the run. Right after a click the page itself still shows the end of the run
# before. `countRuns` is the number of requests for a run.
WATCHES_REQUESTS = f"({_WATCH})({_FIELDS});"
# Whether the script of a page has come to its end, and no other run of it was asked for.
IS_STILL = """() => !window.isServerBusy?.() && document.querySelector('[data-testid=stApp]')
    ?.getAttribute('data-test-script-state') === 'notRunning'"""
# Leads to another address as the buttons of the browser do; resolves when the page has asked for
# the run of the script that draws what is there.
STEPS = """async ([address, patience]) => {
  const before = window.countRuns(), begun = performance.now();
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  while (window.countRuns() === before && performance.now() - begun < patience)
    await new Promise(requestAnimationFrame);
  return window.countRuns() > before;
}"""
Value = TypeVar("Value")
# Frames in which what is drawn follows its window.
FOLLOWING_FRAMES = 15
DRAWS = """async (frames) => {
  for (let n = 0; n < frames; n++) await new Promise(requestAnimationFrame);
}"""
# Resolves when the condition holds, the components are loaded, and nothing on the page has changed
# for this number of frames; a table or a slider sends a change to the server within them. Frames,
# because a slow machine needs as many of them and more time; pictures and charts are drawn after
# the script has ended, some in roots of their own.
STILL_FRAMES, LIVE_MS = 20, 1_000
COMES_TO_REST = f"""async ([frames, patience]) => {{
  let calm = 0;
  const begun = performance.now();
  const watched = new Set(), observer = new MutationObserver(() => {{ calm = 0; }});
  const all = {{ attributes: true, characterData: true, childList: true, subtree: true }};
  const watch = (root) => {{
    if (!watched.has(root)) {{
      watched.add(root);
      observer.observe(root, all);
      calm = 0;
    }}
    for (const one of root.querySelectorAll("*")) if (one.shadowRoot) watch(one.shadowRoot);
  }};
  while (calm < frames && performance.now() - begun < patience) {{
    watch(document);
    await new Promise(requestAnimationFrame);
    const isFetching = document.querySelector('[data-testid=stSkeleton]');
    calm = ({IS_STILL})() && !isFetching ? calm + 1 : 0;
  }}
  observer.disconnect();
  return calm >= frames;
}}"""


class BrowserMissingError(Exception):
    """Why there is no browser to drive."""


@contextmanager
def launched() -> Iterator:
    """Open Chromium, driven by Playwright.

    Raises
    ------
    BrowserMissingError
        Where one of the two is not installed.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise BrowserMissingError(NO_PLAYWRIGHT) from None
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise BrowserMissingError(
            "there is no Chromium on the path; install it with apt-get install chromium"
        )
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def read_until(
    page, read: Callable[[], Value], is_so: Callable[[Value], object], patience: int = PATIENCE
) -> Value:
    """Read a value again and again until it is as expected, and return it.

    Use it where Playwright's ``expect`` has no assertion: files, drawings, positions. ``is_so`` is
    true for the expected value, and is not asked about None, which Playwright answers for the place
    of what is not shown; ``patience`` is in milliseconds.

    Raises
    ------
    AssertionError
        With the value that was read last.
    """
    until = time.monotonic() + patience / 1000
    while (value := read()) is None or not is_so(value):
        assert time.monotonic() < until, f"still {value!r}"
        # Playwright hears of what the page does only in a call of its own.
        page.wait_for_timeout(READ_MS)
    return value


def wait_for_rest(page, *, is_live: bool = False) -> None:
    """Wait until a page of the app has been drawn to its end; a live one never is, so a while."""
    # Present, but invisible while a story is played.
    page.wait_for_selector('[data-testid="stMainBlockContainer"] h1', state="attached")
    patience = LIVE_MS if is_live else PATIENCE
    is_at_rest = page.evaluate(COMES_TO_REST, [STILL_FRAMES, patience])
    assert is_at_rest or is_live, "the page does not come to rest"


def step_to(page, url: str) -> None:
    """Go to another address of the app that a page shows, in the same session, and wait for rest.

    Nothing is loaded anew, which takes most of the time of a first page.
    """
    assert page.evaluate(STEPS, [url, PATIENCE]), f"the page does not follow its address to {url}"
    wait_for_rest(page)


def assert_stayed_text(page, elements: str) -> None:
    """Hold that no name has become one of these elements or has run its script.

    It does not wait for them to go. The scripts of the names in these tests call the page "gone".
    """
    assert page.locator(elements).count() == 0
    # A missing picture runs its script a little later.
    page.evaluate(DRAWS, FOLLOWING_FRAMES)
    assert page.locator(elements).count() == 0
    assert page.title() != "gone"


def resize(page, width: int, height: int) -> None:
    """Give a page another size, and wait until it has followed."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(DRAWS, FOLLOWING_FRAMES)


@contextmanager
def served(
    command: str,
    workspace: Path,
    python: str = sys.executable,
    options: Sequence[str] = (),
    printed: Path | None = None,
) -> Iterator[str]:
    """Serve ``orrery app`` or ``demo`` on a workspace, and answer its address.

    What it prints is written to the file ``printed``, if that is given.
    """
    # A folder far from the project: the app must find its settings from anywhere.
    module = ["orrery", command, "--workspace", str(workspace), "--no-browser", *options]
    with _served(module, "--port", workspace.parent, python, printed) as url:
        yield url


@contextmanager
def served_alone(script: Path) -> Iterator[str]:
    """Serve a script by Streamlit with the app's settings but without it."""
    with _served(["streamlit", "run", str(script)], "--server.port", ROOT / "app") as url:
        yield url


@contextmanager
def _served(
    module: list[str],
    port_option: str,
    folder: Path,
    python: str = sys.executable,
    printed: Path | None = None,
) -> Iterator[str]:
    port = _free_port()
    with nullcontext() if printed is None else printed.open("wb") as output:
        server = subprocess.Popen(
            [python, "-m", *module, port_option, str(port)],
            cwd=folder,
            env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"},
            start_new_session=True,
            stdout=output,
            stderr=output,
        )
    try:
        url = f"http://{ADDRESS}:{port}"
        _wait_until_served(url, server)
        yield url
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGINT)
            server.wait(20)


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
        except (urllib.error.URLError, OSError) as error:
            # A server that requires a token refuses this request.
            if isinstance(error, urllib.error.HTTPError) and error.code == 403:
                return
            time.sleep(0.1)
    raise TimeoutError("the app did not answer in time")
