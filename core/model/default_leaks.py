"""Default leaks of an external graph; ``--help`` imports them without numpy."""

from __future__ import annotations

# Without active parents, a topic is on in one document of a hundred and a word in one of a
# thousand, so that most words are explained by topics.
TOPIC_LEAK = 0.01
WORD_LEAK = 0.001
