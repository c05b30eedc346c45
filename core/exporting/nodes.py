"""Names of nodes in exported files: unique over topics and tokens, and the same in every format."""

from __future__ import annotations

from collections.abc import Sequence

from orrery.core.graph import Graph

TOKEN_PREFIX = "word:"


def node_ids(graph: Graph, vocabulary: Sequence[str]) -> list[str]:
    """Id of every node: a topic's own, and ``word:WORD`` for a token."""
    prefix = TOKEN_PREFIX
    # A topic's id is permanent, so it is the prefix that gives way.
    while any(topic.startswith(prefix) for topic in graph.topic_ids):
        prefix += ":"
    return [*graph.topic_ids, *(prefix + word for word in vocabulary)]
