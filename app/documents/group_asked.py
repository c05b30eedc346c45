"""What the Groups page can be asked for, and what it is asked for at first (no streamlit)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from orrery.app.words import groups as words
from orrery.core.text.groups import PERIODS, Grouping, Step

# Given a parameter, its default and its options, the option that is chosen.
Choose = Callable[[str, str, Sequence[str]], str]
# How documents are grouped by a column, or by the likeliest one, told nothing else.
Read = Callable[[str | None], Grouping]


def chosen_grouping(
    read: Read, values: Sequence[str], dated: Sequence[str], choose: Choose
) -> tuple[str, Step | None]:
    """Column of values or dates to group by and, where it holds dates, the periods."""
    column = choose("by", read(None).column, list(dict.fromkeys([*values, *dated])))
    if column not in dated:
        return column, None
    steps = [*(["value"] if column in values else []), *PERIODS]
    return column, cast(Step, choose("periods", read(column).step, steps))


def views_of(grouping: Grouping) -> list[str]:
    """What can be seen of groups; a course, and what is new, only of periods."""
    return [view for view in words.VIEWS if grouping.is_time or view not in ("course", "new")]
