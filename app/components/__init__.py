"""Parts of a page that Streamlit does not have."""

from __future__ import annotations

from pathlib import Path

from ...core.drawing.web_page import asset


def with_parts(*files: Path) -> str:
    """Styles or scripts of a component, after what is common to all components."""
    sources = (path.read_text(encoding="utf-8") for path in files)
    return "\n".join((asset(f"shared/parts{files[0].suffix}"), *sources))
