"""The real app in a real browser that can reach nothing but this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from orrery.app.workspace import runs
from tests.browser.appearance import SCHEMES, VARIANTS, faults_of, wait_for_scheme
from tests.browser.driving import (
    ADDRESS,
    NO_PLAYWRIGHT,
    PATIENCE,
    ROOT,
    WATCHES_REQUESTS,
    BrowserMissingError,
    launched,
    read_until,
    resize,
    served,
    step_to,
    wait_for_rest,
)

SCREENSHOTS = Path(__file__).parent / "screenshots"
OpenPage = Callable[[bytes], "object"]
Record = Callable[[str, object], None]
# Counters for the page of trials.
QUERIED, REQUESTED_OUTSIDE = "requests of browsers", "requests outside of this machine"
# All texts of the corner menu, with the names of its icons.
MENU = ["contrast", "System", "light_mode", "Light", "dark_mode", "Dark", "About"]
SIZE = (1280, 800)
# Its size, and of buttons, fields and what is scrolled: place, size, how far, and name.
WHAT_IS_SHOWN = """() => {
  const found = [...document.querySelectorAll("*")].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const named = [one.tagName, one.dataset.testid, one.getAttribute("aria-label"), one.innerText];
    const place = [left, top, width, height, one.scrollLeft, one.scrollTop].map(Math.round);
    const isTold = one.scrollTop || one.scrollLeft ||
      one.matches("button, input, textarea, h1, [data-baseweb=popover], [data-testid=stToast]");
    return isTold ? `${place}: ${named.join(" ").replace(/\\s+/g, " ").slice(0, 100)}` : "";
  });
  return [`${innerWidth},${innerHeight}`, ...found.filter(Boolean)].join("\\n");
}"""

try:
    from playwright.sync_api import expect
except ModuleNotFoundError:
    HAS_PLAYWRIGHT = False
else:
    HAS_PLAYWRIGHT = True
    # A page is read by what waits until it shows what is expected, as long as all else may take.
    expect.set_options(timeout=PATIENCE)


class UnavailableModule(pytest.Module):
    """A module of tests that cannot be imported, because Playwright is missing."""

    def collect(self):
        """Skip all its tests, or fail."""
        unavailable(NO_PLAYWRIGHT)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector):
    """Import no module of this folder where Playwright is missing."""
    if HAS_PLAYWRIGHT:
        return None
    return UnavailableModule.from_parent(parent, path=module_path)


def unavailable(reason: str) -> None:
    """Skip, or fail where the browser tests are required."""
    if os.environ.get("ORRERY_BROWSER") == "required":
        pytest.fail(f"the browser tests are required, and {reason}")
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the content of the windows to the report of a failure, also for later readers."""
    report = yield
    if report.when == "call" and report.failed:
        for number, window in enumerate(Window.open):
            report.sections.append((f"window {number}", window.reported()))
    return report


@pytest.fixture(scope="session")
def chromium(compiled: None) -> Iterator:
    """Return Chromium, driven by Playwright; servers load what was compiled before."""
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(launched())
        except BrowserMissingError as missing:
            unavailable(str(missing))
        yield browser


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that starts ``orrery app`` or ``demo`` on a workspace of its own."""
    workspace = tmp_path / "workspace"
    with ExitStack() as stack:
        yield lambda command: stack.enter_context(served(command, workspace))
        for job in runs.list_jobs(workspace / "runs"):
            runs.stop(job.folder)


@pytest.fixture
def open_page(chromium, tmp_path: Path, record_property: Record) -> Iterator[OpenPage]:
    """Return a function that opens a page from disk, in a browser that may fetch nothing else."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    requested: list[str] = []
    failed: list[str] = []
    path = tmp_path / "page.html"

    def open_it(data: bytes):
        path.write_bytes(data)
        page = context.new_page()
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.on("console", lambda message: failed.append(message.text))
        page.goto(path.as_uri())
        return page

    yield open_it
    context.close()
    outside = [url for url in requested if url.partition("#")[0] != path.as_uri()]
    record_property(QUERIED, len(requested))
    record_property(REQUESTED_OUTSIDE, len(outside))
    assert requested
    assert outside == []
    assert failed == []


@pytest.fixture
def open_browser(chromium, record_property: Record) -> Iterator[Callable[[], Window]]:
    """Return a function that opens a fresh browser with an empty memory."""
    opened = []

    def start() -> Window:
        opened.append(Window(new_context(chromium)))
        return opened[-1]

    yield start
    for window in opened:
        window.close()
        window.context.close()
        window.report(record_property)


def new_context(chromium):
    """A browser with an empty memory, whose pages tell when the server is busy with them."""
    width, height = SIZE
    context = chromium.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCHES_REQUESTS)
    return context


