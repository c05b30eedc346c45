"""Report of an import: what it kept and what it dropped, to judge the recipe by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from ..utils.types import Int64Array
from .guesses import Guess, guess_lines, python_option, stored_guesses
from .recipe import Recipe
from .vocabulary import BEYOND_LIMIT, STOP_WORD, DroppedTerms

# Bars of the small chart of tokens per document.
HISTOGRAM_BARS = 30
# Words that fit on one line of a summary.
NAMED = 12
# Line numbers or ids in a message, enough to find the fault in the file.
LINES_NAMED = 5


@dataclass(frozen=True)
class ImportReport:
    """Counts and examples of an import; tuples of examples contain only the first ones."""

    # Size of the corpus.
    documents: int
    vocabulary: int
    tokens_per_document: float  # mean number of distinct tokens in a document
    dropped_documents: int  # documents without tokens, which were left out
    dropped_document_ids: tuple[str, ...]
    # By rule: "stop word", "too rare", "too common", "beyond the vocabulary limit".
    dropped_terms: Mapping[str, DroppedTerms]
    # Words in most documents, and the numbers of documents.
    frequent_words: tuple[tuple[str, int], ...]
    # Tokens per document: from, up to and including, number of documents.
    histogram: tuple[tuple[int, int, int], ...]
    # Words in the texts, including repetitions and dropped words; a phrase is one word.
    occurrences: int = 0
    phrases: int = 0  # number of distinct phrases
    skipped_files: int = 0  # files of a folder or archive that were left out
    skipped_file_names: tuple[str, ...] = ()
    # Lines and rows of a table that could not be read and were left out. A report of an earlier
    # version has no number of rows.
    broken_lines: int = 0
    broken_rows: int = 0
    first_broken_lines: tuple[int, ...] = ()  # first line of each row, counted from 1
    why_broken: str = ""  # fault of the first broken row
    title: str = ""  # title above the header of a table, which was left out
    # Dropped documents without any text, and the first documents of the other kind, whose words are
    # all outside the vocabulary.
    empty_documents: int = 0
    empty_document_ids: tuple[str, ...] = ()
    wordless_document_ids: tuple[str, ...] = ()
    # Paths of such documents in a folder or archive, by their ids.
    dropped_names: Mapping[str, str] = field(default_factory=dict)
    # Guesses in reading order: encoding, header, columns, …
    how_it_was_read: tuple[Guess, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Values for JSON: ``dropped_terms`` is the total, ``dropped_terms_by_rule`` the detail."""
        values = asdict(self)
        values["dropped_terms_by_rule"] = values["dropped_terms"]
        values["dropped_terms"] = self.n_dropped_terms
        return values

    @property
    def n_dropped_terms(self) -> int:
        """Number of distinct words that were left out."""
        return sum(rule.count for rule in self.dropped_terms.values())

    def __str__(self) -> str:
        """The numbers, and how the source was read, line by line."""
        lines = [summary(self)]
        if self.how_it_was_read:
            listed = guess_lines(self.how_it_was_read, python_option)
            lines += ["How it was read", *(f"  {line}" for line in listed)]
        return "\n".join(lines)


def stored_report(values: Mapping[str, Any] | None) -> ImportReport | None:
    """Report from values that were stored as JSON; None if it is missing or of another form."""
    if not isinstance(values, Mapping):
        return None
    try:
        rules = {
            rule: DroppedTerms(
                terms["count"],
                tuple((str(word), int(count)) for word, count in terms["examples"]),
                terms.get("occurrences", 0),
            )
            for rule, terms in values["dropped_terms_by_rule"].items()
        }
        names = {entry.name for entry in fields(ImportReport)}
        # JSON has lists where a report has tuples.
        known: dict[str, Any] = {
            name: tuple(tuple(item) if isinstance(item, list) else item for item in value)
            if isinstance(value, list)
            else value
            for name, value in values.items()
            if name in names
        }
        known |= {"dropped_terms": rules, "how_it_was_read": tuple(stored_guesses(values))}
        return ImportReport(**known)
    except (TypeError, KeyError, AttributeError, ValueError):
        return None


