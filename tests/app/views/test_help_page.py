"""The Help page shows the guide, and the section for the page before it."""

from __future__ import annotations

import re

import pytest

from orrery.app.shell.strings import PAGE_TITLES
from orrery.app.views.help import page as help_page
from tests.app.pages import open_page
from tests.conftest import ROOT

GUIDE = ROOT / "assets" / "guide"


def open_help(**parameters: str):
    def render() -> None:
        from orrery.app.views.help import page

        page.render()

    return open_page(render, **parameters)


def shown(app) -> str:
    return "\n".join(block.value for block in app.markdown)


def test_every_page_of_the_guide_is_listed_here_and_in_the_readme() -> None:
    assert set(help_page.PAGES) == {path.stem for path in GUIDE.glob("*.md")}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"^\| \[.*?\]\(assets/guide/(\w+)\.md\)", readme, re.MULTILINE)
    assert tuple(linked) == help_page.PAGES


@pytest.mark.parametrize("name", help_page.PAGES)
def test_a_page_of_the_guide_is_shown_whole(demo, name: str) -> None:
    text = shown(open_help(guide=name))
    assert text == help_page.guide_text(name)
    assert text.startswith(f"# {help_page.guide_title(name)}\n")


def test_links_between_pages_of_the_guide_lead_to_the_help_page() -> None:
    guide = "".join(map(help_page.guide_text, help_page.PAGES))
    targets = re.findall(r"\]\(help\?guide=(\w+)\)", guide)
    assert targets
    assert set(targets) <= set(help_page.PAGES)
    assert not re.search(r"\]\([\w/]*\.md", "".join(map(help_page.guide_text, help_page.PAGES)))


@pytest.mark.parametrize("page", [name for name in PAGE_TITLES if name not in ("home", "help")])
def test_the_section_for_the_page_before_comes_first(demo, page: str) -> None:
    section = help_page.page_section(PAGE_TITLES[page])
    assert section
    app = open_help(on=page)
    assert app.markdown[0].value == section
    assert app.subheader[0].value == f"About the page “{PAGE_TITLES[page]}”"


@pytest.mark.parametrize("address", [{}, {"on": "home"}, {"on": "nowhere"}, {"guide": "nowhere"}])
def test_without_a_section_the_first_page_is_shown(demo, address: dict[str, str]) -> None:
    assert shown(open_help(**address)) == help_page.guide_text(help_page.PAGES[0])
