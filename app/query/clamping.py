"""Topics clamped on or off, as they are written in the address: ``T0012:on,T0040:off``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

STATES = ("on", "off")


def read_clamped(text: str, number: Mapping[str, int]) -> dict[int, str]:
    """Topics with their states, in the order of the text; what cannot be read is left out.

    ``number`` is that of each topic, by its name.
    """
    clamped = {}
    for part in text.split(","):
        name, _, state = part.rpartition(":")
        topic = number.get(unquote(name))
        if topic is not None and state in STATES:
            clamped[topic] = state
    return clamped


def write_clamped(clamped: Mapping[int, str], topic_ids: Sequence[str]) -> str:
    """Write what `read_clamped` reads; names of topics may contain any character."""
    return ",".join(
        f"{quote(topic_ids[topic], safe='')}:{state}" for topic, state in clamped.items()
    )


def with_state(clamped: Mapping[int, str], topic: int, state: str) -> dict[int, str]:
    """Return what is clamped, with one topic in a state; any other than on and off sets it free."""
    others = {other: how for other, how in clamped.items() if other != topic}
    return others | {topic: state} if state in STATES else others


def next_state(state: str, *, is_on: bool) -> str:
    """Next state of a switched topic: the opposite of its free state, then the same, then free.

    Parameters
    ----------
    state : str
        ``on`` or ``off`` where it is clamped, anything else where it is free.
    is_on : bool
        Whether it is on when nothing is clamped.
    """
    contrary, same = ("off", "on") if is_on else ("on", "off")
    return {contrary: same, same: "free"}.get(state, contrary)
