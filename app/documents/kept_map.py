"""A kept view of the map of the documents as a picture, as its address says (no streamlit)."""

from __future__ import annotations

from base64 import b64encode

from orrery.app.documents import map_colours
from orrery.app.documents.lit import Asked, lit_points
from orrery.app.documents.map_area import read_area
from orrery.app.documents.map_points import points_of
from orrery.app.documents.map_svg import MapPicture, map_svg, points_png
from orrery.app.documents.sources import Sources
from orrery.app.graph.links import topic_named
from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture, drawn
from orrery.app.words import documents as document_words
from orrery.app.words import map as words


def kept_map(sources: Sources, address: Parameters) -> Picture | None:
    """Draw what the page shows at an address; None where there is no map or no point on it."""
    run, found = sources.run, sources.found
    if found is None:
        return None
    points = points_of(found, run)
    if not len(points.rows):
        return None
    by = chosen(address, "colour", "topic", map_colours.ways(sources.facets))
    colouring = map_colours.coloured(by, points, run, sources.facets)
    text = chosen(address, "light", "")
    asked = Asked(
        sources.search(text),
        topic_named(run, chosen(address, "on", "")),
        tuple(address.get("only", ())),
        read_area(chosen(address, "area", "")),
    )
    lit = lit_points(asked, points, colouring, found, run)
    picture = MapPicture(points, colouring, lit, asked.area, asked.only)
    said = words.told(len(points.rows), words.COLOURS[by])
    if asked.anything():
        which = document_words.asked_for(
            "" if asked.found is None else text,
            "" if asked.topic < 0 else run.topic_labels[asked.topic],
            [", ".join(asked.only)],
        )
        said = f"{said} {words.lit(int(lit.sum()), len(lit), which)}"
    image = "data:image/png;base64," + b64encode(points_png(picture)).decode("ascii")
    return drawn(words.HEADING, said, lambda width: map_svg(picture, width), points=image)
