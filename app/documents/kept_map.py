"""A kept view of the map of the documents as a picture, as its address says (no streamlit)."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from orrery.app.documents import map_colours
from orrery.app.documents.facets import Facets
from orrery.app.documents.lit import Asked, lit_points
from orrery.app.documents.map_area import read_area
from orrery.app.documents.map_colours import Colouring
from orrery.app.documents.map_points import Points, points_of
from orrery.app.documents.map_svg import MapPicture, map_svg, points_png
from orrery.app.documents.sources import Sources
from orrery.app.graph.links import whole
from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture, drawn
from orrery.app.words import documents as document_words
from orrery.app.words import map as words
from orrery.app.workspace.search_index import read_terms, search_now

if TYPE_CHECKING:
    from orrery.core.run import Run


def kept_map(sources: Sources, address: Parameters) -> Picture | None:
    """Draw what the page shows at an address; None where there is no map or no point on it."""
    run, found = sources.run, sources.found
    if found is None:
        return None
    points = points_of(found, run)
    if not len(points.rows):
        return None
    by, colouring = _colours(run, sources.facets, points, address)
    text = chosen(address, "light", "")
    terms = read_terms(text)
    is_asked = bool(terms.present or terms.absent)
    asked = Asked(
        _found(sources, text) if is_asked else None,
        _topic(run, chosen(address, "on", "")),
        tuple(address.get("only", ())),
        read_area(chosen(address, "area", "")),
    )
    lit = lit_points(asked, points, colouring, found, run)
    picture = MapPicture(points, colouring, lit, asked.area, asked.only)
    said = words.told(len(points.rows), words.COLOURS[by])
    if asked.anything():
        conditions = [document_words.by_search(text)] if is_asked else []
        if asked.topic >= 0:
            conditions.append(document_words.by_topic(run.topic_labels[asked.topic]))
        if asked.only:
            conditions.append(document_words.by_group(", ".join(asked.only)))
        said = f"{said} {words.lit(int(lit.sum()), len(lit), conditions)}"
    image = "data:image/png;base64," + b64encode(points_png(picture)).decode("ascii")
    heading = words.HEADING
    return drawn(heading, said, lambda width: map_svg(picture, width), points=image)


def _found(sources: Sources, text: str) -> npt.NDArray[np.int64] | None:
    return search_now(sources.workspace, sources.run.corpus_path, sources.corpus, text)


def _colours(
    run: Run, facets: Facets, points: Points, address: Parameters
) -> tuple[str, Colouring]:
    options = ["topic", *(["label"] if facets.labels else []), *(["year"] if facets.years else [])]
    by = chosen(address, "colour", "topic", options)
    if by == "label":
        return by, map_colours.by_label(points, facets)
    if by == "year":
        return by, map_colours.by_year(points, facets)
    return by, map_colours.by_topic(points, run)


def _topic(run: Run, name: str) -> int:
    """Topic that an address names, as it is shown; -1 for none."""
    number = run.network.graph.topic_number
    return whole(run, number[name]) if name in number else -1
