"""Kept view of the map of documents as a picture.

Points are pixels, since thousands of circles would fill the file; names and legend are text.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor

from ...core.drawing.links import topic_named
from ..charts.group_pictures import Sheet, cut, width_of
from ..charts.groups import GREY
from ..shell.kept import Parameters, Picture, chosen, drawn
from . import document_map
from . import strings as shared_strings
from .document_map import (
    Colouring,
    MapSelection,
    PlaceArray,
    PlaceLabel,
    Points,
    highlighted_points,
    points_of,
    read_area,
)
from .listing import Sources

# Minimum width at which the legend is beside the map; below it, the legend is below the map.
WIDE, LEGEND = 640.0, 270.0
# Maximum height beside the legend, so that the note of a story covers nothing of the map.
TALLEST = 480.0
# Widths in pixels, tried in this order until the image is small enough.
SIDES, MAX_BYTES = (1400, 1000, 700, 500), 280_000
# Width of the map on a wide page, to which the sizes of points refer.
DRAWN = 670.0
# Sizes and opacities of points, as on the page (points_drawing.js).
EVEN, SMALLEST, LARGEST = 0.5, 1.7, 9.0
BRIGHT_ALPHA, DIMMED_ALPHA = 215, 56
# Factors for the sizes of other and of highlighted points.
DIMMED_SIZE, CHOSEN_SIZE = 0.8, 1.3
# Placement of names, as on the page (points_labels.js).
FIRST, OTHERS, MANY, ABOVE, ROOM = 14.0, 12.0, 8, 14.0, 13_000.0
APART = (8.0, 4.0)
NAME_ROOM, WIDE_NAME_ROOM, LEGEND_ROW = 190.0, 250.0, 24.0
# Share of the frame that the points fill, and limits of its height relative to its width.
MARGIN, LOWEST, HIGHEST = 0.92, 0.55, 1.1


@dataclass(frozen=True)
class MapPicture:
    """Points with their colours, which are highlighted, and the selected area."""

    points: Points
    colouring: Colouring
    highlighted: npt.NDArray[np.bool_]
    area: npt.NDArray[np.int64] | None = None
    only: tuple[str, ...] = ()


class _Frame:
    """A frame of a given width around all points, with the height that they need."""

    def __init__(self, place: PlaceArray, width: float) -> None:
        low, high = place.min(axis=0).astype(float), place.max(axis=0).astype(float)
        wide, tall = np.maximum(high - low, 1.0)
        self.width = width
        self.height = width * float(np.clip(tall / wide, LOWEST, HIGHEST))
        self._middle = (low + high) / 2.0
        self._scale = MARGIN * min(self.width / wide, self.height / tall)

    def at(self, place: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Coordinates of positions in the frame, shape (n, 2); the map's y axis is upwards."""
        turned = (np.asarray(place, float) - self._middle) * self._scale * (1.0, -1.0)
        return np.asarray(turned + np.array([self.width, self.height]) / 2.0)


def points_png(picture: MapPicture) -> bytes:
    """Image of the points with a transparent background, as large as the file allows."""
    palette, found = _palette(picture.colouring), b""
    for side in SIDES:
        image, file = Image.fromarray(_pixels(picture, side)), BytesIO()
        image.putpalette(palette[:, :3].tobytes())
        image.save(file, "PNG", transparency=palette[:, 3].tobytes(), optimize=True)
        found = file.getvalue()
        if len(found) <= MAX_BYTES:
            break
    return found


def _palette(colouring: Colouring) -> npt.NDArray[np.uint8]:
    """Red, green, blue and opacity of: no point, points that are not highlighted, the colours."""
    colours = list(map(ImageColor.getrgb, colouring.palette.get("light") or [GREY]))
    highlighted = [(*colour, BRIGHT_ALPHA) for colour in colours]
    return np.array([(0, 0, 0, 0), (*colours[0], DIMMED_ALPHA), *highlighted], np.uint8)


def _pixels(picture: MapPicture, side: int) -> npt.NDArray[np.uint8]:
    """Indices into `_palette`, with highlighted points over the others."""
    highlighted, place = picture.highlighted, picture.points.place
    frame = _Frame(place, side)
    pixels = np.zeros((round(frame.height), side), np.uint8)
    even = EVEN * DRAWN / np.sqrt(max(len(place), 1))
    size = float(np.clip(even, SMALLEST, LARGEST)) * side / DRAWN
    looks = np.where(highlighted, picture.colouring.colour + np.uint8(2), np.uint8(1))
    larger = 1.0 if highlighted.all() else CHOSEN_SIZE
    for points, wide in ((~highlighted, size * DIMMED_SIZE), (highlighted, size * larger)):
        _dots(pixels, frame.at(place[points]), looks[points], wide)
    return pixels


def _dots(
    pixels: npt.NDArray[np.uint8],
    at: npt.NDArray[np.float64],
    look: npt.NDArray[np.uint8],
    size: float,
) -> None:
    """Draw discs of a size; where they overlap, the last is visible."""
    radius, spots = size / 2.0, np.round(at).astype(np.int64)
    reach = np.arange(-int(radius), int(radius) + 1)
    shape = np.array([(x, y) for x in reach for y in reach if x * x + y * y <= radius * radius])
    # Disc by disc, so that no earlier disc hides a part of a later one.
    covered = (spots[:, None] + shape).reshape(-1, 2)
    last = np.array(pixels.shape)[::-1] - 1
    x, y = np.clip(covered, 0, last).T
    pixels[y, x] = np.repeat(look, len(shape))


