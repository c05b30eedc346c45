"""Labels, years and titles of documents, by which pages filter and list them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.data.columns import STANDARD, date_columns, named_column
from ...core.data.dates import UNKNOWN, read_dates
from ...core.data.folders import document_names
from ...core.data.recipe import Recipe
from ...core.utils.lazy import LazyModule

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow.parquet as pq
else:
    pd = LazyModule("pandas")
    pq = LazyModule("pyarrow.parquet")

# A column with more different values contains names rather than classes, and is no filter.
MAX_LABELS = 500
NO_YEAR = UNKNOWN
# Number of first words that replace a missing title.
N_FIRST_WORDS = 9
MAX_TITLE = 80
# Maximum number of characters of a text without a title that is its own title.
MAX_HEADLINE = 120


@dataclass(frozen=True)
class Facets:
    """Properties by which the documents of a corpus can be filtered."""

    label: npt.NDArray[np.object_]  # label of each document, or "", shape (n_documents,)
    # All labels in alphabetical order; empty if there are fewer than two, or too many.
    labels: tuple[str, ...]
    n_labels: int  # number of different labels
    year: npt.NDArray[np.int32]  # year of each document, or 0, shape (n_documents,)
    years: tuple[int, ...]  # first and last year; empty if there are fewer than two years
    title: npt.NDArray[np.object_]  # title of each document, or "", shape (n_documents,)
    name: tuple[str, ...]  # path of each document in a folder, or its id, shape (n_documents,)
    # Names of the columns of labels and dates in the source; empty if they had no own names.
    label_name: str = ""
    date_name: str = ""


def read_facets(documents: pd.DataFrame, recipe: Recipe | None = None) -> Facets:
    """Labels, years and titles from the columns of a corpus; the recipe has their own names."""
    label = _texts(documents["label"])
    labels = tuple(sorted({name for name in label if name}, key=lambda name: (name.lower(), name)))
    year = _years(documents)
    known = year[year != NO_YEAR]
    has_choice = len(known) > 0 and known.min() < known.max()
    title = named_column(documents, "title")
    return Facets(
        label=label,
        labels=labels if 1 < len(labels) <= MAX_LABELS else (),
        n_labels=len(labels),
        year=year,
        years=(int(known.min()), int(known.max())) if has_choice else (),
        title=np.full(len(documents), "", object) if title is None else _texts(documents[title]),
        name=tuple(document_names(documents)),
        label_name=recipe.label_column if recipe else "",
        date_name=_date_name(documents, recipe),
    )


def _date_name(documents: pd.DataFrame, recipe: Recipe | None) -> str:
    dated = date_columns(documents)
    name = recipe.column_title(dated[0]) if dated and recipe else ""
    return "" if name in STANDARD or name == "date" else name


def years_of(folder: Path) -> tuple[int, ...]:
    """First and last year of the documents of a corpus, without reading their texts.

    Empty without dates; one year occurs twice. Raises OSError or ValueError if the file cannot be
    read.
    """
    path = folder / "documents.parquet"
    columns = [name for name in pq.read_schema(path).names if name not in ("id", "text")]
    year = _years(pq.read_table(path, columns=columns).to_pandas())
    known = year[year != NO_YEAR]
    return (int(known.min()), int(known.max())) if len(known) else ()


def title_of(facets: Facets, row: int, text: str, most: int = MAX_TITLE) -> str:
    """Title of a document, or else its first words, cut to ``most`` characters."""
    first = text.split(maxsplit=N_FIRST_WORDS)
    more = " …" if len(first) > N_FIRST_WORDS else ""
    title = facets.title[row] or " ".join(first[:N_FIRST_WORDS]) + more
    if len(title) <= most:
        return title
    kept = title[: most - 1].rpartition(" ")[0].rstrip() or title[: most - 2]
    return f"{kept} …"


def own_title(facets: Facets, row: int, text: str) -> str:
    """Title of a document; empty if it has no title or its text begins with it."""
    title = str(facets.title[row])
    return "" if text.split()[: len(title.split())] == title.split() else title


def is_headline(facets: Facets, row: int, text: str) -> bool:
    """Whether a text is so short that it is shown as its own title, without an excerpt."""
    return not own_title(facets, row, text) and len(" ".join(text.split())) <= MAX_HEADLINE


def rest_after_title(facets: Facets, row: int, text: str) -> str:
    """Text of a document without the first words that its title in a list repeats."""
    if own_title(facets, row, text):
        return text
    pairs = zip(title_of(facets, row, text).split(), text.split(), strict=False)
    n_same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return "".join(text.split(maxsplit=n_same)[n_same:])


def facts(facets: Facets, row: int, name: str) -> list[str]:
    """Label, year and ``name`` of a document, as far as they are known."""
    year = "" if facets.year[row] == NO_YEAR else str(facets.year[row])
    return [part for part in (facets.label[row], year, name) if part]


def _years(documents: pd.DataFrame) -> npt.NDArray[np.int32]:
    dated = date_columns(documents)
    if not dated:
        return np.full(len(documents), NO_YEAR, np.int32)
    return read_dates(documents[dated[0]]).year


def _texts(column: pd.Series) -> npt.NDArray[np.object_]:
    return column.where(column.notna(), "").astype(str).to_numpy(dtype=object)
