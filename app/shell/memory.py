"""What a session remembers: the only module that touches Streamlit's session state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

Made = TypeVar("Made")


def recall(name: str, default: Any = None) -> Any:
    """Value that was remembered in this session."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Keep a value in this session."""
    st.session_state[name] = value


def made_once(name: str, asked: object, make: Callable[[], Made]) -> Made:
    """What was made of what is asked; under a name only the last is kept."""
    kept: tuple[object, Made] | None = recall(name)
    if kept is None or kept[0] != asked:
        # Gone before another is made: the two would be in memory together.
        forget(name)
        kept = asked, make()
        remember(name, kept)
    return kept[1]


def forget(*names: str) -> None:
    """Drop values, so that the widgets of these keys start afresh."""
    for name in names:
        st.session_state.pop(name, None)