def summary(report: ImportReport) -> str:
    """One line with the numbers of documents and words that were read and kept."""
    read = report.documents + report.dropped_documents
    words = report.vocabulary + report.n_dropped_terms
    return (
        f"{report.documents:,} of {read:,} documents and {report.vocabulary:,} of {words:,} words "
        f"kept, {report.tokens_per_document:.1f} different words a document"
    )


def remarks(report: ImportReport, recipe: Recipe) -> list[str]:
    """Lines on what was left out: lines of a table, documents, words, and the share of stop words.

    Documents are listed by the reason, words by the rule.
    """
    dropped = {rule: terms.count for rule, terms in report.dropped_terms.items() if terms.count}
    lines = [*skipped_line_messages(report.as_dict()), *dropped_document_messages(report.as_dict())]
    if dropped:
        listed = []
        for rule, count in dropped.items():
            name = f"{rule}s" if rule == STOP_WORD and count != 1 else rule
            limit = f" of {recipe.max_vocabulary:,}" if rule == BEYOND_LIMIT else ""
            listed.append(f"{count:,} {name}{limit}")
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


def dropped_document_messages(report: Mapping[str, Any]) -> list[str]:
    """Message on the documents that were left out, with the first names; none without any."""
    # Reports of earlier versions do not distinguish the two reasons, and have no names.
    n_empty = report.get("empty_documents", 0)
    n_wordless = report["dropped_documents"] - n_empty
    ids_wordless = report.get("wordless_document_ids", report["dropped_document_ids"])
    names = report.get("dropped_names", {})

    def named(ids: Sequence[str]) -> list[str]:
        return [names.get(name, name) for name in ids[:LINES_NAMED]]

    parts = [
        f"{count:,} {reason} ({', '.join(named(ids))}{' …' * (count > LINES_NAMED)})"
        for count, reason, ids in (
            (n_empty, "without text", report.get("empty_document_ids", ())),
            (n_wordless, "without a word of the vocabulary", ids_wordless),
        )
        if count
    ]
    return [f"documents left out: {', '.join(parts)}"] if parts else []


def skipped_line_messages(report: Mapping[str, Any]) -> list[str]:
    """Messages on what was left out of a table: its title, and rows that cannot be read."""
    # Reports of earlier versions lack some of the keys.
    title, count, what = report.get("title"), report.get("broken_rows", 0), "row"
    if not count:
        count, what = report.get("broken_lines", 0), "line"
    messages = [f"“{title}” above the header was taken for a title and left out"] if title else []
    # A quotation mark that is never closed makes one row of many lines.
    n_lines = report.get("broken_lines", 0)
    within = f", of {n_lines:,} lines," if what == "row" and n_lines > count else ""
    if count == 1:
        messages.append(
            f"1 {what}{within} could not be read and was left out: {report['why_broken']}"
        )
    elif count:
        first = ", ".join(map(str, report["first_broken_lines"][:LINES_NAMED]))
        listed = f"lines {first}" + " …" * (count > LINES_NAMED)
        messages.append(
            f"{count:,} {what}s{within} could not be read and were left out ({listed}): "
            f"{report['why_broken']}"
        )
    return messages


def histogram(n_tokens: Int64Array) -> tuple[tuple[int, int, int], ...]:
    """Bars of equal width for the number of tokens in a document."""
    if not len(n_tokens):
        return ()
    low, high = int(n_tokens.min()), int(n_tokens.max())
    width = -(-(high - low + 1) // HISTOGRAM_BARS)
    bars = np.bincount((n_tokens - low) // width)
    return tuple(
        (low + bar * width, low + (bar + 1) * width - 1, int(count))
        for bar, count in enumerate(bars)
    )
