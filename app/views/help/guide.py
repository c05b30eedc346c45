"""Pages of the guide, read from the assets (no Streamlit)."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# Pages in the order of the README, by the names of their files.
PAGES = ("using", "python", "formats", "graphs", "method", "quality", "trust", "server")
_FOLDER = files("orrery.assets") / "guide"
_LINK = re.compile(r"\]\((\w+)\.md(#[\w-]+)?\)")


@cache
def text(name: str) -> str:
    """Markdown of a page of the guide; links to other pages lead to the Help page."""
    source = (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
    return _LINK.sub(r"](help?guide=\1)", source)


def title(name: str) -> str:
    """Title of a page of the guide: its first heading."""
    return text(name).partition("\n")[0].removeprefix("# ")


def section(page: str) -> str:
    """Section of *Using Orrery* about a page of the app, without its heading, or "".

    ``page`` is the title of the page, as in the heading "## Graph, Map, Documents, Groups".
    """
    for part in text("using").split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        if page in heading.split(", "):
            return body.strip()
    return ""
