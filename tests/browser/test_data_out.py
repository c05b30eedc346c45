"""Downloads of the Share page arrive: tables as chosen, and the picture as PNG, every time."""

from __future__ import annotations

import csv
import struct
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.browser.conftest import Window
from tests.browser.test_names import model

__all__ = ["model"]

pytestmark = pytest.mark.browser


def downloaded(window: Window, press: Callable[[], None]) -> Path:
    with window.page.expect_download() as download:
        press()
    return Path(download.value.path())


def test_tables_and_the_picture_are_saved(
    serve: Callable[[str], str], open_browser: Callable[[], Window], model: Path
) -> None:
    window = open_browser()
    page = window.page
    page.goto(serve("app") + "/share")
    window.wait_until_still()
    tables = page.locator(".st-key-tables")
    documents = tables.locator(".st-key-table-documents")

    long = downloaded(window, documents.get_by_role("button", name="CSV").click)
    rows = list(csv.reader(long.open(encoding="utf-8-sig")))
    assert rows[0] == ["document", "topic", "name", "probability", "on", "title", "year"]
    tables.get_by_text("A column for each topic").click()
    tables.get_by_text("With standard errors").click()
    window.wait_until_still()
    wide = downloaded(window, documents.get_by_role("button", name="Parquet").click)
    table = pq.read_table(wide)
    assert len(table) == 800
    assert "L1.3 error" in table.column_names
    window.look("share-tables")
    button = tables.locator(".st-key-table-words").get_by_role("button", name="CSV")
    words = downloaded(window, button.click)
    assert {"topic", "word", "lift"} <= set(next(csv.reader(words.open(encoding="utf-8-sig"))))
    download = page.locator(".st-key-download-svg").get_by_role("button")
    assert downloaded(window, download.click).read_bytes().startswith((b"<svg", b"<?xml"))

    for _ in range(2):
        picture = downloaded(window, page.get_by_role("button", name="PNG", exact=True).click)
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert min(struct.unpack(">II", data[16:24])) > 400
        window.wait_until_still()
