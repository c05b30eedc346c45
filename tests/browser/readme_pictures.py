"""The README's pictures, taken anew from the demo: ``python -m tests.browser.readme_pictures``."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from tests.browser.driving import ROOT, launched, served, wait_for_rest

SIZE = {"width": 1280, "height": 800}
SPACE, COMPUTERS = "space shuttle program launch", "windows program memory"
# By the name of its file: what the address asks for, and what has been drawn once it is there.
PICTURES = {
    "query": ("query", {"q": SPACE}, ".orrery-graph .node"),
    "compare": ("query", {"q": SPACE, "q2": COMPUTERS}, ".orrery-graph .node"),
    "graph": ("graph", {}, ".orrery-map .box"),
    "map": ("map", {}, ".orrery-points .stage[data-labels]"),
}
# A picture is fitted to its room after the page has come to rest, by an observer.
FITTED_MS = 2000
PATIENCE = 120_000


def main() -> None:
    """Take all pictures, in the light theme."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.readme_pictures")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "assets" / "readme", help="default: assets/readme"
    )
    out = parser.parse_args().out
    with (
        tempfile.TemporaryDirectory() as folder,
        launched() as browser,
        served("demo", Path(folder, "workspace")) as url,
    ):
        page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        page.set_default_timeout(PATIENCE)
        for name, (place, requested, drawn) in PICTURES.items():
            page.goto(f"{url}/{place}?{urlencode(requested)}")
            page.locator(drawn).first.wait_for()
            wait_for_rest(page)
            page.wait_for_timeout(FITTED_MS)
            page.screenshot(path=out / f"{name}.png")


if __name__ == "__main__":
    main()
