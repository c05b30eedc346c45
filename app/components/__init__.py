"""Parts of a page that Streamlit does not have."""

from __future__ import annotations

from pathlib import Path


def with_tip(styles: Path) -> str:
    """Styles of a component, and those of the tip that all of them show."""
    tip = Path(__file__).with_name("tip.css")
    return "".join(path.read_text(encoding="utf-8") for path in (styles, tip))
