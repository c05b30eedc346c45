"""The one layout of pages with controls: those on the left, what they do on the right."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

CONTROLS_WIDTH = 300


def controls_and_picture() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return a narrow column for controls and the rest of the page for what they do."""
    with st.container(horizontal=True, wrap=False, gap="large", key="two-columns"):
        controls = st.container(width=CONTROLS_WIDTH, key="controls")
        picture = st.container(key="picture")
    return controls, picture
