"""Rows of a corpus for the kernels, and the local graphs of their documents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..utils.types import Int64Array
from .compiling import kernel, part
from .local_model import build_local_graph, collect_ancestors
from .threads import on_all_threads

# So many blocks that threads finish together, for results that do not depend on the blocks.
EVEN_BLOCKS = 64


class Parents(NamedTuple):
    """A graph's view from children to parents.

    Attributes
    ----------
    n_topics : int
    parent_ptr, parent_idx : int64 and int32 arrays
        As of `Graph`.
    """

    n_topics: int
    parent_ptr: np.ndarray
    parent_idx: np.ndarray


class Documents(NamedTuple):
    """Rows of a corpus.

    Attributes
    ----------
    token_ptr : int64 array, shape (n_documents + 1,)
    token_idx : int32 array
        ``token_idx[token_ptr[d]:token_ptr[d + 1]]`` are the tokens of document ``d``.
    rows : int64 array
        The documents that are wanted.
    """

    token_ptr: np.ndarray
    token_idx: np.ndarray
    rows: np.ndarray


@part
def rows_of_block(documents, block, n_blocks):
    """Positions of a block in the rows of the documents."""
    n_documents = len(documents.rows)
    return range(block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks)


@part
def document_topics(tokens, model, is_full, place):
    """Topics of a document's local model, or all of them in full scope.

    ``model`` has the fields of `Parents`, as here below.
    """
    if is_full:
        topics = np.arange(model.n_topics, dtype=np.int32)
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
    """Where the topics of each local model begin in one long list, shape (n_documents + 1,)."""
    sizes = np.empty(len(documents.rows), np.int64)
    on_all_threads(_count_blocks, EVEN_BLOCKS, documents, parents, is_full, sizes)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
