"""Labels, words and texts are data: here they are escaped for Markdown and HTML."""

from __future__ import annotations

import html
import re

# Everything that Markdown, KaTeX or Streamlit's directives (":red[…]") could read as markup.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])")

# Streamlit draws ":material/home:" as an icon and "->" as an arrow even where they are escaped.
_DRAWN = re.compile(r":(?=[\w/+-]+:)|[-<>~](?=[->=])")
# Invisible, and enough to keep two characters from being read as one token.
WORD_JOINER = "\u2060"

LONGEST_NAME = 80
# Of what an address asks for and nothing is called by; the names of people's documents are longer.
LONGEST_ASKED = 200


def markdown_text(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged."""
    apart = _DRAWN.sub(rf"\g<0>{WORD_JOINER}", " ".join(text.split()))
    return _SPECIAL.sub(r"\\\1", apart)


def asked_name(text: str) -> str:
    """Escape for Markdown what an address asks for, cut where it is longer than anybody reads."""
    whole = text if len(text) <= LONGEST_ASKED else f"{text[: LONGEST_ASKED - 1]}…"
    return markdown_text(whole)


def html_text(text: str) -> str:
    """Escape a text so that HTML shows it unchanged."""
    return html.escape(text, quote=True)


def file_name(*parts: str) -> str:
    """File name that every system accepts, from labels that may contain anything."""
    kept = (re.sub(r"\W+", "-", part).strip("-") for part in parts)
    return "-".join(filter(None, kept))[:LONGEST_NAME].rstrip("-").lower() or "orrery"
