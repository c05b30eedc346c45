"""What a session remembers: the only module that touches Streamlit's session state."""

from __future__ import annotations

from typing import Any

import streamlit as st


def recall(name: str, default: Any = None) -> Any:
    """Value that was remembered in this session."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Keep a value in this session."""
    st.session_state[name] = value


def forget(*names: str) -> None:
    """Drop values, so that the widgets of these keys start afresh."""
    for name in names:
        st.session_state.pop(name, None)
