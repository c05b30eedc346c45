"""Queries of a few words of a document, and whole documents, with the truth about each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from orrery.core.inference.evidence import Evidence
from tests.benchmarks.chains import Limits
from tests.benchmarks.part import Settings, log
from tests.benchmarks.subjects import Subject, subject
from tests.benchmarks.truth import Truth, truths_of

SEED = 0


@dataclass(frozen=True)
class Kind:
    """A kind of query.

    Attributes
    ----------
    fewest, most : int or None
        Words of a document that are present, all others unknown; None for a whole document, all
        other words absent.
    count : int
        Queries of it.
    """

    fewest: int | None
    most: int | None
    count: int

    @property
    def is_whole(self) -> bool:
        """Whether it is a document."""
        return self.fewest is None


KINDS = {
    "1 word": Kind(1, 1, 300),
    "2–4 words": Kind(2, 4, 300),
    "10 words": Kind(10, 10, 300),
    "a whole document": Kind(None, None, 100),
}
# Chains of hundreds of topics take a minute each.
FEWER = {
    ("news20", "a whole document"): 30,
    ("arxiv", "10 words"): 40,
    ("arxiv", "a whole document"): 20,
    ("medical", "a whole document"): 30,
}
QUICK_COUNT, QUICK_LIMITS = 5, Limits(error=0.02, first=100, most=800)


@dataclass(frozen=True, eq=False)
class Subjects:
    """Queries of one kind about one model, and the truth about each."""

    evidences: list[Evidence]
    truths: list[Truth]


@cache
def requested(name: str, kind: str, settings: Settings) -> Subjects:
    """Queries about a model, with the truth: the parts of the page share them."""
    count = settings.pick(FEWER.get((name, kind), KINDS[kind].count), QUICK_COUNT)
    evidences = queries_of(subject(name, settings), KINDS[kind], count)
    log.info("%s: the truth about %d queries of %s", name, len(evidences), kind)
    return Subjects(
        evidences, truths_of(subject(name, settings).network, evidences, _limits(settings))
    )


def _limits(settings: Settings) -> Limits:
    return settings.pick(Limits(), QUICK_LIMITS)


def queries_of(about: Subject, kind: Kind, count: int) -> list[Evidence]:
    """Draw documents at random among those with enough words, and words of each."""
    rng = np.random.default_rng([SEED, kind.fewest or 0])
    corpus = about.corpus
    rows = np.flatnonzero(np.diff(corpus.token_ptr) >= (kind.most or 1))
    chosen = rng.choice(rows, count, replace=count > len(rows))
    return [query_of(corpus.tokens_of(row), kind, rng) for row in chosen.tolist()]


def query_of(tokens: np.ndarray, kind: Kind, rng: np.random.Generator) -> Evidence:
    """Some words of a document, or all."""
    if kind.fewest is None or kind.most is None:
        return Evidence(tuple(tokens.tolist()), closed_world=True)
    size = rng.integers(kind.fewest, kind.most + 1)
    return Evidence(tuple(rng.permutation(tokens)[:size].tolist()), closed_world=False)
