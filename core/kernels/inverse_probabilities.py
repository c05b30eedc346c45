"""Inverse probabilities of the nodes that are on, given their parents in Gibbs chains."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.kernels.compiling import kernel, part
from orrery.core.kernels.gibbs import SurvivalModel, local_causes, node_survival
from orrery.core.kernels.rows import (
    EVEN_BLOCKS,
    Documents,
    document_graph,
    rows_of_block,
    tokens_of,
)
from orrery.core.kernels.threads import on_all_threads

# A node is on by at least this chance.
_LEAST_PROBABILITY = 1e-9


class InverseProbabilities(NamedTuple):
    """1 / P(on | states of the parents) of the nodes that are on, document after document.

    Attributes
    ----------
    topic : int32 array, shape (n_topics_on,)
        The topics that are on.
    of_topics : float64 array, shape (n_topics_on,)
    of_tokens : float64 array, shape (n_tokens_in_documents,)
        In the order of the documents and of their tokens.
    """

    topic: np.ndarray
    of_topics: FloatArray
    of_tokens: FloatArray


class Pointers(NamedTuple):
    """Where a document begins in three lists, each int64, shape (n_documents + 1,).

    Attributes
    ----------
    state
        All topics of its local model, on or off.
    on
        Those that are on.
    token
    """

    state: Int64Array
    on: Int64Array
    token: Int64Array


@part
def document_inverse_probabilities(
    tokens, model, is_full, place, states, topic, of_topics, of_tokens
):
    """Fill in the `InverseProbabilities` of ONE document."""
    local = document_graph(tokens, model, is_full, place)
    x = np.ones(len(local.node), np.bool_)
    for k in range(local.n_topics):
        x[k] = states[k]
    p = np.empty(len(local.node), np.float64)
    node_survival(local, local_causes(local, model), x, p)
    n_on = 0
    for k in range(local.n_topics):
        if x[k]:
            topic[n_on] = local.node[k]
            of_topics[n_on] = 1.0 / max(1.0 - p[k], _LEAST_PROBABILITY)
            n_on += 1
    for j in range(len(tokens)):
        of_tokens[j] = 1.0 / max(1.0 - p[local.n_topics + j], _LEAST_PROBABILITY)


@kernel
def _blocks_of_inverse_probabilities(blocks, documents, model, is_full, pointers, states, found):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            on = slice(pointers.on[position], pointers.on[position + 1])
            document_inverse_probabilities(
                tokens_of(documents, documents.rows[position], model.n_topics),
                model,
                is_full,
                place,
                states[pointers.state[position] : pointers.state[position + 1]],
                found.topic[on],
                found.of_topics[on],
                found.of_tokens[pointers.token[position] : pointers.token[position + 1]],
            )


def inverse_probabilities(
    documents: Documents,
    model: SurvivalModel,
    is_full: bool,
    pointers: Pointers,
    states: np.ndarray,
) -> InverseProbabilities:
    """`document_inverse_probabilities` of some documents, on all threads."""
    n_on, n_tokens = pointers.on[-1], pointers.token[-1]
    found = InverseProbabilities(np.empty(n_on, np.int32), np.empty(n_on), np.empty(n_tokens))
    on_all_threads(
        _blocks_of_inverse_probabilities,
        EVEN_BLOCKS,
        documents,
        model,
        is_full,
        pointers,
        states,
        found,
    )
    return found
