"""Words that a model does not know, drawn from WordNet: how many get an answer or an offer."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.data.suggestions import suggest
from orrery.core.data.word_vectors import PACKAGE
from orrery.core.inference.dropped_words import documents_with
from tests.benchmarks.corpora import CORPORA, FRESH, Source
from tests.benchmarks.data import data_file
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.structures import compare_corpora

SEED, N_WORDS, QUICK_WORDS = 0, 75, 5
SETS: Mapping[str, Source] = {
    "news20": CORPORA["news20"],
    "nips_abstracts": FRESH["nips_abstracts"],
}
KINDS = ("noun", "verb", "adj", "adv")
ANSWERS = ("texts", "form", "meaning", "none")
ABOUT = f"""{N_WORDS} synonyms and {N_WORDS} inflected forms of words of each vocabulary, which
are not in it, drawn at random from WordNet 3.0 (the files of Debian's package wordnet-base, in the
folder `wordnet` beside the real corpora). *In the texts*: the recipe dropped the word, and it is
answered from the documents that contain it. *Form* and *meaning*: known words are offered because
they are forms of the word or are spelt in a similar way, or only because their meaning is similar,
which needs `orrery[vectors]`. No word is replaced. The goal is that 95 % get an answer or an offer.
"""


def run(settings: Settings) -> Figures:
    """Draw words for the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, SETS, ("nips_abstracts",), _compare, settings)


def _compare(source: Source, settings: Settings) -> list[dict[str, Any]]:
    # Quick runs draw fewer words: a reduced corpus has no texts.
    corpus = source.read()
    rows, rng = [], np.random.default_rng(SEED)
    for kind, drawn in (("synonyms", synonyms(corpus)), ("inflections", inflections(corpus))):
        count = min(settings.pick(N_WORDS, QUICK_WORDS), len(drawn))
        words = rng.choice(sorted(drawn), count, replace=False).tolist()
        found = Counter(_answer(corpus, word) for word in words)
        rows.append({
            "kind": kind,
            "words": count,
            "has_vectors": importlib.util.find_spec(PACKAGE) is not None,
            **{answer: found[answer] for answer in ANSWERS},
        })  # fmt: skip
        log.info("%s: %s", source.title, rows[-1])
    return rows


def _answer(corpus: Corpus, word: str) -> str:
    if len(documents_with(corpus, word)):
        return "texts"
    offered = suggest(corpus, word)
    if not offered:
        return "none"
    return "meaning" if all(each.why == "meaning" for each in offered) else "form"


def synonyms(corpus: Corpus) -> set[str]:
    """Words outside the vocabulary that share a synset with a word of it."""
    known, found = {*corpus.vocabulary}, set[str]()
    for words in synsets():
        if known & words:
            found |= words - known
    return found


def synsets() -> Iterator[set[str]]:
    """Single words in lower case of each synset."""
    for kind in KINDS:
        for line in _lines(f"data.{kind}"):
            fields = line.split()
            words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            yield {word for word in words if word.isalpha() and word.islower()}


def inflections(corpus: Corpus) -> set[str]:
    """Inflected forms outside the vocabulary of words of it."""
    known, found = {*corpus.vocabulary}, set[str]()
    for kind in KINDS:
        for line in _lines(f"{kind}.exc"):
            form, *bases = line.split()
            if form.isalpha() and known & {*bases}:
                found.add(form)
    for kind, endings in (("noun", ("s",)), ("verb", ("s", "ed", "ing"))):
        for line in _lines(f"index.{kind}"):
            word = line.split()[0]
            if word.isalpha() and word in known:
                found |= {_with_ending(word, ending) for ending in endings}
    return found - known


def _with_ending(word: str, ending: str) -> str:
    """Regular form of a word."""
    if ending == "s":
        if word.endswith("y") and word[-2:-1] not in "aeiou":
            return word[:-1] + "ies"
        return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return (word[:-1] if word.endswith("e") else word) + ending


def _lines(name: str) -> Iterator[str]:
    """Lines of a file of WordNet without its licence, whose lines begin with two spaces."""
    with data_file(f"wordnet/{name}").open(encoding="utf-8") as file:
        yield from (line for line in file if line.strip() and not line.startswith("  "))


def show(figures: Figures) -> str:
    """Table with a row for each corpus and kind of word."""
    header = [
        "corpus",
        "words",
        "vectors",
        "in the texts",
        "form",
        "meaning",
        "nothing",
        "answered",
    ]
    lines = [
        [
            SETS[name].title if row is rows[0] else "",
            f"{row['words']} {row['kind']}",
            "yes" if row["has_vectors"] else "no",
            *(number(row[answer], 0) for answer in ANSWERS),
            f"{1 - row['none'] / row['words']:.0%}",
        ]
        for name, rows in figures["rows"].items()
        for row in rows
    ]
    every = [row for rows in figures["rows"].values() for row in rows]
    total, missed = (sum(row[key] for row in every) for key in ("words", "none"))
    note = f"Of {total} words, {1 - missed / total:.1%} get an answer or an offer."
    return f"{ABOUT}\n{table(header, lines)}\n\n{note}\n"


PART = Part("unknown_words", "Words that a model does not know", 3, run, show)
