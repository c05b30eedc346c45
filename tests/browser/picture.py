"""Find a box of a colour in what a picture shows, as an eye would."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PIL import Image

Colours = npt.NDArray[np.int16]

# Shorter runs of a colour are letters or borders, not the inside of a box.
MIN_PIXELS = 30


def greenish(pixels: Colours) -> npt.NDArray[np.bool_]:
    """Fill of a topic that is on, in the light theme."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return (green > 200) & (green - red >= 8) & (green - blue >= 5)


def find_box(
    screenshot: bytes, is_inside: Callable[[Colours], npt.NDArray[np.bool_]]
) -> tuple[float, float] | None:
    """Middle of the longest level run of a colour, in pixels of the picture, or None.

    Parameters
    ----------
    screenshot : bytes
        A PNG file.
    is_inside : callable
        Whether pixels, shape (height, width, 3), have the colour.
    """
    pixels = np.asarray(Image.open(io.BytesIO(screenshot)).convert("RGB")).astype(np.int16)
    inside = is_inside(pixels)
    best, middle = MIN_PIXELS, None
    for row in range(inside.shape[0]):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], inside[row], [False]]).astype(int)))
        for begin, end in edges.reshape(-1, 2):
            if end - begin > best:
                best, middle = end - begin, ((begin + end) / 2, float(row))
    return middle
