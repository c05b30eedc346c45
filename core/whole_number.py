"""A whole number as people type it, and as an address or a name has it."""

from __future__ import annotations

# Nobody means more, and Python refuses to read thousands of digits.
MOST_DIGITS = 9


def read_whole_number(text: str) -> int | None:
    """Whole number that a text says, None where it says anything else, or far too much."""
    is_one = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if is_one else None
