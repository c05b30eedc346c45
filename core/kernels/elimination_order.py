"""Sets of small numbers as rows of bits: how large two together are takes a few instructions.

In which order to sum variables out, so that few of them ever meet in one table.
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
    """How many words a set of numbers below ``n_numbers`` takes."""
    return (n_numbers + _BITS - 1) // _BITS


@part
def bit_count(word):
    """How many bits of a word are set; compilers know this for one instruction."""
    word = word - ((word >> _1) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _2) & _NIBBLES)
    word = (word + (word >> _4)) & _BYTES
    return np.int64((word * _TOP) >> _56)


@part
def has(row, number):
    """Whether a number is in a set."""
    return (row[number // _BITS] >> np.uint64(number % _BITS)) & _ONE == _ONE


@part
def add(row, number):
    """Put a number into a set."""
    row[number // _BITS] |= _ONE << np.uint64(number % _BITS)


@part
def discard(row, number):
    """Take a number out of a set."""
    row[number // _BITS] &= _ALL ^ (_ONE << np.uint64(number % _BITS))


@part
def unite(row, other):
    """Put all numbers of another set into a set."""
    for w in range(len(row)):
        row[w] |= other[w]


@kernel
def size(row):
    """How many numbers are in a set."""
    count = 0
    for word in row:
        count += bit_count(word)
    return count


@kernel
def members(row):
    """The numbers in a set, ascending."""
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
    """How many numbers of a set are smaller than ``number``."""
    count = 0
    for w in range(number // _BITS):
        count += bit_count(row[w])
    below = (_ONE << np.uint64(number % _BITS)) - _ONE
    return count + bit_count(row[number // _BITS] & below)


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
