"""In which order to sum variables out, so that few of them ever meet in one table."""

from __future__ import annotations

import numpy as np

from core.kernels.bit_sets import add, bit_count, discard, members, unite
from core.kernels.compiling import kernel, part


@kernel
def _new_links(v, neighbours):
    """Pairs of neighbours of v, counted twice, that are not yet neighbours of each other."""
    missing = 0
    for u in members(neighbours[v]):
        for w in range(neighbours.shape[1]):
            missing += bit_count(neighbours[v, w] & ~neighbours[u, w])
        missing -= 1
    return missing


@part
def _last_of_fewest(links, is_left):
    """The last variable of those with the fewest new links, -1 if none is left."""
    fewest = -1
    for v in range(len(links)):
        if is_left[v] and (fewest < 0 or links[v] <= links[fewest]):
            fewest = v
    return fewest


@part
def _take_out(v, around, neighbours, touched):
    """Link all neighbours of v with each other; what has them as neighbours is touched."""
    for w in range(len(touched)):
        touched[w] = neighbours[v, w]
    for u in around:
        unite(neighbours[u], neighbours[v])
        discard(neighbours[u], u)
        discard(neighbours[u], v)
        unite(touched, neighbours[u])


@kernel
def elimination_order(neighbours, is_there, most_neighbours):
    """Variables in the order of fewest new links first (min-fill; Rose 1972), of these the last.

    Those of tokens and of the lowest topics are last: to begin with them halves the work.

    Parameters
    ----------
    neighbours : uint64 array, shape (n_variables, n_words)
        Of every variable the set of those it stands in a table with; it is overwritten.
    is_there : bool array, shape (n_variables,)
        Whether there is such a variable.
    most_neighbours : int
        Of one variable when it is its turn: beyond, tables are too large to be made.

    Returns
    -------
    order : int64 array
        Empty where there is no order within these bounds.
    """
    n = len(neighbours)
    order, n_ordered = np.empty(n, np.int64), 0
    links, is_left = np.zeros(n, np.int64), is_there.copy()
    for v in range(n):
        links[v] = _new_links(v, neighbours)
    touched = np.zeros(neighbours.shape[1], np.uint64)
    v = _last_of_fewest(links, is_left)
    while v >= 0:
        around = members(neighbours[v])
        if len(around) > most_neighbours:
            return order[:0]
        order[n_ordered], is_left[v] = v, False
        n_ordered += 1
        _take_out(v, around, neighbours, touched)
        for u in members(touched):
            if is_left[u]:
                links[u] = _new_links(u, neighbours)
        v = _last_of_fewest(links, is_left)
    return order[:n_ordered]


@part
def link(neighbours, u, v):
    """Say that two variables stand in one table."""
    add(neighbours[u], v)
    add(neighbours[v], u)
