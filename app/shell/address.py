"""The URL of a page: a link restores exactly what is shown.

Every change is passed on to the sidebar, since a fragment that is drawn alone does not redraw it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from . import memory, routing


def get(name: str) -> str:
    """Value of a parameter of the URL, or an empty text."""
    return str(st.query_params.get(name, ""))


def has(name: str) -> bool:
    """Whether the URL has a parameter, even an empty one."""
    return name in st.query_params


def everything() -> dict[str, list[str]]:
    """All parameters of the URL, with all their values."""
    return {name: get_list(name) for name in st.query_params}


def open_empty(name: str) -> None:
    """Add a parameter without a value to the URL."""
    st.query_params[name] = ""
    routing.keep_address()


def put(name: str, value: str) -> None:
    """Set a parameter of the URL; an empty value removes it."""
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]
    routing.keep_address()


def put_all(**values: str) -> None:
    """Set several parameters in one step of the browser's history; empty values remove them."""
    kept = {name: get_list(name) for name in st.query_params if name not in values}
    st.query_params.from_dict(kept | {name: text for name, text in values.items() if text})
    routing.keep_address()


def restore(name: str, default: str, options: Sequence[str] | None = None) -> str:
    """Set the widget with this key to the value in the URL; call it before the widget.

    The URL is the state: a link, a reload and the browser's "back" all restore the widget. The
    widget calls ``keep`` when it changes. A value that is not among the options counts as the
    default. (Streamlit's ``bind`` does not update the URL if several groups of buttons are bound.)
    """
    value = str(st.query_params.get(name, default))
    if options is not None and value not in options:
        value = default
    if memory.recall(name) != value:
        memory.remember(name, value)
    return value


def keep(name: str) -> None:
    """Write the value that a person chose into the URL; an empty text stays in the URL.

    A widget that is on the page but has not shown its value yet reports that nothing is chosen.
    """
    chosen = memory.recall(name, "")
    if chosen is None:
        put(name, "")
    else:
        st.query_params[name] = str(chosen)
        routing.keep_address()


def keep_from_start(name: str) -> None:
    """Write the value that a person chose into the URL, and return to the first page of a list."""
    put_all(**{name: str(memory.recall(name) or ""), "page": ""})


def restore_list(name: str, options: Collection[str], most: int | None = None) -> list[str]:
    """`restore` for a parameter that may occur several times; other values are ignored."""
    values = [value for value in get_list(name) if value in options][:most]
    if memory.recall(name) != values:
        memory.remember(name, values)
    return values


def keep_list(name: str) -> None:
    """Write the values that a person chose into the URL, and return to the first page of a list."""
    put("page", "")
    put_list(name, memory.recall(name))


def get_list(name: str) -> list[str]:
    """All values of a parameter that may occur several times."""
    return [str(value) for value in st.query_params.get_all(name)]


def put_list(name: str, values: Sequence[str]) -> None:
    """Set a parameter that may occur several times; without values it is removed."""
    if values:
        st.query_params[name] = list(values)
        routing.keep_address()
    else:
        put(name, "")


def get_set(name: str, allowed: frozenset[str]) -> frozenset[str]:
    """Values of a parameter that has several, separated by commas: ``hide=off,words``."""
    return frozenset(get(name).split(",")) & allowed


def toggle(name: str, value: str, allowed: frozenset[str]) -> None:
    """Add a value to a comma-separated parameter, or remove it."""
    put(name, ",".join(sorted(get_set(name, allowed) ^ {value})))
