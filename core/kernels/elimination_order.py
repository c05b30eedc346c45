"""Min-fill elimination order, and sets of integers as rows of bits.

The order keeps small the tables of `orrery.core.kernels.elimination`. Bit sets make the size of the
union of two sets of variables a matter of a few instructions.
"""

from __future__ import annotations

import numpy as np

from .compiling import kernel, part

_BITS = 64
_ONE, _ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_PAIRS, _NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _TOP = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@part
def words_for(n_numbers):
    """Number of 64-bit words that hold a set of numbers below ``n_numbers``."""
    return (n_numbers + _BITS - 1) // _BITS


@part
def bit_count(word):
    """Number of set bits of a word; compilers replace this code by one instruction."""
    word = word - ((word >> _1) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _2) & _NIBBLES)
    word = (word + (word >> _4)) & _BYTES
    return np.int64((word * _TOP) >> _56)


@part
def has(row, number):
    """Return whether a number is in a set."""
    return (row[number // _BITS] >> np.uint64(number % _BITS)) & _ONE == _ONE


@part
def add(row, number):
    """Add a number to a set."""
    row[number // _BITS] |= _ONE << np.uint64(number % _BITS)


@part
def discard(row, number):
    """Remove a number from a set."""
    row[number // _BITS] &= _ALL ^ (_ONE << np.uint64(number % _BITS))


@part
def unite(row, other):
    """Add all numbers of another set to a set."""
    for w in range(len(row)):
        row[w] |= other[w]


@kernel
def size(row):
    """Number of elements of a set."""
    count = 0
    for word in row:
        count += bit_count(word)
    return count


@kernel
def members(row):
    """Elements of a set, ascending."""
    found, n_found = np.empty(size(row), np.int64), 0
    for w in range(len(row)):
        left = row[w]
        while left != np.uint64(0):
            lowest = left & (~left + _ONE)
            found[n_found] = w * _BITS + bit_count(lowest - _ONE)
            n_found += 1
            left ^= lowest
    return found


@kernel
def rank(row, number):
    """Number of elements of a set that are smaller than ``number``."""
    count = 0
    for w in range(number // _BITS):
        count += bit_count(row[w])
    below = (_ONE << np.uint64(number % _BITS)) - _ONE
    return count + bit_count(row[number // _BITS] & below)


@kernel
def link(u, v, neighbours, missing):
    """Make the variables u and v neighbours, unless they are already.

    ``neighbours``, uint64 (n_variables, n_words), holds the set of neighbours of every variable:
    which share a table with it. ``missing``, int64 (n_variables,), holds the number of pairs
    of its neighbours that are not neighbours of each other.
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
def _next_variable(missing, is_left):
    """Last variable with the fewest missing links, or -1 if none is left."""
    fewest = -1
    for v in range(len(missing)):
        if is_left[v] and (fewest < 0 or missing[v] <= missing[fewest]):
            fewest = v
    return fewest


@part
def _eliminate(v, adjacent, neighbours, missing):
    """Link all neighbours of v with each other, and remove v."""
    for place in range(len(adjacent)):
        for other in range(place):
            link(adjacent[place], adjacent[other], neighbours, missing)
    for u in adjacent:
        discard(neighbours[u], v)
        missing[u] -= size(neighbours[u]) - (len(adjacent) - 1)


@kernel
def elimination_order(neighbours, missing, is_there, max_neighbours):
    """Min-fill elimination order (Rose 1972); ties are broken in favour of the last variable.

    The last variables belong to tokens and to the lowest topics; eliminating them first halves the
    work. ``neighbours`` and ``missing`` come from `link` and are overwritten; ``is_there`` marks
    the variables that exist. The order is empty if a variable has more than ``max_neighbours``
    neighbours at its elimination, because the tables would be too large.
    """
    order, n_ordered = np.empty(len(missing), np.int64), 0
    is_left = is_there.copy()
    v = _next_variable(missing, is_left)
    while v >= 0:
        adjacent = members(neighbours[v])
        if len(adjacent) > max_neighbours:
            return order[:0]
        order[n_ordered], is_left[v] = v, False
        n_ordered += 1
        _eliminate(v, adjacent, neighbours, missing)
        v = _next_variable(missing, is_left)
    return order[:n_ordered]
