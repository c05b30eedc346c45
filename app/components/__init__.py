"""Parts of a page that Streamlit does not have.

- ``copy_component``: A button that puts a text on the clipboard; the text goes nowhere else
- ``graph_component``: A topic graph that can be clicked: vis-network on a canvas, with nothing
  loaded from the network
- ``map_component``: A map of nested boxes that can be clicked and zoomed, and a small variant
  that is a picture
- ``png_component``: A drawing saved as PNG by the browser, which has the letters and the colours
- ``points_component``: Documents as points that can be moved, zoomed, hovered, selected and
  opened: WebGL, no library
- ``scroll_component``: Brings a part of the page into view once, as soon as it is there
- ``story_component``: The note of a kept view over the page that it is about, with buttons and
  keys to the next
"""

from __future__ import annotations

from pathlib import Path

from ...core.drawing.web_page import asset


def with_parts(*files: Path) -> str:
    """Styles or scripts of a component, after what is common to all components."""
    sources = (path.read_text(encoding="utf-8") for path in files)
    return "\n".join((asset(f"shared/parts{files[0].suffix}"), *sources))
