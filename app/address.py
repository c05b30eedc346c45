"""The address of a page: a link restores exactly what is shown."""

from __future__ import annotations

import streamlit as st

from app import state


def get(name: str) -> str:
    """Value of one parameter of the address, or an empty text."""
    return str(st.query_params.get(name, ""))


def put(name: str, value: str) -> None:
    """Set one parameter of the address; an empty value removes it."""
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def start(widget: str, value: str) -> None:
    """Give a widget that is bound to the address a value to start with, where it has none."""
    if state.recall(widget) is None and widget not in st.query_params:
        state.remember(widget, value)


def get_set(name: str, allowed: frozenset[str]) -> frozenset[str]:
    """Values of a parameter that holds several, such as ``hide=off,words``."""
    return frozenset(get(name).split(",")) & allowed


def toggle(name: str, value: str, allowed: frozenset[str]) -> None:
    """Add a value to such a parameter, or take it away."""
    put(name, ",".join(sorted(get_set(name, allowed) ^ {value})))
