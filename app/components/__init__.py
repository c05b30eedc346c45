"""Custom Streamlit components, written without JavaScript libraries.

- ``buttons``: Small components: copy a text, save a drawing as PNG, scroll the page, complete a
  query
- ``graph_component``: Topic graph that can be clicked, as SVG
- ``map_component``: Map of nested boxes that can be clicked and zoomed, as buttons
- ``points_component``: Documents as points that can be selected and opened, in WebGL
- ``story_component``: Note of a kept view above its page, with buttons and keys to the next view
"""

from __future__ import annotations

from pathlib import Path

from ...core.drawing.web_page import asset


def with_parts(*files: Path) -> str:
    """Styles or scripts of a component, preceded by the parts that all components share."""
    sources = (path.read_text(encoding="utf-8") for path in files)
    return "\n".join((asset(f"shared/parts{files[0].suffix}"), *sources))
