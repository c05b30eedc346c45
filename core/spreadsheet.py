"""Texts in CSV files that people open in a spreadsheet: none is taken for a formula."""

from __future__ import annotations

import re

# What spreadsheets read a formula after, also in its full-width form, and what they skip before it.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def guarded(text: str) -> str:
    """The text, behind an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text that was `guarded`; any other as it is."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
