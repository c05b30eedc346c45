"""Turn the texts or the matrix that an estimator receives into a corpus, and train on it.

Training is the same as by `orrery train`, but in memory and without a test set.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, NamedTuple

import numba
import numpy as np
import pandas as pd
from scipy import sparse

from ..data.columns import SAMPLE_ROWS, default_ids, guess_columns, normal_table
from ..data.corpus import Corpus, build_corpus
from ..data.known_words import corpus_of_rows, words_of
from ..data.raw import RawDocuments
from ..data.recipe import Recipe, matrix_recipe
from ..model.graph import Graph
from ..model.network import Network
from ..runs.settings import RunSettings, propose, training_options
from ..structure.pruning import check_budget
from ..training.options import TrainingOptions
from ..training.state import fresh_state
from ..training.structure_learning import learn
from ..training.train import train
from ..utils.errors import InputError

# Columns of a table that are examined for texts; a wider table is a matrix.
MAX_EXAMINED = 100


def is_texts(documents: Any) -> bool:
    """Whether documents are texts: a one-dimensional sequence with a string, or an empty one.

    Missing items alone count as texts, so that the message about them names them.

    Raises InputError if ``documents`` is a single text, has no order, or has texts in another form.
    """
    if isinstance(documents, str | bytes):
        raise InputError("got one text; expected a list of texts, one for each document")
    # Some sparse matrices are dictionaries.
    if isinstance(documents, Mapping | Set | Iterator) and not sparse.issparse(documents):
        raise InputError(
            f"the documents are a {type(documents).__name__}; expected a list of texts, one for "
            "each document"
        )
    if isinstance(documents, pd.DataFrame):
        _refuse_columns_of_texts(documents)
    if isinstance(documents, list | tuple) and documents:
        first = documents[0]
        is_tokens = isinstance(first, list | tuple) and any(isinstance(part, str) for part in first)
        if isinstance(first, bytes) or is_tokens:
            form = "bytes, which must be decoded" if isinstance(first, bytes) else "a list of words"
            raise InputError(f"document 0 is {form}; expected a text for each document")
    if sparse.issparse(documents) or getattr(documents, "ndim", 1) != 1:
        return False
    if not hasattr(documents, "__getitem__"):
        return False
    items = [item for item in documents if not _is_missing(item)]
    return not items or any(isinstance(item, str) for item in items)


def _refuse_columns_of_texts(table: pd.DataFrame) -> None:
    """Raise InputError if a table has texts, of which only one column can be the documents."""
    examined = table.iloc[:, :MAX_EXAMINED]
    filled = (examined.iloc[:, place].dropna() for place in range(examined.shape[1]))
    texts = [
        place for place, cells in enumerate(filled) if len(cells) and isinstance(cells.iloc[0], str)
    ]
    if not texts:
        return
    names = [str(name) for name in examined.columns[texts]]
    named = examined.iloc[:SAMPLE_ROWS, texts].set_axis(names, axis=1)
    # A guess reads the columns by their names.
    guess = guess_columns(named).text if named.columns.is_unique else None
    # Without a better column, the guess is one of ids.
    if guess is None or not any(len(str(cell).split()) > 1 for cell in named[guess]):
        raise InputError(
            f"the documents are a table that has text in its column {names[0]!r}; leave this "
            "column out, or give one column of texts instead of the table"
        )
    raise InputError(
        f"the documents are a table with texts in its column {guess!r}; give this column instead"
    )


def _is_missing(item: Any) -> bool:
    return bool(pd.api.types.is_scalar(item) and pd.isna(item))


def corpus_of_texts(texts: Sequence[str], recipe: Recipe | None) -> Corpus:
    """Tokenize texts by a recipe, as `orrery import` does; texts without tokens are dropped."""
    return build_corpus(RawDocuments(_table(_checked(texts))), recipe)[0]


def known_words(texts: Sequence[str], like: Corpus | Any) -> Corpus:
    """Corpus of texts over the vocabulary of another; unknown words are dropped, empty texts kept.

    ``like`` is a corpus or a model, whose ``recipe`` and ``vocabulary`` are used.
    """
    checked = _checked(texts)
    rows = [words_of(text, like.recipe, like.token_number)[0] for text in checked]
    return corpus_of_rows(rows, like.vocabulary, _table(checked), like.recipe)


def corpus_of_matrix(
    matrix: Any, vocabulary: tuple[str, ...], recipe: Recipe | None = None
) -> Corpus:
    """Corpus of a document-word matrix; every entry above zero means that the word is present.

    ``matrix``, shape (n_documents, n_tokens), has no negative entries. The recipe determines how a
    query becomes tokens; by default it is split at white space.
    """
    presence = sparse.csr_array(matrix > 0)
    presence.eliminate_zeros()
    presence.sum_duplicates()
    table = pd.DataFrame({"id": default_ids(presence.shape[0]), "text": "", "label": None})
    rows = np.split(presence.indices, presence.indptr[1:-1])
    return corpus_of_rows(rows, vocabulary, normal_table(table), recipe or matrix_recipe())


def _checked(texts: Sequence[str]) -> list[str]:
    found = list(texts)
    for number, text in enumerate(found):
        if _is_missing(text):
            raise InputError(
                f"document {number} is missing ({text}); drop it, or put an empty text in its place"
            )
        if not isinstance(text, str):
            raise InputError(
                f"document {number} is {type(text).__name__} and no text; replace or drop it"
            )
    return found


def _table(texts: list[str]) -> pd.DataFrame:
    ids = default_ids(len(texts))
    return normal_table(pd.DataFrame({"id": ids, "text": texts, "label": None}))


# numba's thread pool aborts the process if two Python threads use it at once.
_one_at_a_time = threading.RLock()


class Fitted(NamedTuple):
    """Result of training."""

    graph: Graph  # at the start
    network: Network
    # Epochs done and mean bound of a step's minibatch, in nats per document.
    history: list[tuple[float, float]]


@contextmanager
def threads(n_jobs: int | None) -> Iterator[None]:
    """Limit the threads of numba within a block; None and -1 mean all of them, -2 all but one."""
    # From the environment, where joblib sets each process's share of the cores.
    most = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    wanted = most if n_jobs is None else most + 1 + n_jobs if n_jobs < 0 else n_jobs
    with _one_at_a_time:
        before = numba.get_num_threads()
        numba.set_num_threads(max(1, min(wanted, most)))
        try:
            yield
        finally:
            numba.set_num_threads(before)


def fit_corpus(corpus: Corpus, settings: RunSettings, *, verbose: bool) -> Fitted:
    """Propose a graph for the corpus and train it on all documents."""
    graph = propose(settings, corpus, np.arange(corpus.n_documents))
    options = training_options(settings, graph)
    if options.most_edges is not None:
        check_budget(graph, options.most_edges)
    steps = (learn if options.structure == "learned" else train)(corpus, graph, options)
    network, history = _run(steps, options.passes, verbose)
    return Fitted(graph, network, history)


def fit_more(
    network: Network, corpus: Corpus, options: TrainingOptions, *, verbose: bool
) -> Fitted:
    """Continue training with documents over the same vocabulary; the graph does not change."""
    steps = train(corpus, network.graph, options, state=fresh_state(network))
    trained, history = _run(steps, options.passes, verbose)
    return Fitted(network.graph, trained, history)


def _run(
    steps: Iterator[tuple[Any, Any]], n_epochs: int, verbose: bool
) -> tuple[Network, list[tuple[float, float]]]:
    """Do all training steps; ``verbose`` shows a progress bar of the epochs."""
    from tqdm import tqdm

    history: list[tuple[float, float]] = []
    shape = "{l_bar}{bar}| {n:.1f}/{total} epochs, {elapsed}<{remaining}{postfix}"
    with tqdm(total=n_epochs, bar_format=shape, disable=not verbose) as bar:
        for state, info in steps:
            network = state.network
            history.append((info.epoch, info.bound))
            bar.set_postfix_str(f"bound {info.bound:.2f}", refresh=False)
            bar.update(info.epoch - bar.n)
    return network, history
