"""Results of the readers: a table, documents as texts, or a ready-made matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy import sparse

from ..utils.lazy import LazyModule
from .guesses import Guess

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


@dataclass(frozen=True, eq=False)
class RawTable:
    """Table whose columns have no assigned roles yet."""

    # Columns under the names in the file; the index counts the rows of the file from 0, including
    # rows that were left out.
    table: pd.DataFrame
    name: str  # name of the table in error messages
    # Lines of the file, from 1, that could not be read and were left out, and the first line of
    # each row that they form.
    broken_lines: tuple[int, ...] = ()
    broken_rows: tuple[int, ...] = ()
    why_broken: str = ""  # fault of the first of these rows
    title: str = ""  # title above the header, which was left out
    guesses: tuple[Guess, ...] = ()  # in reading order


@dataclass(frozen=True, eq=False)
class RawDocuments:
    """Documents of a source; other attributes as in `RawTable`."""

    # Columns ``id`` and ``text`` (str), ``label`` (str or None), and other columns of the source.
    table: pd.DataFrame
    # Files of a folder or archive that could not be read as texts and were left out.
    skipped: tuple[str, ...] = ()
    text_columns: tuple[str, ...] = ()  # columns that were joined to form the texts, in this order
    label_column: str = ""  # columns that became ``label`` and ``date``, if their names differ
    date_column: str = ""
    broken_lines: tuple[int, ...] = ()
    broken_rows: tuple[int, ...] = ()
    why_broken: str = ""
    title: str = ""
    guesses: tuple[Guess, ...] = ()
    # Rule by which the documents are to be divided into passages; see `core.data.passages`.
    passages: str = "none"
    # Order of the numbers in the dates of turns, which are known after the division.
    date_order: str | None = None


@dataclass(frozen=True, eq=False)
class RawMatrix:
    """Ready-made matrix of documents by tokens, whose vocabulary is not changed."""

    counts: sparse.csr_array  # shape (n_documents, n_tokens): each value above zero marks presence
    vocabulary: tuple[str, ...]  # length n_tokens
    table: pd.DataFrame  # columns ``id``, ``text`` (empty) and ``label`` (str or None)
    guesses: tuple[Guess, ...] = ()
