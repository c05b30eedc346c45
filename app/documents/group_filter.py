"""A group of documents in an address: by the label where that is a filter, else by its column."""

from __future__ import annotations

from typing import cast, get_args

from orrery.app.documents.facets import Facets
from orrery.core.text.groups import Grouping, Step

# Parameters of the Documents page that name a group which no filter of its own can.
GROUP_PARAMETERS = ("by", "periods", "group")


def group_address(facets: Facets, grouping: Grouping, name: str) -> dict[str, str]:
    """Parameters of the Documents page that ask for a group."""
    if grouping.step == "value" and grouping.column == "label" and name in facets.labels:
        return {"label": name}
    values = (grouping.column, grouping.step, name)
    return dict(zip(GROUP_PARAMETERS, values, strict=True))


def as_step(text: str) -> Step | None:
    """What an address says of periods; None where it says nothing that there is."""
    return cast(Step, text) if text in get_args(Step) else None
