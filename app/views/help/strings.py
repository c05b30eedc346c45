"""Strings of the Help page."""

from __future__ import annotations

TITLE = "Help"
SENTENCE = "The guide to Orrery. The same pages are in the folder assets/guide of the repository."
CHOICE = "Guide"
SECTION_HEADING = "About the page “{page}”"
