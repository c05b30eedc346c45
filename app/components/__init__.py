"""Custom Streamlit components, written without JavaScript libraries.

- ``copy_component``: Button that copies a text to the clipboard
- ``graph_component``: Topic graph that can be clicked, as SVG
- ``map_component``: Map of nested boxes that can be clicked and zoomed, as buttons
- ``png_component``: Drawing that the browser saves as PNG
- ``points_component``: Documents as points that can be selected and opened, in WebGL
- ``scroll_component``: Scrolling of the page to one of its parts
- ``story_component``: Note of a kept view above its page, with buttons and keys to the next view
"""

from __future__ import annotations

from pathlib import Path

from ...core.drawing.web_page import asset


def with_parts(*files: Path) -> str:
    """Styles or scripts of a component, preceded by the parts that all components share."""
    sources = (path.read_text(encoding="utf-8") for path in files)
    return "\n".join((asset(f"shared/parts{files[0].suffix}"), *sources))
