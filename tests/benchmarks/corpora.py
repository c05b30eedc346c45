"""The six real corpora that structures are compared on, from 100 to 20,000 words."""

from __future__ import annotations

import json
import re
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer

from orrery.core.data.corpus import Corpus, read_corpus
from orrery.core.data.recipe import Recipe
from tests.benchmarks.arxiv import N_TEST, arxiv_split
from tests.benchmarks.data import binary_corpus, data_file, tiny20

QUICK_DOCUMENTS, QUICK_WORDS = 600, 150


@dataclass(frozen=True)
class Source:
    """A corpus to compare structures on.

    Attributes
    ----------
    title : str
    read : function
        Raises MissingData if the corpus is not available.
    seeds : tuple of int
        Seeds of the splits into training and test documents.
    """

    title: str
    read: Callable[[], Corpus]
    seeds: tuple[int, ...] = (0,)

    def corpus(self, *, is_quick: bool = False) -> Corpus:
        """All of it, or a little for a quick run."""
        return little(self.read()) if is_quick else self.read()


def nips_titles() -> Corpus:
    """Titles of NeurIPS papers from 1987 to 2016."""
    path = data_file("nips/nips_titles_1987_2016.tsv")
    return read_corpus(path, Recipe(phrases=False), text_column="title")


def news20(words: int = 5_000) -> Corpus:
    """20 Newsgroups over the words of most posts, without the lines of the news system."""
    with tarfile.open(data_file("news20/20news-bydate.tar.xz")) as archive:
        posts = {
            member.name: content.read().decode("latin-1")
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }
    bodies = [{"id": name, "text": body_of(post)} for name, post in sorted(posts.items())]
    recipe = Recipe(phrases=False, max_vocabulary=words)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "posts.jsonl")
        path.write_text("\n".join(map(json.dumps, bodies)), encoding="utf-8")
        return read_corpus(path, recipe, text_column="text", id_column="id")


def body_of(post: str) -> str:
    """Text after the first empty line of a post; the whole post without one."""
    head, _, body = post.replace("\r\n", "\n").partition("\n\n")
    return body or head


def nips_abstracts() -> Corpus:
    """Titles and abstracts of NeurIPS papers."""
    path = data_file("nips/nips_1987_2018_title_abstract.tsv.xz")
    table = pd.read_csv(path, sep="\t", quoting=3, dtype=str).fillna("")
    return _of_lines((table["title"] + " " + table["abstract"]).tolist(), "abstracts.jsonl")


def arxiv_titles(count: int = 50_000) -> Corpus:
    """Titles of arXiv papers, evenly from all years."""
    table = pd.read_csv(data_file("arxiv/arxiv_titles.tsv.xz"), sep="\t", quoting=3, dtype=str)
    titles = table["title"].dropna()
    rows = np.linspace(0, len(titles) - 1, count).astype(int)
    return _of_lines(titles.iloc[rows].tolist(), "titles.jsonl")


def brown_sentences() -> Corpus:
    """Sentences of the Brown corpus, of all kinds of prose, without their tags."""
    with zipfile.ZipFile(data_file("brown/brown.zip")) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"brown/c[a-r]\d\d", name)]
        lines = [
            line for name in sorted(names) for line in archive.read(name).decode().splitlines()
        ]
    words = [" ".join(token.rpartition("/")[0] for token in line.split()) for line in lines]
    return _of_lines([line for line in words if line], "sentences.jsonl")


def _of_lines(texts: list[str], name: str) -> Corpus:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        lines = (json.dumps({"text": text}) for text in texts)
        path.write_text("\n".join(lines), encoding="utf-8")
        return read_corpus(path, Recipe(), text_column="text")


def prepared(name: str) -> Corpus:
    """A corpus of texts that others have pre-processed; every word stays."""
    rows = pd.read_csv(data_file(name), sep="\t", header=None, quoting=3, dtype=str)
    counter = CountVectorizer(analyzer=str.split, binary=True)
    presence = counter.fit_transform(rows[0].fillna(""))
    return binary_corpus(presence, counter.get_feature_names_out().tolist())


def little(corpus: Corpus) -> Corpus:
    """A few documents and the most frequent of their words, for quick runs."""
    rows = np.random.default_rng(0).permutation(corpus.n_documents)[:QUICK_DOCUMENTS]
    presence = corpus.to_csr()[rows]
    frequency = np.asarray(presence.sum(axis=0)).ravel()
    words = np.sort(np.argsort(-frequency, kind="stable")[:QUICK_WORDS])
    return binary_corpus(presence[:, words], [corpus.vocabulary[word] for word in words])


CORPORA = {
    "tiny20": Source("tiny20", tiny20, seeds=(0, 1, 2, 3, 4)),
    "nips": Source("NIPS titles", nips_titles),
    "news20": Source("20 Newsgroups", news20),
    "dblp": Source("DBLP titles", lambda: prepared("dblp/corpus.tsv.xz")),
    "bbc": Source("BBC", lambda: prepared("bbc/corpus.tsv.xz")),
    "arxiv": Source(
        "arXiv abstracts",
        lambda: arxiv_split(50_000 - N_TEST, 20_000, min_df=5).corpus,
    ),
}
# Corpora that played no part in choosing how to learn.
FRESH = {
    "nips_abstracts": Source("NeurIPS abstracts", nips_abstracts),
    "arxiv_titles": Source("arXiv titles", arxiv_titles),
    "brown": Source("Brown, sentences", brown_sentences),
}