class Window:
    """A browser window, and all that it asks for; nothing but this machine answers it."""

    open: ClassVar[set[Window]] = set()

    def __init__(self, context) -> None:
        Window.open.add(self)
        self.outside: list[str] = []
        self.crashes: list[str] = []
        self.requests = 0
        self.context = context
        # Listened to, not intercepted: Chromium has no cache where requests are intercepted.
        context.on("request", self._count_request)
        self.page = context.new_page()
        # A visitor who leaves in spite of unsaved changes.
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.on("websocket", lambda socket: self._count(socket.url))
        self.page.on("pageerror", lambda error: self.crashes.append(str(error)))

    def _count_request(self, request) -> None:
        self._count(request.url)

    def _count(self, url: str) -> None:
        self.requests += 1
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname != ADDRESS:
            self.outside.append(url)

    def wait_until_still(self, *, is_live: bool = False) -> None:
        """Wait until the page has been drawn to its end; one of a running training never is.

        Directly after a click or a key, it also waits for the run of the script that they request.
        """
        wait_for_rest(self.page, is_live=is_live)

    def show(self, url: str) -> None:
        """Go to an address, and wait; within the app, where the window shows it already.

        Where a session has to begin with the address, the test loads it by ``page.goto``.
        """
        if urlsplit(self.page.url)[:2] == urlsplit(url)[:2]:
            step_to(self.page, url)
        else:
            self.page.goto(url)
            self.wait_until_still()

    def follow(self, name: str) -> None:
        """Go to another page by the sidebar."""
        self.page.get_by_role("link", name=name, exact=True).click()
        self.page.get_by_role("heading", name=name, level=1).wait_for()
        self.wait_until_still()

    def menu(self) -> list[str]:
        """Lines of the menu in the corner, which is closed again."""
        shown = self.page.get_by_test_id("stMainMenuPopover")
        self.page.get_by_role("button", name="Main menu").click()
        shown.get_by_text(MENU[-1], exact=True).wait_for()
        lines = shown.inner_text().split("\n")
        self.page.keyboard.press("Escape")
        shown.wait_for(state="hidden")
        return [line for line in lines if line.strip()]

    def look(self, name: str, *, is_live: bool = False) -> None:
        """Take a picture in sizes and themes, and check what a picture cannot show."""
        SCREENSHOTS.mkdir(exist_ok=True)
        # The element under the pointer has more text than the page.
        self.page.mouse.move(0, 0)
        faults = {}
        for (width, height), scheme in VARIANTS:
            if self.page.viewport_size != {"width": width, "height": height}:
                resize(self.page, width, height)
            self.page.emulate_media(color_scheme=scheme)
            wait_for_scheme(self.page, scheme)
            faults[width, scheme] = faults_of(self.page)
            self.page.screenshot(path=SCREENSHOTS / f"{name}-{width}x{height}-{scheme}.png")
        self.page.emulate_media(color_scheme=SCHEMES[0])
        self.page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
        self.wait_until_still(is_live=is_live)
        assert {state: found for state, found in faults.items() if found} == {}

    def parameter(self, name: str) -> str:
        """Value of a parameter of the address."""
        return parse_qs(urlsplit(self.page.url).query).get(name, [""])[0]

    def wait_for_parameter(self, name: str, value: str) -> None:
        """Wait until a parameter of the address has a value."""
        read_until(self.page, lambda: self.parameter(name), lambda found: found == value)

    def reported(self) -> str:
        """Content of the page and its address, as far as the page still answers."""
        try:
            seen = self.page.evaluate(WHAT_IS_SHOWN)
        except Exception as error:
            seen = str(error)
        return f"{self.page.url}\n{seen}"

    def close(self) -> None:
        """Close the window for good."""
        Window.open.discard(self)
        for page in self.context.pages:
            page.close()
        self.context.remove_listener("request", self._count_request)

    def forget(self, url: str) -> None:
        """Forget what an app has stored in the browser, but not its scripts."""
        session = self.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
        session.detach()

    def report(self, record_property: Record) -> None:
        """Hold that nothing outside was requested and no script failed, and record the counts."""
        record_property(QUERIED, self.requests)
        record_property(REQUESTED_OUTSIDE, len(self.outside))
        assert self.outside == [], "the app asked for something outside this machine"
        assert self.crashes == [], "a script of the page failed"


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a demo for all tests of a process that leave nothing behind in it."""
    need_sample()
    with served("demo", tmp_path_factory.mktemp("shown") / "workspace") as url:
        yield url


@pytest.fixture(scope="session")
def shared_context(chromium) -> Iterator:
    """Return a browser that has the scripts of the shared demo, and need not compile them anew."""
    context = new_context(chromium)
    yield context
    context.close()


@pytest.fixture
def demo(shown: str, shared_context, record_property: Record) -> Iterator[tuple[str, Window]]:
    """Return the address of the demo, and a window with an empty memory that has not gone there.

    Others go there as well: a test that keeps, names or trains something takes `own_demo`.
    """
    window = Window(shared_context)
    window.forget(shown)
    yield shown, window
    window.close()
    window.report(record_property)


@pytest.fixture
def own_demo(serve: Callable[[str], str], open_browser: Callable[[], Window]) -> tuple[str, Window]:
    """Return the address of a demo for this test alone, and a browser."""
    need_sample()
    return serve("demo"), open_browser()


def need_sample() -> None:
    """Skip, or fail, where a demo would have nothing to show."""
    if not any((ROOT / "sample_data").rglob("model.json")):
        unavailable("the sample has no trained model; see sample_data/README.md")
