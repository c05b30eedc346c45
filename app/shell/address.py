"""The address of a page: a link restores exactly what is shown.

The sidebar learns of every change at once, because a fragment that is drawn alone does not draw
the sidebar.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from . import memory, routing


def get(name: str) -> str:
    """Value of one parameter of the address, or an empty text."""
    return str(st.query_params.get(name, ""))


def has(name: str) -> bool:
    """Whether the address has a parameter, even an empty one."""
    return name in st.query_params


def everything() -> dict[str, list[str]]:
    """All parameters of the address, with all their values."""
    return {name: get_list(name) for name in st.query_params}


def open_empty(name: str) -> None:
    """Give the address a parameter without a value."""
    st.query_params[name] = ""
    routing.keep_address()


def put(name: str, value: str) -> None:
    """Set one parameter of the address; an empty value removes it."""
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]
    routing.keep_address()


def put_all(**values: str) -> None:
    """Set several parameters in one step of the browser's history; empty values remove theirs."""
    kept = {name: get_list(name) for name in st.query_params if name not in values}
    st.query_params.from_dict(kept | {name: text for name, text in values.items() if text})
    routing.keep_address()


def restore(name: str, default: str, options: Sequence[str] | None = None) -> str:
    """Give the widget of this key the value that the address has; call it before the widget.

    The address is the truth: a link, a reload and the browser's "back" all restore the widget.
    Let the widget call ``keep`` when it changes. Values that are not among the options count as
    the default. (Streamlit's own ``bind`` forgets to update the address when several groups of
    buttons are bound.)
    """
    value = str(st.query_params.get(name, default))
    if options is not None and value not in options:
        value = default
    if memory.recall(name) != value:
        memory.remember(name, value)
    return value


def keep(name: str) -> None:
    """Write what a person just chose into the address; an empty text stays in the address.

    Of a widget that stands in the page, but has not shown its value yet, a browser says that
    nothing is chosen.
    """
    chosen = memory.recall(name, "")
    if chosen is None:
        put(name, "")
    else:
        st.query_params[name] = str(chosen)
        routing.keep_address()


def get_list(name: str) -> list[str]:
    """All values of a parameter that may stand in the address several times."""
    return [str(value) for value in st.query_params.get_all(name)]


def put_list(name: str, values: Sequence[str]) -> None:
    """Set such a parameter; without values it is removed."""
    if values:
        st.query_params[name] = list(values)
        routing.keep_address()
    else:
        put(name, "")


def get_set(name: str, allowed: frozenset[str]) -> frozenset[str]:
    """Values of a parameter that holds several, such as ``hide=off,words``."""
    return frozenset(get(name).split(",")) & allowed


def toggle(name: str, value: str, allowed: frozenset[str]) -> None:
    """Add a value to such a parameter, or take it away."""
    put(name, ",".join(sorted(get_set(name, allowed) ^ {value})))
