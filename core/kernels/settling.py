"""Points of a plane that settle near those they are tied to, and apart from the others.

The objective is that of UMAP (McInnes, Healy and Melville, 2018, section 3.2 and appendix C):
stochastic descent of the cross entropy between ties and nearness, which at distance d is
1 / (1 + d² / h).
"""

from __future__ import annotations

import numpy as np

from orrery.core.kernels.compiling import kernel, part
from orrery.core.kernels.streams import stream_key, uniform

# Points that a point is kept apart from for each that draws it.
_APART = 5
# No step is longer than this; two points on one spot would part without bound.
_LONGEST = 4.0
# Keeps the push between them finite.
_SOFT = 1e-3


@part
def _bounded(step):
    return min(max(step, -_LONGEST), _LONGEST)


@kernel
def settle(place, pointer, other, tie, half, epochs, seed):
    """Move the points for some epochs, in place, one after the other.

    Parameters
    ----------
    place : float32 array, shape (n_points, 2)
    pointer : int64 array, shape (n_points + 1,)
        ``other[pointer[p]:pointer[p + 1]]`` are the points that point ``p`` is tied to, and ``tie``
        how strongly, in (0, 1]: the probability that the tie draws in an epoch.
    other : int32 array
    tie : float32 array
    half : float
        Squared distance ``h`` at which nearness is one half.
    epochs : tuple of int
        First, end, and how many there are in all; the steps shrink to nothing over all of them.
    seed : int
    """
    n_points = len(place)
    begin, end, total = epochs
    for epoch in range(begin, end):
        rate = 1.0 - epoch / total
        for p in range(n_points):
            key = stream_key(seed + epoch, p)
            drawn = 0
            for e in range(pointer[p], pointer[p + 1]):
                drawn += 1
                if uniform(key, drawn) >= tie[e]:
                    continue
                q = other[e]
                dx, dy = place[p, 0] - place[q, 0], place[p, 1] - place[q, 1]
                pull = -2.0 / (half + dx * dx + dy * dy) * rate
                step_x, step_y = _bounded(pull * dx), _bounded(pull * dy)
                place[p, 0] += step_x
                place[p, 1] += step_y
                place[q, 0] -= step_x
                place[q, 1] -= step_y
                for _ in range(_APART):
                    drawn += 1
                    q = np.int64(uniform(key, drawn) * n_points)
                    dx, dy = place[p, 0] - place[q, 0], place[p, 1] - place[q, 1]
                    far = dx * dx + dy * dy
                    push = 2.0 / ((_SOFT + far) * (1.0 + far / half))
                    place[p, 0] += _bounded(push * dx) * rate
                    place[p, 1] += _bounded(push * dy) * rate
