"""SYN-PATTERN: documents are noisy unions of eight overlapping patterns of 8 × 8 pixels.

In the manner of Šingliar and Hauskrecht (2006), with patterns of our own: two bars across, two
upright, a frame, a diamond and the two thick diagonals. Every pixel is in at least one pattern, and
most are in several.
"""

from __future__ import annotations

import numpy as np

from orrery.core.utils.types import FloatArray

SIDE = 8
# As in the IMG set of Buhai et al. (2020): a pattern's prior, the failure of each of its pixels,
# and the failure of the noise.
PRIOR, FAILURE, NOISE_FAILURE = 0.25, 0.1, 0.999


def patterns() -> np.ndarray:
    """Pixels of every pattern, bool, shape (8, 64)."""
    y, x = np.divmod(np.arange(SIDE * SIDE), SIDE)
    centre = (SIDE - 1) / 2
    ring = np.maximum(abs(x - centre), abs(y - centre))
    diamond = abs(x - centre) + abs(y - centre)
    return np.stack(
        [
            (y >= 1) & (y <= 2),
            (y >= 4) & (y <= 6),
            (x >= 1) & (x <= 3),
            (x >= 5) & (x <= 6),
            ring > 3,
            (diamond >= 2) & (diamond <= 3),
            abs(x - y) <= 1,
            abs(x + y - (SIDE - 1)) <= 1,
        ]
    )


def weights() -> FloatArray:
    """Weight of every pattern on every pixel, shape (8, 64)."""
    return -np.log(FAILURE) * patterns()


def draw(n_documents: int, seed: int) -> FloatArray:
    """So many noisy unions, 0 and 1, shape (n_documents, 64)."""
    rng = np.random.default_rng([seed, n_documents])
    on = rng.random((n_documents, len(patterns()))) < PRIOR
    failure = NOISE_FAILURE * np.exp(-(on @ weights()))
    return (rng.random(failure.shape) >= failure).astype(np.float64)
