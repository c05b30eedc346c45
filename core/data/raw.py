"""What the readers hand over: a table, documents as texts, or a matrix that is ready-made."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
from scipy import sparse


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table of which nobody has said yet what its columns hold.

    Attributes
    ----------
    table : pandas.DataFrame
        Columns under the file's own names; its index counts the rows of the file from 0, those
        that were left out too.
    name : str
        What to call it in an error.
    broken_lines : tuple of int
        Lines of the file, from 1, that were left out because they could not be read.
    why_broken : str
        What is wrong with the first of them.
    title : str
        What stood above the header and was left out.
    """

    table: pd.DataFrame
    name: str
    broken_lines: tuple[int, ...] = ()
    why_broken: str = ""
    title: str = ""


@dataclass(frozen=True, eq=False)
class RawDocuments:
    """Documents as they stand in a source.

    Attributes
    ----------
    table : pandas.DataFrame
        Columns ``id`` and ``text`` (str), ``label`` (str or None), and any other of the source.
    skipped : tuple of str
        Files of a folder or archive that were left out because they are not text.
    text_columns : tuple of str
        Columns of a table that the texts are from, in the order in which they were joined.
    broken_lines : tuple of int
        Lines of a table, from 1, that were left out because they could not be read.
    why_broken : str
        What is wrong with the first of them.
    title : str
        What stood above the header and was left out.
    """

    table: pd.DataFrame
    skipped: tuple[str, ...] = ()
    text_columns: tuple[str, ...] = ()
    broken_lines: tuple[int, ...] = ()
    why_broken: str = ""
    title: str = ""


@dataclass(frozen=True, eq=False)
class RawMatrix:
    """A ready-made matrix of documents by tokens, whose vocabulary stays as it is.

    Attributes
    ----------
    counts : scipy.sparse.csr_array, shape (n_documents, n_tokens)
        Any value above zero is presence.
    vocabulary : tuple of str, length n_tokens
    table : pandas.DataFrame
        Columns ``id``, ``text`` (empty) and ``label`` (str or None).
    """

    counts: sparse.csr_array
    vocabulary: tuple[str, ...]
    table: pd.DataFrame
