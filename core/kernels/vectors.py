"""Operations on rows of terms, as vector instructions.

The loops over the terms of the exponential are short: eight to sixty-four numbers. A compiler that
vectorises such a loop by itself interleaves it and runs most of it in the scalar remainder, and
where a loop also sums, the order of the sum depends on the compiler. Here the instructions are
given: vectors of `WIDTH` numbers, added in one order on every machine. A number of terms is
therefore a multiple of `WIDTH` (`tables.padded`).

Every operation is a Python function for plain Python (`compiling.interpreted`), with the same
digits, and a function that emits its instructions for numba. Arrays are C-contiguous, with one row
of terms for each edge or node.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Numbers in a vector; eight single-precision numbers fill a register of AVX2.
WIDTH = 8


class RowOperation:
    """Function that numba replaces by vector instructions in a kernel.

    Numba takes it for its own object by ``_numba_type_``; elsewhere it is the Python function.

    Parameters
    ----------
    emit : callable
        Emits the instructions: ``emit(rows, *values) -> value``, where ``rows`` is a `_Rows` and
        every array argument is the pointer to its first number.
    returns : bool
        Whether it returns a number of the type of the arrays; otherwise it returns nothing.
    """

    def __init__(self, function: Callable[..., Any], emit: Callable[..., Any], returns: bool):
        functools.update_wrapper(self, function)
        self.py_func, self._emit, self._returns = function, emit, returns

    def __call__(self, *arguments: Any) -> Any:
        """Run the Python function."""
        return self.py_func(*arguments)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        def definition(typing_context: Any, *types: Any) -> Any:
            return self._typed(types)

        definition.__name__ = self.py_func.__name__
        # Numba gives the arguments the names of the Python function's.
        taken = inspect.signature(self.py_func)
        context = inspect.Parameter("typing_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        vars(definition)["__signature__"] = taken.replace(
            parameters=[context, *taken.parameters.values()]
        )
        found = intrinsic(definition)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(found)

    def _typed(self, types: Any) -> Any:
        """Signature for these argument types, and the function that emits the instructions."""
        from numba.core import types as kinds
        from numba.core.errors import TypingError

        arrays = [each for each in types if isinstance(each, kinds.Array)]
        number = arrays[0].dtype
        if any(each.dtype != number or each.layout != "C" for each in arrays):
            raise TypingError(f"{self.py_func.__name__} needs contiguous arrays of one type")
        taken = [
            each
            if isinstance(each, kinds.Array)
            else kinds.int64
            if isinstance(each, kinds.Integer)
            else number
            for each in types
        ]
        result = number if self._returns else kinds.void

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            rows = _Rows(context, builder, number, signature.args[0], values[0])
            parts = [
                context.make_array(kind)(context, builder, value).data
                if isinstance(kind, kinds.Array)
                else value
                for kind, value in zip(signature.args, values, strict=True)
            ]
            found = self._emit(rows, *parts)
            return found if self._returns else context.get_dummy_value()

        return result(*taken), generate


def _row_operation(
    emit: Callable[..., Any], *, returns: bool = False
) -> Callable[[Callable[..., Any]], RowOperation]:
    return lambda function: RowOperation(function, emit, returns)


class _Rows:
    """Emits instructions for rows; the first array of the operation gives their length."""

    def __init__(self, context: Any, builder: Any, number: Any, kind: Any, array: Any) -> None:
        from llvmlite import ir

        self._ir, self.builder = ir, builder
        self._number = context.get_value_type(number)
        self._vector = ir.VectorType(self._number, WIDTH)
        self._index = ir.IntType(64)
        self._align = number.bitwidth // 8
        shape = context.make_array(kind)(context, builder, array).shape
        self.length = builder.extract_value(shape, kind.ndim - 1)

    @contextmanager
    def each_vector(self) -> Iterator[Any]:
        """Instructions for every vector of a row; gives the position of its first number."""
        from numba.core import cgutils

        width = self._ir.Constant(self._index, WIDTH)
        zero = self._ir.Constant(self._index, 0)
        with cgutils.for_range_slice(self.builder, zero, self.length, width) as (position, _):
            yield position

    def load(self, array: Any, row: Any, position: Any) -> Any:
        """Vector at a position of a row."""
        found = self.builder.load(self._place(array, row, position))
        found.align = self._align
        return found

    def load_flat(self, array: Any, first: Any, position: Any) -> Any:
        """Vector at a position after ``first``, a position in the whole array."""
        place = self.builder.gep(array, [self.builder.add(first, position)])
        found = self.builder.load(self.builder.bitcast(place, self._vector.as_pointer()))
        found.align = self._align
        return found

    def store(self, vector: Any, array: Any, row: Any, position: Any) -> None:
        """Write a vector to a position of a row."""
        self.builder.store(vector, self._place(array, row, position)).align = self._align

    def _place(self, array: Any, row: Any, position: Any) -> Any:
        first = self.builder.add(self.builder.mul(row, self.length), position)
        return self.builder.bitcast(self.builder.gep(array, [first]), self._vector.as_pointer())

    def all(self, value: Any) -> Any:
        """Vector of equal numbers."""
        empty = self._ir.Constant(self._vector, self._ir.Undefined)
        place = self._ir.IntType(32)
        one = self.builder.insert_element(empty, value, self._ir.Constant(place, 0))
        everywhere = self._ir.Constant(self._ir.VectorType(place, WIDTH), [0] * WIDTH)
        return self.builder.shuffle_vector(one, empty, everywhere)

    def constant(self, value: float) -> Any:
        """Vector of one constant."""
        return self._ir.Constant(self._vector, [value] * WIDTH)

    def factor(self, t: Any, on: Any, off: Any) -> Any:
        """``off + on t``, the factor of a parent in every term."""
        return self.builder.fadd(self.all(off), self.builder.fmul(self.all(on), t))

    def cut(self, values: Any, smallest: Any) -> Any:
        """The negative values, and 0 for those nearer to 0 than ``smallest``."""
        is_kept = self.builder.fcmp_ordered("<", values, self.all(self.builder.fneg(smallest)))
        return self.builder.select(is_kept, values, self.constant(0.0))

    def first(self) -> Any:
        """Number of the only row of an array of one dimension."""
        return self._ir.Constant(self._index, 0)

    def sum(self) -> _Sum:
        """Sum over the vectors of a row, at first 0."""
        return _Sum(self)


class _Sum:
    """Sum over the vectors of a row."""

    def __init__(self, rows: _Rows) -> None:
        from numba.core import cgutils

        self._rows, zero = rows, rows.constant(0.0)
        self._place = cgutils.alloca_once_value(rows.builder, zero)

    def add(self, vector: Any) -> None:
        """Add a vector."""
        builder = self._rows.builder
        builder.store(builder.fadd(builder.load(self._place), vector), self._place)

    def total(self) -> Any:
        """Sum of all numbers: the vectors, then one half of the sum to the other."""
        ir, builder = self._rows._ir, self._rows.builder
        vector, width, place = builder.load(self._place), WIDTH, ir.IntType(32)
        while width > 1:
            width //= 2
            empty = ir.Constant(vector.type, ir.Undefined)
            halves = [
                builder.shuffle_vector(
                    vector,
                    empty,
                    ir.Constant(ir.VectorType(place, width), list(range(first, first + width))),
                )
                for first in (0, width)
            ]
            vector = builder.fadd(*halves)
        return builder.extract_element(vector, ir.Constant(place, 0))


def _sum_of(values):
    """Sum of a row in the order of `_Sum`."""
    vector = values.dtype.type(0.0)
    for first in range(0, len(values), WIDTH):
        vector = vector + values[first : first + WIDTH]
    while len(vector) > 1:
        half = len(vector) // 2
        vector = vector[:half] + vector[half:]
    return vector[0]


def _cut(values, smallest):
    values[values >= -smallest] = 0.0
    return values


def _emit_total(rows, array, row):
    found = rows.sum()
    with rows.each_vector() as at:
        found.add(rows.load(array, row, at))
    return found.total()


@_row_operation(_emit_total, returns=True)
def row_total(array, row):
    """Sum of a row."""
    return _sum_of(array[row])


def _emit_copy(rows, source, row, out, out_row):
    with rows.each_vector() as at:
        rows.store(rows.load(source, row, at), out, out_row, at)


@_row_operation(_emit_copy)
def copy_row(source, row, out, out_row):
    """Copy a row of ``source`` to a row of ``out``, which has as many terms."""
    out[out_row] = source[row]


def _emit_copy_from(rows, out, out_row, source, first):
    with rows.each_vector() as at:
        rows.store(rows.load_flat(source, first, at), out, out_row, at)


@_row_operation(_emit_copy_from)
def copy_from(out, out_row, source, first):
    """Fill a row of ``out`` from ``source``, from its number ``first`` on, in C order."""
    out[out_row] = source.ravel()[first : first + out.shape[1]]


def _emit_multiply(rows, source, row, t, edge, on, off, smallest, out, out_row):
    with rows.each_vector() as at:
        factor = rows.factor(rows.load(t, edge, at), on, off)
        product = rows.builder.fmul(rows.load(source, row, at), factor)
        rows.store(rows.cut(product, smallest), out, out_row, at)


@_row_operation(_emit_multiply)
def multiply_row(source, row, t, edge, on, off, smallest, out, out_row):
    """``out = source (off + on t)``, 0 where it is nearer to 0 than ``smallest``."""
    out[out_row] = _cut(source[row] * (off + on * t[edge]), smallest)


def _emit_divide(rows, source, row, t, edge, on, off, out, out_row):
    found = rows.sum()
    with rows.each_vector() as at:
        exponential = rows.load(t, edge, at)
        quotient = rows.builder.fdiv(rows.load(source, row, at), rows.factor(exponential, on, off))
        rows.store(quotient, out, out_row, at)
        slope = rows.builder.fsub(exponential, rows.constant(1.0))
        found.add(rows.builder.fmul(quotient, slope))
    return found.total()


@_row_operation(_emit_divide, returns=True)
def divide_row(source, row, t, edge, on, off, out, out_row):
    """``out = source / (off + on t)``; returns the sum of ``out (t - 1)``."""
    out[out_row] = source[row] / (off + on * t[edge])
    return _sum_of(out[out_row] * (t[edge] - t.dtype.type(1.0)))


def _emit_slope(rows, source, row, rate, smallest, out):
    found, first = rows.sum(), rows.first()
    with rows.each_vector() as at:
        product = rows.builder.fmul(rows.load(source, row, at), rows.load(rate, first, at))
        product = rows.cut(product, smallest)
        rows.store(product, out, first, at)
        found.add(product)
    return found.total()


@_row_operation(_emit_slope, returns=True)
def slope_row(source, row, rate, smallest, out):
    """``out = source rate``, 0 where it is nearer to 0 than ``smallest``; returns its sum."""
    out[:] = _cut(source[row] * rate, smallest)
    return _sum_of(out)


def _emit_edge_slope(rows, t, edge, slope, on, off):
    found, first = rows.sum(), rows.first()
    with rows.each_vector() as at:
        exponential = rows.load(t, edge, at)
        product = rows.builder.fmul(rows.load(slope, first, at), exponential)
        found.add(rows.builder.fdiv(product, rows.factor(exponential, on, off)))
    return found.total()


@_row_operation(_emit_edge_slope, returns=True)
def edge_slope(t, edge, slope, on, off):
    """Sum of ``slope t / (off + on t)`` over the terms of an edge."""
    return _sum_of(slope * t[edge] / (off + on * t[edge]))
