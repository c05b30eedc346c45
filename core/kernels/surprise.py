"""How little the parents of a node account for its being on, in the states of Gibbs chains."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.compiling import kernel, part
from core.kernels.gibbs import SurvivalModel, node_survival
from core.kernels.rows import EVEN_BLOCKS, Documents, document_graph, rows_of_block, tokens_of
from core.kernels.threads import FloatArray, on_all_threads

# A word that its leak alone explains is on by chance of this at least.
_LEAST_PROBABILITY = 1e-9


class Surprises(NamedTuple):
    """1 / P(on | states of the parents) of the nodes that are on, document after document.

    Attributes
    ----------
    topic : int32 array, shape (n_states,)
        Topic of every state of the chains.
    of_topics : float64 array, shape (n_states,)
        0 where the topic is off.
    of_tokens : float64 array, shape (n_tokens_in_documents,)
        In the order of the documents and of their tokens.
    """

    topic: np.ndarray
    of_topics: FloatArray
    of_tokens: FloatArray


@part
def document_surprises(tokens, model, is_full, place, states, topic, of_topics, of_tokens):
    """Fill in the `Surprises` of ONE document."""
    local = document_graph(tokens, model, is_full, place)
    x = np.ones(len(local.node), np.bool_)
    for k in range(local.n_topics):
        x[k] = states[k]
    p = np.empty(len(local.node), np.float64)
    node_survival(local, model, x, p)
    for k in range(local.n_topics):
        topic[k] = local.node[k]
        of_topics[k] = 1.0 / max(1.0 - p[k], _LEAST_PROBABILITY) if x[k] else 0.0
    for j in range(len(tokens)):
        of_tokens[j] = 1.0 / max(1.0 - p[local.n_topics + j], _LEAST_PROBABILITY)


@kernel
def _surprise_blocks(blocks, documents, model, is_full, chain_ptr, states, token_ptr, found):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            begin, end = chain_ptr[position], chain_ptr[position + 1]
            document_surprises(
                tokens_of(documents, documents.rows[position], model.n_topics),
                model,
                is_full,
                place,
                states[begin:end],
                found.topic[begin:end],
                found.of_topics[begin:end],
                found.of_tokens[token_ptr[position] : token_ptr[position + 1]],
            )


def surprises(
    documents: Documents,
    model: SurvivalModel,
    is_full: bool,
    chain_ptr: np.ndarray,
    states: np.ndarray,
    token_ptr: np.ndarray,
) -> Surprises:
    """`document_surprises` of some documents, on all threads.

    ``states`` are cut by ``chain_ptr`` and the tokens of the documents wanted by ``token_ptr``.
    """
    found = Surprises(
        np.empty(len(states), np.int32), np.empty(len(states)), np.empty(token_ptr[-1])
    )
    on_all_threads(
        _surprise_blocks,
        EVEN_BLOCKS,
        documents,
        model,
        is_full,
        chain_ptr,
        states,
        token_ptr,
        found,
    )
    return found
