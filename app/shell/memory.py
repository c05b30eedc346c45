"""Values kept in a session; the only module that accesses Streamlit's session state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

Made = TypeVar("Made")


def recall(name: str, default: Any = None) -> Any:
    """Value kept in this session."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Keep a value in this session."""
    st.session_state[name] = value


def lasting(key: str) -> dict[str, Any]:
    """Arguments of a widget that keeps its value while another page is open."""
    return {"key": key, "persist_state": "session"}


def made_once(name: str, requested: object, make: Callable[[], Made]) -> Made:
    """Result of ``make`` for what is asked; under each name only the last result is kept."""
    kept: tuple[object, Made] | None = recall(name)
    if kept is None or kept[0] != requested:
        # Free the old result first, so that both are never in memory together.
        forget(name)
        kept = requested, make()
        remember(name, kept)
    return kept[1]


def forget(*names: str) -> None:
    """Drop values; widgets with these keys start with their defaults."""
    for name in names:
        st.session_state.pop(name, None)
