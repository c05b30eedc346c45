"""A person who opens the printed address uses the app as usual; others see a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.views.corpus import strings as corpus_strings
from tests.browser.appearance import VARIANTS, faults_of, wait_for_scheme
from tests.browser.conftest import SCREENSHOTS, Window, need_sample
from tests.browser.driving import read_until, served, wait_for_rest
from tests.nginx import proxied

pytestmark = pytest.mark.browser

ADDRESS = re.compile(r"http://\S+/\?token=\S+")


def printed_addresses(log: Path) -> list[str]:
    """Addresses that the app printed."""
    return ADDRESS.findall(log.read_text("utf-8"))


@pytest.fixture(scope="module")
def network_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """A demo at all addresses for one kind of person, with what it printed."""
    need_sample()
    folder = tmp_path_factory.mktemp("network")
    log = folder / "log.txt"
    with served("demo", folder / "w", options=("--address", "0.0.0.0"), printed=log) as url:
        yield url, printed_addresses(log)


def test_the_printed_address_opens_the_app(
    network_demo: tuple[str, list[str]], open_browser: Callable[[], Window], tmp_path: Path
) -> None:
    url, [address] = network_demo
    window = open_browser()
    page = window.page
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.headers.get("referer", "")))
    page.goto(f"{url}/query?q=star")
    page.get_by_text(shell_strings.TOKEN_EXPLANATION).wait_for()
    token = address.partition("token=")[2]
    page.goto(address)
    # Redirected by the server, before anything of the page is there.
    assert token not in page.url
    window.wait_until_still()
    assert token not in page.url
    assert not any(token in referrer for referrer in requested)
    # The address with the token is not in the history either.
    page.go_back()
    page.wait_for_url("**/query?q=star*")
    window.wait_until_still()
    page.locator(".orrery-graph .node").nth(2).wait_for()
    assert token not in page.evaluate("document.cookie + document.referrer + location.href")
    for name in ("Graph", "Map", "Documents", "Names"):
        window.follow(name)
    window.follow("Corpus")
    notes = tmp_path / "notes.txt"
    notes.write_text("star orbit star planet\nmoon star orbit\n" * 30, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(notes)
    page.get_by_text(corpus_strings.PREVIEW_OF.format(name=notes.name)).wait_for()
    # A file that the app offers comes from its media.
    window.follow("Share")
    assert page.locator('[data-testid="stException"], [data-testid="stAlert"]').count() == 0
    missing = "() => [...document.images].filter((one) => !one.naturalWidth).length"
    read_until(page, lambda: page.evaluate(missing), lambda found: found == 0)
    # Without the cookie, the same browser sees the form again.
    page.context.clear_cookies()
    page.goto(f"{url}/graph")
    page.get_by_text(shell_strings.TOKEN_EXPLANATION).wait_for()


def look_at_form(page, name: str) -> None:
    """Take a picture of the form in sizes and themes, and check how it looks."""
    SCREENSHOTS.mkdir(exist_ok=True)
    for (width, height), scheme in VARIANTS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        wait_for_scheme(page, scheme)
        assert faults_of(page) == []
        page.screenshot(path=SCREENSHOTS / f"{name}-{width}x{height}-{scheme}.png")


def test_the_form(network_demo: tuple[str, list[str]], open_browser: Callable[[], Window]) -> None:
    url, [address] = network_demo
    window = open_browser()
    page = window.page
    page.goto(f"{url}/query?q=star")
    look_at_form(page, "token-form")
    field = page.get_by_label(shell_strings.TOKEN_LABEL)
    expect(field).to_be_focused()
    field.fill("mistaken")
    field.press("Enter")
    page.get_by_role("alert").filter(has_text=shell_strings.TOKEN_WRONG).wait_for()
    look_at_form(page, "token-form-wrong")
    page.get_by_label(shell_strings.TOKEN_LABEL).fill(address.partition("token=")[2])
    page.get_by_role("button", name=shell_strings.TOKEN_OPEN).click()
    page.wait_for_url("**/query?q=star*")
    page.locator(".orrery-graph .node").nth(2).wait_for()


def test_one_token_to_view_and_one_to_change(
    tmp_path: Path, open_browser: Callable[[], Window]
) -> None:
    need_sample()
    log, workspace = tmp_path / "log.txt", tmp_path / "w"
    options = ("--address", "0.0.0.0", "--read-only", "--view-token")
    with served("demo", workspace, options=options, printed=log):
        owner_address, guest_address = printed_addresses(log)
        owner, guest = open_browser(), open_browser()
        for window, address in ((owner, owner_address), (guest, guest_address)):
            window.page.goto(address)
            window.wait_until_still()
            window.page.goto(re.sub(r"/\?.*", "/query?q=star", address))
            window.page.locator(".orrery-graph .node").first.wait_for()
        owner.page.get_by_role("button", name=shared_strings.KEEP).wait_for()
        guest.wait_until_still()
        assert guest.page.get_by_role("button", name=shared_strings.KEEP).count() == 0
        for window, can_add in ((owner, True), (guest, False)):
            window.page.goto(re.sub(r"/\?.*", "/corpus", owner_address))
            window.wait_until_still()
            refusal = shell_strings.ONLY_SHOWN.format(done=shell_strings.ONLY_SHOWN_DONE["corpus"])
            refused, upload = window.page.get_by_text(refusal), "input[type=file]"
            (window.page.locator(upload) if can_add else refused).wait_for(state="attached")
            assert refused.count() == (not can_add)
            assert window.page.locator(upload).count() == can_add
        notes = tmp_path / "notes.txt"
        notes.write_text("star orbit star planet\nmoon star orbit\n" * 30, encoding="utf-8")
        owner.page.locator("input[type=file]").set_input_files(notes)
        owner.page.get_by_text(corpus_strings.PREVIEW_OF.format(name=notes.name)).wait_for()
        owner.page.get_by_role("button", name=corpus_strings.SAVE).click()
        owner.page.get_by_role("button", name=corpus_strings.TO_TRAIN).wait_for()
        assert (workspace / "corpora" / "notes" / "corpus.json").is_file()


def test_the_app_behind_a_proxy(
    network_demo: tuple[str, list[str]], chromium, tmp_path: Path
) -> None:
    url, [address] = network_demo
    folder = tmp_path / "proxy"
    folder.mkdir()
    context = chromium.new_context(ignore_https_errors=True)
    try:
        with proxied(url, folder) as outside:
            page = context.new_page()
            page.goto(f"{outside}/?token={address.partition('token=')[2]}")
            wait_for_rest(page)
            expect(page).to_have_url(re.compile(f"^{re.escape(outside)}/"))
            page.goto(f"{outside}/query?q=star")
            wait_for_rest(page)
            page.locator(".orrery-graph .node").first.wait_for()
            [cookie] = [one for one in context.cookies() if one["name"].startswith("orrery-")]
            assert cookie["secure"]
            assert cookie["httpOnly"]
            assert cookie["sameSite"] == "Lax"
            assert cookie["path"] == "/topics"
    finally:
        context.close()
