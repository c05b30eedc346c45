"""What a story takes along of a view that the offline explorer cannot work out (no streamlit)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# A page as wide as a phone, and as wide as a screen: pictures are drawn for both.
NARROW, WIDE = 356.0, 940.0

# As JSON can hold it: what the explorer reads of a view.
Picture = dict[str, Any]


def drawn(heading: str, caption: str, draw: Callable[[float], str], **more: Any) -> Picture:
    """A picture with what is said above it; ``draw`` makes an SVG of a width."""
    pictures = {"wide": draw(WIDE), "narrow": draw(NARROW)}
    return {"kind": "picture", "heading": heading, "caption": caption, **pictures, **more}
