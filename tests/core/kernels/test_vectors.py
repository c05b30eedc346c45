"""Operations on rows: the same digits compiled and as plain Python, and only the named rows."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from orrery.core.kernels.compiling import kernel
from orrery.core.kernels.vectors import (
    WIDTH,
    copy_from,
    copy_row,
    divide_row,
    edge_slope,
    multiply_row,
    row_total,
    slope_row,
)

precisions = pytest.mark.parametrize("dtype", [np.float32, np.float64])
lengths = pytest.mark.parametrize("n_vectors", [1, 2, 4, 7])
N_ROWS = 4


@kernel
def every_operation(P, t, rate, out, slope, q, smallest):
    """Numbers that the operations return; they write to ``out`` and ``slope``."""
    number = P.dtype.type
    on, off, least = number(q), number(1.0 - q), number(smallest)
    copy_row(P, 0, out, 0)
    multiply_row(P, 1, t, 2, on, off, least, out, 1)
    gain = divide_row(P, 2, t, 1, on, off, out, 2)
    slopes = slope_row(P, 3, rate, least, slope)
    return row_total(P, 1), gain, slopes, edge_slope(t, 3, slope, on, off)


def inputs(dtype, n_vectors, seed=0):
    """Terms, exponentials, rates, and room for results with a last row that nothing writes."""
    rng = np.random.default_rng(seed)
    shape = (N_ROWS, n_vectors * WIDTH)
    P, t = -rng.random(shape).astype(dtype), rng.random(shape).astype(dtype)
    rate = rng.random(shape[1]).astype(dtype)
    return P, t, rate, np.full(shape, 7.0, dtype), np.zeros(shape[1], dtype)


@precisions
@lengths
def test_they_are_what_their_docstrings_say(dtype, n_vectors):
    P, t, rate, out, slope = inputs(dtype, n_vectors)
    total, gain, slopes, of_edge = every_operation(P, t, rate, out, slope, 0.3, 0.1)
    near = {"rtol": 1e-6 if dtype == np.float32 else 1e-14}
    np.testing.assert_array_equal(out[0], P[0])
    product = P[1] * (0.7 + 0.3 * t[2])
    np.testing.assert_allclose(out[1], np.where(product < -0.1, product, 0.0), **near)
    quotient = P[2] / (0.7 + 0.3 * t[1])
    np.testing.assert_allclose(out[2], quotient, **near)
    assert (out[3] == 7.0).all()
    product = P[3] * rate
    cut = np.where(product < -0.1, product, 0.0)
    np.testing.assert_allclose(slope, cut, **near)
    near["rtol"] *= 10
    np.testing.assert_allclose(total, P[1].sum(), **near)
    np.testing.assert_allclose(gain, (quotient * (t[1] - 1.0)).sum(), **near)
    np.testing.assert_allclose(slopes, cut.sum(), **near)
    np.testing.assert_allclose(of_edge, (cut * t[3] / (0.7 + 0.3 * t[3])).sum(), **near)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
@precisions
@lengths
def test_compiled_they_have_the_digits_of_plain_python(dtype, n_vectors):
    for seed in range(20):
        compiled, plain = inputs(dtype, n_vectors, seed), inputs(dtype, n_vectors, seed)
        numbers = (0.3, 0.1)
        theirs = every_operation.py_func(*plain, *numbers)
        for one, other in zip(every_operation(*compiled, *numbers), theirs, strict=True):
            assert one == other
        for one, other in zip(compiled, plain, strict=True):
            assert one.tobytes() == other.tobytes()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_arrays_of_two_precisions_are_refused():
    P, t, rate, out, slope = inputs(np.float32, 1)
    with pytest.raises(numba.TypingError, match="needs contiguous arrays of one type"):
        every_operation(P, t.astype(np.float64), rate, out, slope, 0.3, 0.1)


@kernel
def copied_from(out, source, first):
    """Fill the second row of ``out``."""
    copy_from(out, 1, source, first)


@precisions
def test_a_row_may_be_a_part_of_a_wider_one(dtype):
    source = np.arange(60, dtype=dtype).reshape(3, 20)
    for n_vectors in (0, 1, 2):
        out = np.full((3, n_vectors * WIDTH), 7.0, dtype)
        copied_from(out, source, 23)
        np.testing.assert_array_equal(out[1], np.arange(23, 23 + out.shape[1]))
        assert (out[[0, 2]] == 7.0).all()
        plain = out.copy()
        copy_from(plain, 1, source, 5)
        np.testing.assert_array_equal(plain[1], np.arange(5, 5 + out.shape[1]))
