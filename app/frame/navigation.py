"""Links from the picture on one page to another page."""

from __future__ import annotations

from orrery.app.session import routing


def open_in_graph(key: str) -> None:
    """Go to the Graph page and the topic or word that a node stands for."""
    kind, _, name = key.partition(":")
    routing.go_to("graph", {kind: name})


def ask(text: str) -> None:
    """Go to the Query page with a question."""
    routing.go_to("query", {"q": text})


def open_documents(**parameters: str) -> None:
    """Go to the Documents page: one document, or those in which a topic is on."""
    routing.go_to("documents", parameters)
