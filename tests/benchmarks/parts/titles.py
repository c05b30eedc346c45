"""Table 5 of Yan et al. (2020): coherence of topics of titles."""

from __future__ import annotations

import itertools
import lzma
import time
from typing import Any, NamedTuple

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import tokenize
from orrery.core.evaluation.coherence import WORDS_PER_TOPIC
from orrery.core.utils.types import FloatArray, Int64Array
from tests.benchmarks.arxiv import ABSTRACTS
from tests.benchmarks.corpora import nips_titles
from tests.benchmarks.data import data_file
from tests.benchmarks.markdown import number, table
from tests.benchmarks.noisy_or_fits import Documents
from tests.benchmarks.noisy_or_topics import HOW, NAMES, learned
from tests.benchmarks.part import Figures, Part, Settings, log

# From the paper: topics, training titles (None for all), validation and test titles.
TOPICS, SIZES, VALID, TEST = 20, (2_000, None), 1_000, 1_000
# Abstracts for co-occurrence, every fourth one, instead of Wikipedia.
REFERENCE, STEP = 60_000, 4
RANDOM_SETS = 100
BEST = 4
CLAIMED = {2_000: {"AVI": 2.55, "ACP": 2.75}, None: {"AVI": 2.49, "ACP": 2.78}}
ABOUT = f"""Titles of the NeurIPS papers from 1987 to 2016, {TOPICS} topics, {VALID:,} validation
titles and {TEST:,} test titles, as in the paper. {HOW}*PMI* is the pointwise mutual information of
two words in one document, averaged over the pairs of the {WORDS_PER_TOPIC} words with the largest
weights in a topic, then over topics; *best* is the mean of the {BEST} best topics. The reference
documents are {REFERENCE:,} whole arXiv abstracts instead of windows of Wikipedia; a pair that never
co-occurs counts as independent. The random baseline is {WORDS_PER_TOPIC} random words. *Held out*
is the test negative log-likelihood in nats per title, estimated in the same way for all.
"""


class Reference(NamedTuple):
    """How many documents hold each two words, shape (n_words, n_words), and how many there are."""

    together: FloatArray
    n_documents: int


def run(settings: Settings) -> Figures:
    """Learn topics by every system from few titles and from all."""
    corpus = nips_titles()
    titles = corpus.to_csr()[np.random.default_rng(0).permutation(corpus.n_documents)]
    valid, test, rest = titles[:VALID], titles[VALID : VALID + TEST], titles[VALID + TEST :]
    reference = read_reference(corpus, settings.pick(REFERENCE, 500))
    rng = np.random.default_rng(0)
    leak = [
        pmi(reference, rng.permutation(corpus.n_tokens)[:WORDS_PER_TOPIC])
        for _ in range(RANDOM_SETS)
    ]
    rows: list[dict[str, Any]] = []
    for size in settings.pick(SIZES, (200,)):
        for name in NAMES:
            begin = time.perf_counter()
            found = learned(name, TOPICS, Documents(rest[:size], valid), settings.quick)
            seconds = time.perf_counter() - begin
            scores = sorted(pmi(reference, np.argsort(-topic, kind="stable")[:WORDS_PER_TOPIC])
                            for topic in found.weight)  # fmt: skip
            rows.append({
                "system": name, "asked": size, "train": rest[:size].shape[0],
                "pmi": float(np.mean(scores)), "best": float(np.mean(scores[-BEST:])),
                "held_out": found.held_out(test), "seconds": seconds,
            })  # fmt: skip
            log.info("%s", rows[-1])
    return {"words": corpus.n_tokens, "chance": float(np.mean(leak)), "rows": rows}


def read_reference(corpus: Corpus, count: int) -> Reference:
    """Count the words of a corpus in other texts, split by the corpus's own recipe."""
    together = np.zeros((corpus.n_tokens, corpus.n_tokens))
    with lzma.open(data_file(ABSTRACTS), "rt", encoding="utf-8", newline="\n") as file:
        for line in itertools.islice(file, 1, 1 + STEP * count, STEP):
            words = set(tokenize(corpus.recipe, line.partition("\t")[2]))
            known = [corpus.token_number[word] for word in words if word in corpus.token_number]
            together[np.ix_(known, known)] += 1.0
    return Reference(together, count)


def pmi(reference: Reference, words: Int64Array) -> float:
    """Mean over pairs of words; 0, as for independent words, for pairs that never co-occur."""
    together = reference.together[np.ix_(words, words)]
    alone, (first, second) = np.diag(together), np.triu_indices(len(words), 1)
    pairs = together[first, second]
    by_leak = alone[first] * alone[second] / reference.n_documents
    met = pairs > 0.0
    return float(np.log(pairs[met] / by_leak[met]).sum() / len(pairs))


def show(figures: Figures) -> str:
    """Table with a row for each system and size."""
    lines = [
        [number(row["train"], 0), _named(row["system"]), number(row["pmi"]), number(row["best"]),
         number(CLAIMED.get(row["asked"], {}).get(row["system"])), number(row["held_out"]),
         number(row["seconds"], 0)]
        for row in figures["rows"]
    ]  # fmt: skip
    head = ["titles", "system", "PMI", "best", "the paper's PMI", "held out", "seconds"]
    words, random = number(figures["words"], 0), number(figures["chance"])
    return f"{ABOUT}\n{table(head, lines)}\n\n{words} words; random words have a PMI of {random}.\n"


def _named(system: str) -> str:
    return f"**{system}**" if system == "exact" else system


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims: ACP beside AVI where there are few titles, and beside ours."""
    rows = figures["rows"]
    few = min(row["train"] for row in rows)
    of = {row["system"]: row["pmi"] for row in rows if row["train"] == few}
    values = ", ".join(f"{_named(name)} {number(of[name])}" for name in NAMES)
    return [[
        "ACP, topics of titles", "Yan et al. (2020), Table 5",
        "with few titles its topics are more coherent than AVI's", f"PMI on {few:,}: {values}",
        "holds" if of["ACP"] > of["AVI"] else "does not hold",
    ]]  # fmt: skip


PART = Part("titles", "Topic coherence on titles", 15, run, show)
