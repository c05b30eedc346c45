"""A picture of few colours as PNG, by what Python has (no streamlit)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int, int]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def indexed_png(pixels: npt.NDArray[np.uint8], palette: Sequence[Colour]) -> bytes:
    """Write pixels that are numbers of colours (PNG, second edition, ISO/IEC 15948).

    Parameters
    ----------
    pixels : uint8 array, shape (height, width)
    palette : sequence of (red, green, blue, opacity), each 0 … 255; at most 256 of them
    """
    height, width = pixels.shape
    lines = np.zeros((height, width + 1), np.uint8)
    # The first byte of a line says how it is filtered: not at all.
    lines[:, 1:] = pixels
    colours = np.array(palette, np.uint8)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", colours[:, :3].tobytes()),
        (b"tRNS", colours[:, 3].tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    ]
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
