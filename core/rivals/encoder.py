"""A neural network of one hidden layer from a document to some numbers, and the way back."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from orrery.core.arrays import FloatArray

HIDDEN = 100


def start_encoder(n_inputs: int, n_outputs: int, rng: np.random.Generator) -> list[FloatArray]:
    """Random weights of the size of Glorot and Bengio (2010), offsets of 0."""
    sizes = (n_inputs, HIDDEN, n_outputs)
    values = []
    for begin, end in pairwise(sizes):
        values += [rng.normal(0.0, np.sqrt(2.0 / (begin + end)), (begin, end)), np.zeros(end)]
    return values


def encode(values: list[FloatArray], inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Outputs (n, n_outputs) of inputs (n, n_inputs), and the hidden layer (n, HIDDEN)."""
    into, offset, out, last = values
    hidden = np.tanh(inputs @ into + offset)
    return hidden @ out + last, hidden


def encoder_slopes(
    values: list[FloatArray], inputs: FloatArray, hidden: FloatArray, slope: FloatArray
) -> list[FloatArray]:
    """Slopes in the values of what has this slope (n, n_outputs) in the outputs."""
    back = (slope @ values[2].T) * (1.0 - hidden**2)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
