"""What a picture of an answer shows, as the address says, and how a click in it changes that."""

from __future__ import annotations

from orrery.app.components.graph_component import Clicked
from orrery.app.graph.local_model import Look
from orrery.app.panels import question_box, topic_card
from orrery.app.session import address

_SWITCHES = frozenset({"on", "off", "words"})
_NOTHING: frozenset[str] = frozenset()


def look(hidden_at_first: frozenset[str] = _NOTHING) -> Look:
    """Read what is shown; call it before the choice of colours is drawn."""
    return Look(
        palette=question_box.palette(),
        hidden=hidden_at_first ^ address.get_set("hide", _SWITCHES),
        show_quiet=address.get("quiet") == "1",
    )


def react(clicked: Clicked) -> None:
    """Write what was clicked into the address: a switch of the legend, or a node."""
    if clicked.switch == "quiet":
        address.put("quiet", "" if address.get("quiet") else "1")
    elif clicked.switch:
        address.toggle("hide", clicked.switch, _SWITCHES)
    else:
        topic_card.select(clicked.node)
