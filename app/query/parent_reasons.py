"""Where the topics above a topic have it from: one that is on because of it is no reason for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from orrery.app.graph.links import node_name
from orrery.app.graph.selection import topic_probability
from orrery.app.query.why import label
from orrery.app.words import why as words
from orrery.core.explanation import Message, explain
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.inference import Posterior

if TYPE_CHECKING:
    from orrery.core.run import Run

# So many topics above are spoken of, where they double the odds or look as if they did.
MOST_ABOVE = 2
TELLING = math.log(2.0)


def parent_reasons(
    run: Run, posterior: Posterior, topic: int, messages: Sequence[Message]
) -> list[str]:
    """Say of topics above what they would be without a topic, and what they are then on by.

    A topic hears from one above only what that one has from elsewhere (MATH §10.1), and the same
    is said here.

    Parameters
    ----------
    run : Run
    posterior : Posterior
    topic : int
        The topic that is explained.
    messages : sequence of Message
        Those that reach it.
    """
    known = topic_probability(posterior)
    by_hand = posterior.evidence.on + posterior.evidence.off
    above = sorted(
        (m for m in messages if m.source == "parent" and m.node not in by_hand),
        key=lambda message: -message.log_odds,
    )
    said = []
    for message in above:
        name, itself = node_name(run, _node(message)), message.itself or 0.0
        if itself <= ON_THRESHOLD < known[_node(message)]:
            said.append(words.circular(name, itself))
        elif message.log_odds >= TELLING:
            source = _main_source(run, posterior, message, topic)
            said.append(words.above_itself(name, itself, source))
    return said[:MOST_ABOVE]


def _main_source(run: Run, posterior: Posterior, message: Message, topic: int) -> str:
    """What speaks most for a topic above, but for the topic below it that is explained."""
    heard = explain(run.network, posterior, _node(message))
    others = [other for other in heard if (other.source, other.node) != ("child", topic)]
    return label(run, max(others, key=lambda other: other.log_odds))


def _node(message: Message) -> int:
    return -1 if message.node is None else message.node
