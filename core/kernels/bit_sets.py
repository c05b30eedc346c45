"""Sets of small numbers as rows of bits: how large two together are takes a few instructions."""

from __future__ import annotations

import numpy as np

from orrery.core.kernels.compiling import kernel, part

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
