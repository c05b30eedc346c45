"""Abstracts of arXiv papers as a corpus, in the place of the paper's DBLP."""

from __future__ import annotations

import lzma
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from orrery.core.data.corpus import read_corpus
from orrery.core.data.recipe import Recipe
from tests.benchmarks.data import Split, data_file

ABSTRACTS = "arxiv/arxiv_abstracts_subset.tsv.xz"
# The paper's test part of DBLP has as many abstracts.
N_TEST = 500
RECIPE = Recipe(phrases=False, max_df=0.2)


@cache
def arxiv_split(n_train: int, n_words: int, seed: int = 0, *, min_df: int = 20) -> Split:
    """Abstracts drawn at random as sets of their most frequent words.

    Parameters
    ----------
    n_train : int
        Training abstracts, in addition to 500 validation abstracts.
    n_words : int
        Maximum size of the vocabulary.
    seed : int
    min_df : int
        Minimum number of abstracts with a word.
    """
    recipe = replace(RECIPE, max_vocabulary=n_words, min_df=min_df)
    with lzma.open(data_file(ABSTRACTS), "rt", encoding="utf-8", newline="\n") as file:
        header, *lines = file.readlines()
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(lines))[: n_train + N_TEST]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "abstracts.tsv")
        path.write_text(header + "".join(lines[line] for line in order), encoding="utf-8")
        corpus = read_corpus(path, recipe, text_column="abstract", id_column="arxiv_id")
    # The vocabulary sees the test documents too; neither graph nor weights do.
    rows = np.arange(corpus.n_documents)
    return Split(corpus, rows[:-N_TEST], rows[-N_TEST:], seed)
