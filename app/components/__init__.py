"""Parts of a page that Streamlit does not have."""

from __future__ import annotations

from pathlib import Path


def with_parts(*files: Path) -> str:
    """Styles or scripts of a component, after what is common to all components."""
    parts = Path(__file__).with_name(f"parts{files[0].suffix}")
    return "\n".join(path.read_text(encoding="utf-8") for path in (parts, *files))
