"""Which patterns may look for words: those that take time in proportion to the text.

Regular expressions can take for ever on a text of a line, and a recipe may come from anywhere. So
besides the patterns of Orrery's own, only those are followed that never have to look back far: what
may be repeated, or be one thing or another, stands at the end, and a few signs are enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from orrery.core.errors import InputError

# The usual pattern of scikit-learn, which ends where its repetition cannot but end.
_WELL_KNOWN = frozenset({r"(?u)\b\w\w+\b", r"\b\w\w+\b"})
# Hashes of patterns that earlier versions wrote.
_EARLIER = frozenset({"6b7af368bc6d1a64d015e7e4bb8a08fb8f1262a9907f09b4931e1d5732375dfd"})
_ONE_SIGN = frozenset({kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY, kinds.AT})
# Signs that a match may need at least, and a pattern may have: from every place so many may be read
# in vain.
MOST_NEEDED, LONGEST_PATTERN = 100, 1_000


def check_pattern(pattern: str, own: Iterable[str]) -> None:
    """Refuse a pattern that cannot be followed in time.

    Parameters
    ----------
    pattern : str
    own : iterable of str
        Patterns that are followed whatever they look like.

    Raises
    ------
    InputError
        If it is no regular expression, matches the empty text, or could take for ever.
    """
    if pattern in own or pattern in _WELL_KNOWN or _hash(pattern) in _EARLIER:
        return
    try:
        is_short = len(pattern) <= LONGEST_PATTERN
        is_linear = _never_looks_back(parser.parse(pattern), is_last=True) and is_short
        matches_nothing = is_linear and re.compile(pattern).match("") is not None
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"the token pattern is not a regular expression: {error}") from None
    if not is_linear:
        raise InputError(
            "the token pattern could take for ever on some texts; ask for signs one after the "
            r"other, few of them, of which the last may be repeated, as in \w\w+"
        )
    if matches_nothing:
        raise InputError("the token pattern matches the empty text; ask for one character or more")


def _never_looks_back(parts: Any, is_last: bool) -> bool:
    """Whether all parts of a parsed pattern take one sign, but for the last of all."""
    return all(
        kind in _ONE_SIGN or _ends_soon(kind, value, is_last and position == len(parts) - 1)
        for position, (kind, value) in enumerate(parts)
    )


def _ends_soon(kind: Any, value: Any, is_last: bool) -> bool:
    if kind is kinds.SUBPATTERN:
        return _never_looks_back(value[-1], is_last)
    if kind is kinds.BRANCH:
        return is_last and all(_never_looks_back(parts, is_last) for parts in value[1])
    if kind is kinds.MAX_REPEAT:
        least, _, repeated = value
        is_one_sign = len(repeated) == 1 and repeated[0][0] in _ONE_SIGN
        return is_last and is_one_sign and least <= MOST_NEEDED
    return False


def _hash(pattern: str) -> str:
    return sha256(pattern.encode("utf-8", "surrogatepass")).hexdigest()
