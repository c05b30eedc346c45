"""Kernels against the oracle; all of it must also hold for the kernels as plain Python.

That is ``NUMBA_DISABLE_JIT=1 pytest tests/core/kernels``, with fewer and smaller examples.
"""
