"""Labels, words and texts are data: here they are made safe to stand in Markdown or HTML."""

from __future__ import annotations

import html
import re

# Everything that Markdown, KaTeX or Streamlit's directives (":red[…]") could read as markup.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])")


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def html_text(text: str) -> str:
    """Text that HTML shows as it is."""
    return html.escape(text, quote=True)
