"""The digits of the exact E-step and of importance sampling do not depend on memory addresses."""

from __future__ import annotations

import re

import numba
import numpy as np
import pytest
from hypothesis import given

from orrery.core.kernels.document import Search, exact_fixed_points
from orrery.core.kernels.exact import (
    add_exact_gradient,
    ascend_exact,
    exact_bound,
    expected_terms,
    most_children,
    replace_activation,
    topic_field,
)
from orrery.core.kernels.importance_gradient import (
    Samples,
    add_importance_gradient,
    draw_samples,
    normalise,
)
from orrery.core.kernels.local_model import FREE, local_factors
from orrery.core.kernels.tables import build_tables, exponential_sum
from tests.local_problems import local_problem
from tests.random_networks import Problem, activations, plain_network, problems, several

# As plain Python every loop comes in one version.
PLACES = 1 if numba.config.DISABLE_JIT else 60
# Where the last digits of an address begin anew.
PAGE = 4096
# Accumulator of a sum in a vector loop, in the LLVM code.
VECTOR_OF_SUMS = re.compile(r"= phi <\d+ x (float|double)>")

precisions = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def arrays_in(value):
    """All arrays of a tuple of arrays, numbers and such tuples."""
    if isinstance(value, tuple):
        return [array for one in value for array in arrays_in(one)]
    return [value] if isinstance(value, np.ndarray) else []


def with_arrays(value, arrays):
    """The tuple with the next of these arrays (an iterator) in the place of each of its own."""
    if isinstance(value, tuple):
        filled = [with_arrays(one, arrays) for one in value]
        return type(value)(*filled) if hasattr(value, "_fields") else tuple(filled)
    return next(arrays) if isinstance(value, np.ndarray) else value


