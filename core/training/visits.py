"""Activations that the last visit of each document ended with; its next E-step starts there.

An E-step from earlier activations takes a third of the time. It may miss better optima that have
appeared since, so a document starts anew at its first visit of a graph, and in the first stage,
where the weights move far from the random ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus
from ..inference.kernel_inputs import documents_of
from ..kernels.batch import Memory
from ..kernels.rows import Parents, topic_pointer
from ..model.graph import Graph
from ..utils.types import BoolArray, Int64Array

# Activations are kept in this number of steps, one byte each. The E-step continues from them until
# they change by less than its tolerance, which is larger than a step.
STEPS = 255
# Bytes at the most. Activations are kept of the first documents, as many as fit; the visits of the
# others always start anew.
MAX_BYTES = 2**27

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Visits:
    """Activations of the documents of a stage at their last visits; never changed in place."""

    graph: Graph
    # int64, shape (n_documents + 1,): see `rows.topic_pointer`. None after reading from a file.
    pointer: Int64Array | None
    activation: Bytes  # the first documents of the pointer, as many as fit in `MAX_BYTES`
    is_visited: BoolArray  # shape (n_documents,); False where nothing is kept
    # Positions and activations of the kept documents of the latest steps, which the arrays above do
    # not hold yet: the arrays are copied once in an epoch and not at every step.
    recent: tuple[tuple[Int64Array, Bytes], ...] = ()

    def memory_of(self, positions: Int64Array) -> Memory:
        """Memory for the E-steps of documents that were not visited in the recent steps."""
        assert self.pointer is not None
        size = self.pointer[positions + 1] - self.pointer[positions]
        pointer = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
        entries = _entries(self.pointer, positions)
        is_kept = entries < len(self.activation)
        activation = np.zeros(len(entries), np.float32)
        activation[is_kept] = self.activation[entries[is_kept]]
        return Memory(pointer, activation / STEPS, self.is_visited[positions])

    def followed_by(self, positions: Int64Array, memory: Memory) -> Visits:
        """These and the visits of a step, whose E-steps have written the memory."""
        assert self.pointer is not None
        is_kept = self.pointer[positions + 1] <= len(self.activation)
        activation = memory.activation[np.repeat(is_kept, np.diff(memory.pointer))]
        written = np.round(activation * STEPS).astype(np.uint8)
        return replace(self, recent=(*self.recent, (positions[is_kept], written)))

    def merged(self) -> Visits:
        """The same with the recent steps in the arrays."""
        if not self.recent:
            return self
        assert self.pointer is not None
        activation, is_visited = self.activation.copy(), self.is_visited.copy()
        for positions, written in self.recent:
            activation[_entries(self.pointer, positions)] = written
            is_visited[positions] = True
        return Visits(self.graph, self.pointer, activation, is_visited)


def visits_before(
    visits: Visits | None, graph: Graph, corpus: Corpus, documents: Int64Array, is_new_epoch: bool
) -> Visits:
    """Visits before a step, ready for `Visits.memory_of` of any document of the step.

    ``documents`` are all documents of the stage (int64 array). Visits of another graph or of other
    documents are forgotten. In one epoch no document is visited twice, so the recent steps are
    needed from the next epoch on.
    """
    if visits is not None:
        is_same = visits.graph is graph and len(visits.is_visited) == len(documents)
        visits = visits if is_same else None
    if visits is None or visits.pointer is None:
        parents = Parents(graph.n_topics, graph.parent_ptr, graph.parent_idx)
        pointer = topic_pointer(documents_of(graph, corpus, documents), parents, False)
        n_kept = np.searchsorted(pointer, MAX_BYTES, side="right") - 1
        # Arrays from a file are checked, because kernels do not check indices.
        if visits is not None and len(visits.activation) == pointer[n_kept]:
            return replace(visits, pointer=pointer)
        none = np.zeros(len(documents), np.bool_)
        return Visits(graph, pointer, np.zeros(pointer[n_kept], np.uint8), none)
    return visits.merged() if is_new_epoch else visits


def _entries(pointer: Int64Array, positions: Int64Array) -> Int64Array:
    """Positions of the activations of some documents in the list of all."""
    size = pointer[positions + 1] - pointer[positions]
    end = np.cumsum(size)
    shift: Int64Array = np.repeat(pointer[positions] - end + size, size)
    return shift + np.arange(len(shift))
