"""Streams: uniform numbers that are a function of seed, document and counter alone."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.kernels import streams
from orrery.core.kernels.streams import uniform

# First outputs of SplitMix64 for the seed 1234567, as published with reference implementations.
REFERENCE = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]

# Wrapping round is what 64-bit mixers do; numpy's own integers warn of it in plain Python.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def stream_key(seed, document):
    """Key as the kernels pass it on; called from Python it comes back as a plain int."""
    return np.uint64(streams.stream_key(seed, document))


def numbers(seed, document, count):
    """First numbers of a stream."""
    key = stream_key(seed, document)
    return np.array([uniform(key, counter) for counter in range(count)])


def test_a_stream_is_splitmix64():
    for counter, bits in enumerate(REFERENCE):
        assert uniform(np.uint64(1234567), counter) == (bits >> 11) / 2.0**53


def test_numbers_depend_on_the_key_only():
    forward = numbers(3, 5, 20)
    key = stream_key(3, 5)
    backward = np.array([uniform(key, counter) for counter in reversed(range(20))])
    assert (forward == backward[::-1]).all()


def test_seeds_and_documents_have_streams_of_their_own():
    first = {uniform(stream_key(seed, document), 0) for seed in range(30) for document in range(30)}
    assert len(first) == 900


@pytest.mark.parametrize("across", ["counters", "documents", "seeds"])
def test_uniform(across):
    count = 2000
    if across == "counters":
        drawn = numbers(0, 0, count)
    elif across == "documents":
        drawn = np.array([uniform(stream_key(0, document), 0) for document in range(count)])
    else:
        drawn = np.array([uniform(stream_key(seed, 0), 0) for seed in range(count)])
    assert (drawn >= 0).all()
    assert (drawn < 1).all()
    # Kolmogorov-Smirnov at one in a thousand, for values and for neighbours' differences.
    limit = 1.95 / np.sqrt(count)
    ranks = np.arange(1, count + 1) / count
    assert np.abs(np.sort(drawn) - ranks).max() < limit
    assert np.abs(np.sort((drawn[1:] - drawn[:-1]) % 1.0) - ranks[:-1]).max() < limit
