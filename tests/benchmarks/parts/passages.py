"""Long texts as wholes and in passages: how many coherent topics a model finds in each."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from orrery import NoisyOrTopics
from orrery.core.data.corpus import Corpus, read_corpus
from orrery.core.data.recipe import Recipe
from orrery.core.evaluation.coherence import top_words, topic_npmi
from orrery.core.utils.types import Int64Array
from tests.benchmarks.corpora import news20
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

SEED, NPMI_WORDS = 0, 10
# Long texts, and posts of one group in each.
N_TEXTS, N_POSTS, QUICK_TEXTS = 200, 50, 40
# Mean NPMI from which the top words of a topic belong together.
COHERENT = 0.1
RULES = ("none", "paragraphs", "sentences:10")
ABOUT = f"""{N_TEXTS} long texts, each made of {N_POSTS} posts of one of 20 newsgroups in a row, are
imported whole and in passages (`orrery import --passages`), and a model is trained on each corpus
with default settings. Coherence is the NPMI of the {NPMI_WORDS} top words of a topic in the single
posts of all groups, which neither import has seen as documents; a topic is coherent from {COHERENT}
on.
"""


def run(settings: Settings) -> Figures:
    """Train on all three corpora."""
    posts = news20()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts.jsonl")
        texts = long_texts(posts, settings.pick(N_TEXTS, QUICK_TEXTS))
        lines = (json.dumps({"id": f"text {number}", "text": text}) for number, text in texts)
        path.write_text("\n".join(lines), encoding="utf-8")
        rows = {rule: _row(posts, path, rule) for rule in RULES}
    return {"rows": rows}


def long_texts(posts: Corpus, count: int) -> list[tuple[int, str]]:
    """Posts of one group in a row, joined by an empty line; evenly from all groups."""
    groups = posts.documents["id"].str.split("/").str[-2].to_numpy(dtype=str)
    texts = posts.documents["text"].tolist()
    names = np.unique(groups)
    found = []
    for place in range(-(-count // len(names))):
        for name in names.tolist():
            rows = np.flatnonzero(groups == name)[place * N_POSTS : (place + 1) * N_POSTS]
            found.append("\n\n".join(texts[row] for row in rows.tolist()))
    return list(enumerate(found[:count]))


def _row(posts: Corpus, path: Path, rule: str) -> dict[str, Any]:
    recipe = Recipe(phrases=False, max_vocabulary=posts.n_tokens)
    corpus = read_corpus(path, recipe, text_column="text", id_column="id", passages=rule)
    model = NoisyOrTopics(random_state=SEED).fit(corpus)
    words = top_words(model.network_, corpus.vocabulary, NPMI_WORDS)
    known = [_in_posts(posts, corpus, own) for own in words]
    scores = [score for score in topic_npmi(posts.to_csr(), known) if score is not None]
    row = {
        "documents": corpus.n_documents,
        "topics": model.network_.graph.n_topics,
        "npmi": float(np.mean(scores)) if scores else 0.0,
        "coherent": int((np.array(scores) >= COHERENT).sum()),
    }
    log.info("%s: %s", rule, row)
    return row


def _in_posts(posts: Corpus, corpus: Corpus, words: Int64Array) -> Int64Array:
    """Numbers of words in the vocabulary of the posts, without the words that it lacks."""
    numbers = {word: token for token, word in enumerate(posts.vocabulary)}
    named = (corpus.vocabulary[word] for word in words.tolist())
    return np.array([numbers[word] for word in named if word in numbers], np.int64)


def show(figures: Figures) -> str:
    """Table with a row for each rule."""
    lines = [
        [
            "whole texts" if rule == "none" else rule,
            number(row["documents"], 0),
            number(row["topics"], 0),
            number(row["npmi"], 3),
            number(row["coherent"], 0),
        ]
        for rule, row in figures["rows"].items()
    ]
    header = ["passages", "documents", "topics", "mean NPMI", "coherent topics"]
    return f"{ABOUT}\n{table(header, lines)}\n"


PART = Part("passages", "Long texts in passages", 8, run, show)
