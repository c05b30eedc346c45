"""Ways from the picture of one page to another page."""

from __future__ import annotations

from orrery.app.session import state


def open_in_graph(key: str) -> None:
    """Go to the Graph page and the topic or word that a node stands for."""
    kind, _, name = key.partition(":")
    state.go_to("graph", {kind: name})


def ask(text: str) -> None:
    """Go to the Query page with a question."""
    state.go_to("query", {"q": text})


def open_documents(**parameters: str) -> None:
    """Go to the Documents page: one document, or those in which a topic is on."""
    state.go_to("documents", parameters)
