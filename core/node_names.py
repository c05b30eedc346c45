"""Names of nodes in files: what tells a topic from a word."""

from __future__ import annotations

# A name that begins so is a topic, even where a word is called the same.
TOPIC_PREFIX = "topic:"
