"""Counter-based random numbers: a function of a key, without state.

The same document and seed therefore always give the same numbers, on any thread.
"""

from __future__ import annotations

import numpy as np

from .compiling import kernel, part

# Constants of SplitMix64 (Steele, Lea and Flood, 2014), a bijective mixer of 64 bits.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_SHIFT1, _SHIFT2, _SHIFT3 = np.uint64(30), np.uint64(27), np.uint64(31)
_TO_MANTISSA = np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0


@part
def mix(word):
    """Scramble 64 bits."""
    word = (word ^ (word >> _SHIFT1)) * _MIX1
    word = (word ^ (word >> _SHIFT2)) * _MIX2
    return word ^ (word >> _SHIFT3)


@kernel
def stream_key(seed, document):
    """Key of the stream of one document under one seed."""
    return mix(mix(np.uint64(seed) + _STEP) + np.uint64(document) * _STEP)


@part
def uniform(key, counter):
    """Number ``counter`` of a stream, uniform on [0, 1)."""
    bits = mix(key + (np.uint64(counter) + np.uint64(1)) * _STEP)
    return np.float64(bits >> _TO_MANTISSA) * _UNIT
