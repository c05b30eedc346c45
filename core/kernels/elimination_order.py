"""In which order to sum variables out, so that few of them ever meet in one table."""

from __future__ import annotations

import numpy as np

from orrery.core.kernels.bit_sets import add, discard, has, members, size
from orrery.core.kernels.compiling import kernel, part


@kernel
def link(u, v, neighbours, missing):
    """Make neighbours of two variables, if they are not.

    Parameters
    ----------
    u, v : int
    neighbours : uint64 array, shape (n_variables, n_words)
        Of every variable the set of those it stands in a table with.
    missing : int64 array, shape (n_variables,)
        Of every variable how many pairs of its neighbours are not neighbours of each other.
    """
    if has(neighbours[u], v):
        return
    n_common = 0
    for w in members(neighbours[u]):
        if has(neighbours[v], w):
            missing[w] -= 1
            n_common += 1
    missing[u] += size(neighbours[u]) - n_common
    missing[v] += size(neighbours[v]) - n_common
    add(neighbours[u], v)
    add(neighbours[v], u)


@part
def _last_of_fewest(missing, is_left):
    """The last variable of those with the fewest missing links, -1 if none is left."""
    fewest = -1
    for v in range(len(missing)):
        if is_left[v] and (fewest < 0 or missing[v] <= missing[fewest]):
            fewest = v
    return fewest


@part
def _take_out(v, around, neighbours, missing):
    """Link all neighbours of v with each other, and take it out."""
    for place in range(len(around)):
        for other in range(place):
            link(around[place], around[other], neighbours, missing)
    for u in around:
        discard(neighbours[u], v)
        missing[u] -= size(neighbours[u]) - (len(around) - 1)


@kernel
def elimination_order(neighbours, missing, is_there, most_neighbours):
    """Variables in the order of fewest new links first (min-fill; Rose 1972), of these the last.

    Those of tokens and of the lowest topics are last: to begin with them halves the work.

    Parameters
    ----------
    neighbours, missing
        As of `link`, which made them; they are overwritten.
    is_there : bool array, shape (n_variables,)
        Whether there is such a variable.
    most_neighbours : int
        Of one variable when it is its turn: beyond, tables are too large to be made.

    Returns
    -------
    order : int64 array
        Empty where there is no order within these bounds.
    """
    order, n_ordered = np.empty(len(missing), np.int64), 0
    is_left = is_there.copy()
    v = _last_of_fewest(missing, is_left)
    while v >= 0:
        around = members(neighbours[v])
        if len(around) > most_neighbours:
            return order[:0]
        order[n_ordered], is_left[v] = v, False
        n_ordered += 1
        _take_out(v, around, neighbours, missing)
        v = _last_of_fewest(missing, is_left)
    return order[:n_ordered]
