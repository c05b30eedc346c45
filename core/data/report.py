"""What an import kept and what it dropped, for a person to judge the recipe by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..utils.types import Int64Array
from .recipe import Recipe
from .vocabulary import BEYOND_LIMIT, STOP_WORD, DroppedTerms

# Bars that a small chart of tokens per document can show.
HISTOGRAM_BARS = 30
# Words that fit in a line of a summary, and lines of a file that help to find what is wrong.
NAMED, LINES_NAMED = 12, 5


@dataclass(frozen=True)
class ImportReport:
    """Counts and examples of an import.

    Attributes
    ----------
    documents, vocabulary : int
        Size of the corpus.
    tokens_per_document : float
        Mean number of different tokens in a document.
    dropped_documents : int
        Documents left out because no token of theirs stays.
    dropped_document_ids : tuple of str
        The first of them.
    dropped_terms : mapping of str to DroppedTerms
        By rule: "stop word", "too rare", "too common", "beyond the vocabulary limit".
    frequent_words : tuple of (str, int)
        Words in most documents, and in how many.
    histogram : tuple of (int, int, int)
        Tokens per document: from, up to and including, number of documents.
    occurrences : int
        Words in the texts, repeats and those left out included; a phrase is one.
    phrases : int
        Number of phrases that were joined.
    skipped_files : int
        Files of a folder or archive that are not text.
    skipped_file_names : tuple of str
        The first of them.
    broken_lines : int
        Lines of a table that could not be read and were left out.
    first_broken_lines : tuple of int
        The first of them, from 1.
    why_broken : str
        What is wrong with the first.
    title : str
        What stood above the header of a table and was left out.
    """

    documents: int
    vocabulary: int
    tokens_per_document: float
    dropped_documents: int
    dropped_document_ids: tuple[str, ...]
    dropped_terms: Mapping[str, DroppedTerms]
    frequent_words: tuple[tuple[str, int], ...]
    histogram: tuple[tuple[int, int, int], ...]
    occurrences: int = 0
    phrases: int = 0
    skipped_files: int = 0
    skipped_file_names: tuple[str, ...] = ()
    broken_lines: int = 0
    first_broken_lines: tuple[int, ...] = ()
    why_broken: str = ""
    title: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``dropped_terms`` is their number, the rules stand beside it."""
        values = asdict(self)
        values["dropped_terms_by_rule"] = values["dropped_terms"]
        values["dropped_terms"] = self.n_dropped_terms
        return values

    @property
    def n_dropped_terms(self) -> int:
        """Number of different words that some rule left out."""
        return sum(rule.count for rule in self.dropped_terms.values())


def summary(report: ImportReport) -> str:
    """Say in a line how many documents and words were kept, and of how many."""
    read = report.documents + report.dropped_documents
    words = report.vocabulary + report.n_dropped_terms
    return (
        f"{report.documents:,} of {read:,} documents and {report.vocabulary:,} of {words:,} words "
        f"kept, {report.tokens_per_document:.1f} different words a document"
    )


def remarks(report: ImportReport, recipe: Recipe) -> list[str]:
    """Say what was left out, lines and words, and what the stop list took, a line each."""
    dropped = {rule: terms.count for rule, terms in report.dropped_terms.items() if terms.count}
    lines = said_of_lines(report.as_dict())
    if dropped:
        listed = [f"{count:,} {_named(rule, count, recipe)}" for rule, count in dropped.items()]
        lines.append(f"words left out: {', '.join(listed)}")
    stopped = report.dropped_terms[STOP_WORD]
    if stopped.count:
        share = stopped.occurrences / report.occurrences
        examples = ", ".join(word for word, _ in stopped.examples[:NAMED])
        more = " …" if stopped.count > NAMED else ""
        lines.append(
            f"the stop words take {stopped.occurrences:,} of {report.occurrences:,} words in the "
            f"texts ({share:.0%}): {examples}{more}"
        )
    return lines


def said_of_lines(report: Mapping[str, Any]) -> list[str]:
    """Say which lines of a table were left out: its title, and those that could not be read."""
    # Corpora of earlier versions know of none.
    title, count = report.get("title"), report.get("broken_lines", 0)
    said = [f"“{title}” above the header was taken for a title and left out"] if title else []
    if count:
        said.append(_said_of_broken(count, report["first_broken_lines"], report["why_broken"]))
    return said


def _said_of_broken(count: int, first: Sequence[int], why: str) -> str:
    """How many lines could not be read, which, and why the first could not."""
    if count == 1:
        return f"1 line could not be read and was left out: {why}"
    listed = ", ".join(map(str, first[:LINES_NAMED])) + " …" * (count > LINES_NAMED)
    return f"{count:,} lines could not be read and were left out ({listed}): {why}"


def _named(rule: str, count: int, recipe: Recipe) -> str:
    if rule == BEYOND_LIMIT:
        return f"{rule} of {recipe.max_vocabulary:,}"
    return f"{rule}s" if rule == STOP_WORD and count != 1 else rule


def histogram(n_tokens: Int64Array) -> tuple[tuple[int, int, int], ...]:
    """Bars of equal width over the number of tokens in each document."""
    if not len(n_tokens):
        return ()
    low, high = int(n_tokens.min()), int(n_tokens.max())
    width = -(-(high - low + 1) // HISTOGRAM_BARS)
    bars = np.bincount((n_tokens - low) // width)
    return tuple(
        (low + bar * width, low + (bar + 1) * width - 1, int(count))
        for bar, count in enumerate(bars)
    )