def map_svg(picture: MapPicture, width: float) -> str:
    """SVG of a given width, with an ``image`` of class ``points`` to be filled with the points."""
    is_wide = width >= WIDE
    place = picture.points.place
    # The legend has all that a wide page leaves.
    most = min(width - LEGEND, DRAWN, TALLEST / _Frame(place, 1.0).height) if is_wide else width
    frame = _Frame(place, most)
    sheet, side, tall = Sheet(width), frame.width, frame.height
    room = f'width="{side:.1f}" height="{tall:.1f}"'
    sheet.parts.append(f'<image class="points" x="0" y="0" {room} aria-hidden="true"/>')
    sheet.rectangle((0.5, 0.5), (side - 1.0, tall - 1.0), 'rx="8" class="line"')
    if picture.area is not None:
        corners = [(float(x), float(y)) for x, y in frame.at(picture.area)]
        look = 'fill="none" style="stroke:var(--text)" stroke-width="1.5" stroke-dasharray="5 4"'
        sheet.path(corners, look, is_closed=True)
    _names(sheet, picture.points.labels, frame)
    corner = (side + 20.0, 12.0) if is_wide else (4.0, tall + 22.0)
    end = _legend(sheet, picture, corner)
    description = shared_strings.description(len(picture.points.rows), len(picture.points.labels))
    return sheet.svg(max(tall, end), description)


def _names(sheet: Sheet, labels: Sequence[PlaceLabel], frame: _Frame) -> None:
    """Draw names of topics at their densest places, without overlap."""
    placed: list[tuple[float, float, float, float]] = []
    most = max(4, int(frame.width * frame.height / ROOM))
    for label in labels:
        if len(placed) == most:
            return
        size = FIRST if len(placed) < MANY else OTHERS
        most_room = WIDE_NAME_ROOM if sheet.width >= WIDE else NAME_ROOM
        text = cut(label.text, min(most_room, 0.5 * frame.width), size)
        ((left, spot),) = frame.at([(label.x, label.y)]).tolist()
        half = (width_of(text, size) / 2.0 + APART[0], size * 0.6 + APART[1])
        x = min(max(left, half[0]), max(frame.width - half[0], half[0]))
        y = min(max(spot - ABOVE, half[1]), frame.height - half[1])
        if abs(x - left) > half[0] / 2.0:
            continue
        if any(abs(a - x) < b + half[0] and abs(c - y) < d + half[1] for a, b, c, d in placed):
            continue
        placed.append((x, half[0], y, half[1]))
        weight = 'font-weight="600" ' if size == FIRST else ""
        more = f'{weight}text-anchor="middle" dominant-baseline="central"'
        sheet.text((x, y), text, size, kind="halo", more=more)


def _legend(sheet: Sheet, picture: MapPicture, corner: tuple[float, float]) -> float:
    """Draw the meaning of the colours; return the bottom of the legend."""
    left, top = corner
    ink = picture.colouring.palette.get("light", [])
    # Counts stand beside the longest name.
    longest = max((width_of(entry.name, 12.0) for entry in picture.colouring.entries), default=0.0)
    right = min(left + 20.0 + max(longest, 120.0) + 80.0, sheet.width - 4.0)
    for number, entry in enumerate(picture.colouring.entries):
        y = top + number * LEGEND_ROW
        look = f'rx="5.5" class="points" fill="{ink[entry.colour]}"'
        sheet.rectangle((left, y - 5.5), (11.0, 11.0), look)
        weight = ' font-weight="700"' if entry.key in picture.only else ""
        more = f'dominant-baseline="central"{weight}'
        count, room = f"{entry.count:,}", right - left - 16.0
        sheet.text((left + 20.0, y), entry.name, room=room - 56.0, more=more)
        more = 'text-anchor="end" dominant-baseline="central"'
        sheet.text((right, y), count, kind="faint", more=more)
    return top + len(picture.colouring.entries) * LEGEND_ROW


def kept_map(sources: Sources, address: Parameters) -> Picture | None:
    """Draw the page at a URL; None if there is no map or no point on it."""
    run, found = sources.run, sources.found
    if found is None:
        return None
    points = points_of(found, run)
    if not len(points.rows):
        return None
    by = chosen(address, "colour", "topic", document_map.ways(sources.facets))
    colouring = document_map.coloured(by, points, run, sources.facets)
    text = chosen(address, "light", "")
    selection = MapSelection(
        sources.search(text),
        topic_named(run, chosen(address, "on", "")),
        tuple(address.get("only", ())),
        read_area(chosen(address, "area", "")),
    )
    highlighted = highlighted_points(selection, points, colouring, found, run)
    picture = MapPicture(points, colouring, highlighted, selection.area, selection.only)
    caption = shared_strings.caption(len(points.rows), shared_strings.COLOURS[by])
    if selection.anything():
        which = shared_strings.filters_text(
            "" if selection.found is None else text,
            "" if selection.topic < 0 else run.topic_labels[selection.topic],
            [", ".join(selection.only)],
        )
        shown = shared_strings.highlighted(int(highlighted.sum()), len(highlighted), which)
        caption = f"{caption} {shown}"
    image = "data:image/png;base64," + b64encode(points_png(picture)).decode("ascii")
    return drawn(
        shared_strings.HEADING, caption, lambda width: map_svg(picture, width), points=image
    )
