"""What distinguishes documents besides their text: label, year, title (no streamlit)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...core.data.columns import date_columns, named_column
from ...core.data.dates import UNKNOWN, read_dates

# A column with more labels than this names things, not classes, and is no use as a filter.
MOST_LABELS = 500
NO_YEAR = UNKNOWN
# A document without a title is named by so many of its first words.
FIRST_WORDS = 9
TITLE_LETTERS = 80


@dataclass(frozen=True)
class Facets:
    """What the documents of a corpus can be filtered by.

    Attributes
    ----------
    label : array of object, shape (n_documents,)
        Label of each document, "" where it has none.
    labels : tuple of str
        All labels in alphabetical order; empty where there are none, or too many to choose from.
    n_labels : int
        How many different labels there are.
    year : int32 array, shape (n_documents,)
        Year of each document, 0 where it has none.
    years : tuple of int
        First and last year; empty where the corpus has no column of years.
    title : array of object, shape (n_documents,)
        Title of each document, "" where it has none.
    """

    label: npt.NDArray[np.object_]
    labels: tuple[str, ...]
    n_labels: int
    year: npt.NDArray[np.int32]
    years: tuple[int, ...]
    title: npt.NDArray[np.object_]


def read_facets(documents: pd.DataFrame) -> Facets:
    """Read labels, years and titles out of the columns of a corpus."""
    label = _texts(documents["label"])
    labels = tuple(sorted({name for name in label if name}, key=lambda name: (name.lower(), name)))
    year = _years(documents)
    known = year[year != NO_YEAR]
    has_choice = len(known) > 0 and known.min() < known.max()
    title = named_column(documents, "title")
    return Facets(
        label=label,
        labels=labels if 1 < len(labels) <= MOST_LABELS else (),
        n_labels=len(labels),
        year=year,
        years=(int(known.min()), int(known.max())) if has_choice else (),
        title=np.full(len(documents), "", object) if title is None else _texts(documents[title]),
    )


def title_of(facets: Facets, row: int, text: str, most: int = TITLE_LETTERS) -> str:
    """Title of a document, or its first words if it has none, cut to a number of characters."""
    first = text.split(maxsplit=FIRST_WORDS)
    more = " …" if len(first) > FIRST_WORDS else ""
    title = facets.title[row] or " ".join(first[:FIRST_WORDS]) + more
    if len(title) <= most:
        return title
    kept = title[: most - 1].rpartition(" ")[0].rstrip() or title[: most - 2]
    return f"{kept} …"


def own_title(facets: Facets, row: int, text: str) -> str:
    """Title of a document, empty where it has none or its text begins with the same words."""
    title = str(facets.title[row])
    return "" if text.split()[: len(title.split())] == title.split() else title


def rest_after_title(facets: Facets, row: int, text: str) -> str:
    """Text of a document without the words that its title in a list already says."""
    if own_title(facets, row, text):
        return text
    pairs = zip(title_of(facets, row, text).split(), text.split(), strict=False)
    said = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return "".join(text.split(maxsplit=said)[said:])


def facts(facets: Facets, row: int, name: str) -> list[str]:
    """What is known of a document besides its text: label, year, id."""
    year = "" if facets.year[row] == NO_YEAR else str(facets.year[row])
    return [part for part in (facets.label[row], year, name) if part]


def _years(documents: pd.DataFrame) -> npt.NDArray[np.int32]:
    dated = date_columns(documents)
    if not dated:
        return np.full(len(documents), NO_YEAR, np.int32)
    return read_dates(documents[dated[0]]).year


def _texts(column: pd.Series) -> npt.NDArray[np.object_]:
    return column.where(column.notna(), "").astype(str).to_numpy(dtype=object)
