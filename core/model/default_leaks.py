"""Leaks of a graph from elsewhere that brings none; ``--help`` reads them without loading more."""

from __future__ import annotations

# A topic is on by itself in one document of a hundred, and a word in one of a thousand: what is
# seen is mostly explained by the topics.
TOPIC_LEAK = 0.01
WORD_LEAK = 0.001
