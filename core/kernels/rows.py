"""Documents as rows of a corpus, and their local graphs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..utils.types import Int64Array
from .compiling import kernel, part
from .local_model import build_local_graph, collect_ancestors
from .threads import on_all_threads

# Number of blocks if the results do not depend on it: enough to balance the load of the threads.
EVEN_BLOCKS = 64


class Parents(NamedTuple):
    """Graph as the list of parents of every node."""

    n_topics: int
    # parent_ptr, parent_idx: int64 and int32: see `Graph`
    parent_ptr: np.ndarray
    parent_idx: np.ndarray


class Documents(NamedTuple):
    """Rows of a corpus."""

    token_ptr: np.ndarray  # int64 (n_documents + 1,)
    # int32: ``token_idx[token_ptr[d]:token_ptr[d + 1]]`` are the tokens of document ``d``
    token_idx: np.ndarray
    rows: np.ndarray  # int64: selected documents


@part
def rows_of_block(documents, block, n_blocks):
    """Range of positions in ``documents.rows`` that belong to a block."""
    n_documents = len(documents.rows)
    return range(block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks)


@part
def document_topics(tokens, model, is_full, place):
    """Topics of a document's local model, or all topics if ``is_full``.

    ``model`` has the fields of `Parents`, here and below.
    """
    if is_full:
        topics = np.empty(model.n_topics, np.int32)
        for k in range(model.n_topics):
            topics[k] = k
    else:
        topics = collect_ancestors(tokens, model.parent_ptr, model.parent_idx, place)
    return topics


@part
def tokens_of(documents, row, n_topics):
    """Token nodes of a document, numbered after the topics."""
    begin, end = documents.token_ptr[row], documents.token_ptr[row + 1]
    tokens = np.empty(end - begin, np.int32)
    for position in range(end - begin):
        tokens[position] = documents.token_idx[begin + position] + n_topics
    return tokens


@part
def document_graph(tokens, model, is_full, place):
    """Local graph of ONE document."""
    topics = document_topics(tokens, model, is_full, place)
    return build_local_graph(topics, tokens, model.parent_ptr, model.parent_idx, place)


@kernel
def _count_blocks(blocks, documents, parents, is_full, sizes):
    place = np.full(parents.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            tokens = tokens_of(documents, documents.rows[position], parents.n_topics)
            topics = document_topics(tokens, parents, is_full, place)
            for k in topics:
                place[k] = -1
            sizes[position] = len(topics)


def topic_pointer(documents: Documents, parents: Parents, is_full: bool) -> Int64Array:
    """Start of each document's local topics in one concatenated list, shape (n_documents + 1,)."""
    sizes = np.empty(len(documents.rows), np.int64)
    on_all_threads(_count_blocks, EVEN_BLOCKS, documents, parents, is_full, sizes)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