def placed(value, rng):
    """The tuple with its arrays in one piece of memory, near neighbours or about a page apart."""
    arrays = arrays_in(value)
    # Size of each array in bytes, rounded up to a multiple of 8.
    sizes = [-(-array.nbytes // 8) * 8 for array in arrays]
    gaps = 8 * rng.integers(0, rng.choice([1, 4, 16, 64]), len(arrays))
    gaps += PAGE * (rng.random(len(arrays)) < rng.choice([0.0, 0.2]))
    memory = np.empty(sum(sizes) + gaps.sum(), np.uint8)
    copies, end = list(arrays), 0
    for position in rng.permutation(len(arrays)):
        array, begin = arrays[position], end + gaps[position]
        copies[position] = np.ndarray(array.shape, array.dtype, memory, begin)
        copies[position][...] = array
        end = begin + sizes[position]
    return with_arrays(value, iter(copies))


def assert_same_everywhere(function, inputs, rng):
    expected = function(*with_arrays(inputs, iter([array.copy() for array in arrays_in(inputs)])))
    for _ in range(PLACES):
        assert function(*placed(inputs, rng)) == expected


def inputs_of(problem, kind, dtype):
    """One document for the kernels on one of both sums of exponentials."""
    document = local_problem(problem, is_full=False)
    terms = getattr(tables_of(document, dtype), kind)
    q = document.local(activations(problem, extreme=False))
    return (
        document.graph,
        document.weights,
        terms,
        document.free,
        q,
        np.empty_like(terms.coefficient),
    )


def tables_of(document, dtype):
    return build_tables(document.weights.w, document.weights.w0, exponential_sum("fast"), dtype)


def gradient_of(problem):
    return np.zeros(problem.network.graph.n_edges), np.zeros(problem.network.graph.n_nodes)


def results_of_each_kernel(local, weights, terms, free, q, P, grad_weight, grad_leak):
    expected_terms(local, terms, q, P)
    shown_text = {"terms": P.tobytes()}
    without = np.empty((most_children(local), P.shape[1]), P.dtype)
    fields = [topic_field(i, local, weights, terms, q, P, without) for i in range(local.n_topics)]
    shown_text["fields"] = np.array(fields).tobytes()
    add_exact_gradient(local, terms, q, P, grad_weight, grad_leak)
    shown_text["gradient"] = grad_weight.tobytes() + grad_leak.tobytes()
    for i in range(local.n_topics):
        topic_field(i, local, weights, terms, q, P, without)
        replace_activation(i, 1.0 - q[i], local, terms, q, P, without)
    shown_text["replaced"] = P.tobytes()
    shown_text["bound"] = exact_bound(local, weights, terms, free, q, P)
    ascend_exact(local, weights, terms, free, q, P, 0.0, 10)
    shown_text["ascended"] = q.tobytes() + P.tobytes()
    return shown_text


def results_of_the_search(*inputs):
    return [array.tobytes() for array in exact_fixed_points(*inputs)]


@precisions
@pytest.mark.parametrize("kind", ["exact", "coarse"])
@several
@given(problem=problems())
def test_each_kernel_is_the_same_wherever_its_arrays_lie(kind, dtype, problem):
    inputs = *inputs_of(problem, kind, dtype), *gradient_of(problem)
    assert_same_everywhere(results_of_each_kernel, inputs, problem.rng)


@precisions
@several
@given(problem=problems())
def test_the_whole_search_ends_the_same_wherever_its_arrays_lie(dtype, problem):
    document = local_problem(problem, is_full=False)
    held = np.zeros(document.graph.n_topics)
    search = Search(np.array([0.5, 0.02]), 1e-6, 20, np.array([1, 1, 1]))
    inputs = document.graph, document.weights, tables_of(document, dtype), document.free, held
    assert_same_everywhere(results_of_the_search, (*inputs, search), problem.rng)


def results_of_sampling(local, factors, grad_weight, grad_leak, usage):
    samples = draw_samples(local, factors, 16, np.uint64(7))
    _, share = normalise(samples.log_weight)
    add_importance_gradient(local, samples, share, grad_weight, grad_leak, usage)
    return [array.tobytes() for array in (*samples, share, grad_weight, grad_leak, usage)]


def results_of_their_gradient(local, x, on, log_weight, *sums):
    add_importance_gradient(
        local, Samples(x, on, log_weight), normalise(log_weight)[1].copy(), *sums
    )
    return [array.tobytes() for array in sums]


def drawn(problem):
    """One document, its factors and the sums that its gradient is added to."""
    document = local_problem(problem, is_full=False)
    state = np.full(document.graph.n_topics, FREE, np.int8)
    factors = local_factors(document.graph, document.weights, state)
    sums = *gradient_of(problem), np.zeros(problem.network.graph.n_topics)
    return document.graph, factors, sums


@several
@given(problem=problems())
def test_samples_and_their_gradient_are_the_same_wherever_their_arrays_lie(problem):
    local, factors, sums = drawn(problem)
    assert_same_everywhere(results_of_sampling, (local, factors, *sums), problem.rng)
    samples = draw_samples(local, factors, 16, np.uint64(7))
    assert_same_everywhere(results_of_their_gradient, (local, *samples, *sums), problem.rng)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain Python has no vector loops")
def test_no_vector_loop_that_adds_up_samples_stores():
    rng = np.random.default_rng(0)
    problem = Problem(plain_network(rng), np.arange(5, dtype=np.int32), rng)
    local, factors, sums = drawn(problem)
    samples = draw_samples(local, factors, 16, np.uint64(7))
    _, share = normalise(samples.log_weight)
    loops = vector_loops(add_importance_gradient, (local, samples, share, *sums))
    adding = [loop for loop in loops if VECTOR_OF_SUMS.search(loop)]
    assert adding
    assert not any(" store " in loop for loop in adding)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain Python has no vector loops")
@precisions
def test_no_compiler_chooses_the_order_of_a_sum_of_the_exact_bound(dtype):
    """Its sums are vector instructions already, and may not be reordered."""
    rng = np.random.default_rng(0)
    problem = Problem(plain_network(rng), np.arange(5, dtype=np.int32), rng)
    local, weights, terms, free, q, P = inputs_of(problem, "exact", dtype)
    for function, inputs in (
        (exact_bound, (local, weights, terms, free, q, P)),
        (ascend_exact, (local, weights, terms, free, q, P, 0.0, 10)),
        (add_exact_gradient, (local, terms, q, P, *gradient_of(problem))),
    ):
        assert not function.targetoptions.get("fastmath")
        loops = vector_loops(function, inputs)
        assert not any(VECTOR_OF_SUMS.search(loop) for loop in loops)


def vector_loops(function, inputs):
    """Instructions of every vector loop of a kernel; numba's cache does not have them."""
    compiled = numba.jit(**function.targetoptions)(function.py_func)
    compiled(*inputs)
    (instructions,) = compiled.inspect_llvm().values()
    blocks = instructions.split("\n\n")
    return [block for block in blocks if "vector.body" in block.partition(":")[0]]
