"""Two ways to run the same algorithms, chosen by the size of the local model alone.

Small local models run as plain Python and NumPy, because kernels would first have to be compiled,
which takes 16 seconds of a processor on a new machine. Whole documents run as compiled kernels. The
choice must not depend on anything else, such as the kernels that happen to be compiled: the two
ways have different last digits, and one question has one answer.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from ..kernels.compiling import interpreted
from ..kernels.local_model import LocalGraph

# Nodes and edges of a small local model. A query of three words on a graph of 235 topics has some
# 55 and 120; ten times as many would take a quarter of a second.
MAX_SMALL_NODES, MAX_SMALL_EDGES = 150, 300
# Entries of all tables that exact inference in NumPy computes; more take longer than 50 ms.
MAX_SMALL_TERMS = 2**20


def is_small(local: LocalGraph) -> bool:
    """Whether inference on a local model runs without compiled kernels."""
    return len(local.node) <= MAX_SMALL_NODES and len(local.parent) <= MAX_SMALL_EDGES


def kernels_for(local: LocalGraph) -> AbstractContextManager[None]:
    """Block in which kernels run as plain Python if the local model is small."""
    return interpreted() if is_small(local) else nullcontext()
