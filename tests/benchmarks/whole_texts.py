"""Posts and news with how often each word is in them, on the division that others use."""

from __future__ import annotations

import html
import re
import tarfile
from collections.abc import Sequence
from typing import NamedTuple

from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from tests.benchmarks.corpora import body_of
from tests.benchmarks.data import data_file

# Words of letters only, minimum number of training documents, and maximum number of words.
LETTERS, MIN_DOCUMENTS, MAX_WORDS = r"[a-z]{2,}", 5, 5_000


class Counted(NamedTuple):
    """Training and test documents by words."""

    train: sparse.csr_array
    test: sparse.csr_array


class Article(NamedTuple):
    """A Reuters-21578 article.

    Attributes
    ----------
    title, body : str
    topics : tuple of str
    """

    title: str
    body: str
    topics: tuple[str, ...]


def counted(train: Sequence[str], test: Sequence[str], *, binary: bool = False) -> Counted:
    """Words of the documents to train on, without English stop words; all documents over them."""
    counter = CountVectorizer(
        stop_words="english", token_pattern=LETTERS, min_df=MIN_DOCUMENTS,
        max_features=MAX_WORDS, binary=binary, dtype=float,
    )  # fmt: skip
    return Counted(*(sparse.csr_array(part) for part in (
        counter.fit_transform(train), counter.transform(test)
    )))  # fmt: skip


def news20_posts() -> tuple[list[str], list[str]]:
    """Posts of 20 Newsgroups without the lines of the news system, divided by date."""
    parts: tuple[list[str], list[str]] = ([], [])
    with tarfile.open(data_file("news20/20news-bydate.tar.xz")) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                is_test = "bydate-test/" in member.name
                parts[is_test].append(body_of(content.read().decode("latin-1")))
    return parts


def reuters_articles() -> tuple[list[Article], list[Article]]:
    """Articles that have a topic, in their order, by the division of Apté et al. (ModApte)."""
    with tarfile.open(data_file("reuters21578/reuters21578_sgm.tar.xz")) as archive:
        files = {
            member.name: content.read().decode("latin-1")
            for member in archive
            if member.name.endswith(".sgm") and (content := archive.extractfile(member))
        }
    parts: tuple[list[Article], list[Article]] = ([], [])
    for name in sorted(files):
        for head, rest in re.findall(r"<REUTERS (.*?)>(.*?)</REUTERS>", files[name], re.DOTALL):
            topics = tuple(re.findall(r"<D>(.*?)</D>", _within("TOPICS", rest)))
            split = re.search(r'LEWISSPLIT="(TRAIN|TEST)"', head)
            if 'TOPICS="YES"' in head and split is not None and topics:
                article = Article(_within("TITLE", rest), _within("BODY", rest), topics)
                parts[split[1] == "TEST"].append(article)
    return parts


def _within(tag: str, text: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    return html.unescape(found[1]) if found else ""
