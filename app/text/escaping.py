"""Escape labels, words and texts for Markdown, HTML and file names."""

from __future__ import annotations

import html
import re

# Characters that Markdown, KaTeX or Streamlit's directives (":red[…]") could read as markup.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])")

# Streamlit draws ":material/home:" as an icon and "->" as an arrow even if they are escaped.
_DRAWN = re.compile(r":(?=[\w/+-]+:)|[-<>~](?=[->=])")
# Invisible character that keeps its neighbours from being read as one token.
WORD_JOINER = "\u2060"

MAX_FILE_NAME = 80
# Longest name from a URL in a message about it; the ids of documents may be longer.
MAX_ASKED_NAME = 200


def markdown_text(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged."""
    apart = _DRAWN.sub(rf"\g<0>{WORD_JOINER}", " ".join(text.split()))
    return _SPECIAL.sub(r"\\\1", apart)


def asked_name(text: str) -> str:
    """Escape a name from a URL for Markdown, cut to a readable length."""
    whole = text if len(text) <= MAX_ASKED_NAME else f"{text[: MAX_ASKED_NAME - 1]}…"
    return markdown_text(whole)


def html_text(text: str) -> str:
    """Escape a text so that HTML shows it unchanged."""
    return html.escape(text, quote=True)


def file_name(*parts: str) -> str:
    """File name that is valid on every system, from labels with any characters."""
    kept = (re.sub(r"\W+", "-", part).strip("-") for part in parts)
    return "-".join(filter(None, kept))[:MAX_FILE_NAME].rstrip("-").lower() or "orrery"
