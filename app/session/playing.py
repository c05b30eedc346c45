"""Whether a story is told."""

from __future__ import annotations

from orrery.app.session import address
from orrery.app.stories import kept


def is_playing() -> bool:
    """Whether the address asks for a view of a story that is played."""
    return address.has(kept.STEP)
