"""Changes that a person makes to how topics are shown, written beside the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.frame import page
from orrery.app.session import choice
from orrery.app.workspace import catalog
from orrery.core.overlay import Overlay
from orrery.core.read_only import is_read_only
from orrery.core.storage.overlay import change_overlay

if TYPE_CHECKING:
    from orrery.core.run import Run


def is_fixed() -> bool:
    """Whether the model is one that cannot be changed, such as the sample, or nothing can here."""
    place = choice.model_place()
    return is_read_only() or place is None or place.read_only


def key_for(run: Run, name: str) -> str:
    """Key of what changes this model: a click on it is for no other that is shown instead by then.

    Topics have the same ids in every model.
    """
    return f"{name}-{run.folder.name}"


def change(run: Run, make: Callable[[Overlay], Overlay]) -> None:
    """Save a person's change and draw the page again, or say why it cannot be saved."""
    try:
        change_overlay(run.folder / "model", make)
    except page.FAILURES as error:
        page.show_failure(error)
        return
    st.rerun()


def copy_model() -> None:
    """Copy a model that cannot be changed into the workspace, and switch to the copy."""
    place = choice.model_place()
    if place is None:
        return
    try:
        copied = catalog.copy_model(place)
    except page.FAILURES as error:
        page.show_failure(error)
        return
    choice.choose_model(copied.name)
    st.rerun()
