"""Topics held on or off by hand, as they stand in the address: ``T0012:on,T0040:off``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

STATES = ("on", "off")


def read_held(text: str, topic_ids: Sequence[str]) -> dict[int, str]:
    """Topics with their states, in the order of the text; what makes no sense is left out."""
    number = {name: topic for topic, name in enumerate(topic_ids)}
    held = {}
    for part in text.split(","):
        name, _, state = part.rpartition(":")
        topic = number.get(unquote(name))
        if topic is not None and state in STATES:
            held[topic] = state
    return held


def write_held(held: Mapping[int, str], topic_ids: Sequence[str]) -> str:
    """Write what `read_held` reads; names of topics may have any sign in them."""
    return ",".join(f"{quote(topic_ids[topic], safe='')}:{state}" for topic, state in held.items())


def with_state(held: Mapping[int, str], topic: int, state: str) -> dict[int, str]:
    """Return what is held, with one topic in a state; any other than on and off sets it free."""
    others = {other: how for other, how in held.items() if other != topic}
    return others | {topic: state} if state in STATES else others


def next_state(state: str, *, is_on: bool) -> str:
    """What a topic becomes when it is switched: the contrary of what it is when free, that, free.

    Parameters
    ----------
    state : str
        ``on`` or ``off`` where it is held, anything else where it is free.
    is_on : bool
        Whether it is on when nothing is held.
    """
    contrary, same = ("off", "on") if is_on else ("on", "off")
    return {contrary: same, same: "free"}.get(state, contrary)
