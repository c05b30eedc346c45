"""Strings of the Help page."""

from __future__ import annotations

TITLE = "Help"
SENTENCE = "The guide to Orrery. The same pages are in the folder assets/guide of the repository."
CHOICE = "Guide"


def section_heading(page: str) -> str:
    """Heading above the section about the page that the visitor came from."""
    return f"About the page “{page}”"
