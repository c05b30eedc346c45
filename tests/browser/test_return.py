"""Texts and choices on a page are still there when the visitor returns."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.views.corpus import strings as corpus_words
from orrery.app.views.train import strings
from tests.browser.conftest import Window

pytestmark = pytest.mark.browser


def test_settings_and_uploads_outlast_a_look_at_another_page(
    own_demo: tuple[str, Window], tmp_path: Path
) -> None:
    url, window = own_demo
    page = window.page
    page.goto(f"{url}/train")
    window.wait_until_still()
    page.get_by_text(shared_strings.METHODS["dense-regions"], exact=True).click()
    window.wait_until_still()
    topics = page.get_by_role("textbox", name=strings.TOPICS)
    topics.fill("9, 3")
    topics.press("Enter")
    window.wait_until_still()
    window.follow("Graph")
    window.follow("Train")
    expect(page.get_by_role("textbox", name=strings.TOPICS)).to_have_value("9, 3")

    notes = tmp_path / "notes.txt"
    notes.write_text("star orbit star planet\nmoon star orbit\n" * 30, encoding="utf-8")
    window.follow("Corpus")
    page.locator("input[type=file]").set_input_files(notes)
    page.get_by_text(corpus_words.PREVIEW_OF.format(name=notes.name)).wait_for()
    page.get_by_text(corpus_words.LOWERCASE).click()
    window.wait_until_still()
    window.follow("Home")
    window.follow("Corpus")
    page.get_by_text(corpus_words.UPLOADED_BEFORE.format(name=notes.name)).wait_for()
    page.get_by_text(corpus_words.PREVIEW_OF.format(name=notes.name)).wait_for()
    expect(page.get_by_role("checkbox", name=corpus_words.LOWERCASE)).not_to_be_checked()
    page.get_by_role("button", name=corpus_words.DROP).click()
    page.get_by_text(corpus_words.PREVIEW_OF.format(name=notes.name)).wait_for(state="detached")
    page.get_by_text(corpus_words.UPLOADED_BEFORE.format(name=notes.name)).wait_for(
        state="detached"
    )
