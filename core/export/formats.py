"""All export formats: the one place for their names, files, titles, sentences and writers.

The command ``export``, its help and the Share page read this registry. To add a format, add an
entry and a function that returns the files here, and write the content in a module of its own. The
functions import that module when they run, so that a format does not wait for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ..utils.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from ..model.story import Story
    from ..model.topic_model import Run
    from .tables import TableOptions

# Content of files by their names.
Files = dict[str, bytes]


@dataclass(frozen=True)
class Export:
    """Arguments of a writer; see `export_files`."""

    run: Run
    name: str
    title: str
    story: Story | None
    with_texts: bool
    taken: Mapping[str, Mapping[str, Any]]


def _accept(run: Run) -> None:
    """Accept every model."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """Description of one export format."""

    # Section of the Share page: to ``look`` at, or to ``work`` with.
    purpose: Literal["look", "work"]
    extension: str  # extension of the file, with the dot
    media_type: str
    # Name and use of the format, for people.
    title: str
    sentence: str
    write: Callable[[Export], Files]  # function of an `Export`: returns all files
    # Function of a run: raises an InputError if the model holds a name that the format cannot hold.
    check: Callable[[Run], None] = _accept
    # Use of the format for a model made from a graph, if it differs.
    of_graph: str = ""
    # Content that the format has no place for, as a noun phrase for people.
    leaves_out: str = ""
    # Whether it can be read with ``--graph``, which recognises it by the extension.
    is_graph_file: bool = False
    # Whether it consists of several files, which a browser downloads as a zip.
    is_archive: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """Description of one table, which is written block by block as CSV or Parquet."""

    # Name and content of the table, for people.
    title: str
    sentence: str
    # Function of a run and its options: yields the rows.
    blocks: Callable[[Run, TableOptions], Iterator[pa.Table]]


def _write_explorer(export: Export) -> Files:
    from .explorer import explorer_bytes
    from .topic_documents import seen_by

    seen = seen_by(export.run, with_texts=export.with_texts)
    page = explorer_bytes(export.run, export.title, export.story, seen, export.taken)
    return {export.name: page}


def _write_svg(export: Export) -> Files:
    from ..drawing.svg import svg_bytes

    return {export.name: svg_bytes(export.run)}


def _write_report(export: Export) -> Files:
    from .report import report_bytes

    return {export.name: report_bytes(export.run, export.title)}


def _write_graphml(export: Export) -> Files:
    from .graph_data import graphml_bytes

    return {export.name: graphml_bytes(export.run)}


def _write_csv(export: Export) -> Files:
    from .graph_data import csv_files

    return csv_files(export.run, export.name)


def _write_xdsl(export: Export) -> Files:
    from .network_files import xdsl_bytes

    return {export.name: xdsl_bytes(export.run, export.title)}


def _write_bif(export: Export) -> Files:
    from .network_files import bif_bytes

    return {export.name: bif_bytes(export.run)}


def _write_json(export: Export) -> Files:
    from .graph_data import json_bytes

    return {export.name: json_bytes(export.run)}


def _check_words(run: Run) -> None:
    from ..storage.graphs import check_words

    check_words(run.network.graph, run.vocabulary)


def _check_graphml(run: Run) -> None:
    from .graph_data import check_names

    _check_words(run)
    check_names(run)


FORMATS: Mapping[str, Format] = {
    "explorer": Format(
        purpose="look", extension=".html", media_type="text/html", title="Offline explorer",
        sentence="One page with the whole model: search it, explore it and query it, without "
        "Orrery and without a network connection.",
        write=_write_explorer,
    ),
    "svg": Format(
        purpose="look", extension=".svg", media_type="image/svg+xml", title="Picture to print",
        sentence="The hierarchy of topics as a vector drawing, sharp at any size.",
        of_graph="All topics as a vector drawing, sharp at any size.",
        write=_write_svg,
    ),
    "report": Format(
        purpose="look", extension=".html", media_type="text/html", title="Report",
        sentence="Settings, figures, hashes and the main topics on a printable page.",
        of_graph="Size, hashes and topics on a printable page.",
        write=_write_report,
    ),
    "graphml": Format(
        purpose="work", extension=".graphml", media_type="application/graphml+xml",
        title="GraphML",
        sentence="The graph for Gephi, yEd or NetworkX, and for training again.",
        write=_write_graphml, check=_check_graphml, is_graph_file=True,
    ),
    "csv": Format(
        purpose="work", extension=".csv", media_type="text/csv", title="CSV",
        sentence="Edges with weights, and leaks, as two tables; for training again.",
        write=_write_csv, check=_check_words, is_graph_file=True, is_archive=True,
    ),
    "xdsl": Format(
        purpose="work", extension=".xdsl", media_type="application/xml", title="XDSL",
        sentence="A Bayesian network for GeNIe and SMILE, with noisy-OR nodes; without notes, "
        "groups and hidden topics.",
        leaves_out="notes, groups of topics, hidden topics and documents",
        write=_write_xdsl, check=_check_words, is_graph_file=True,
    ),
    "bif": Format(
        purpose="work", extension=".bif", media_type="text/plain", title="BIF",
        sentence="A Bayesian network as tables, for pgmpy, pyAgrum and bnlearn; without notes, "
        "groups and hidden topics, and names are shortened.",
        leaves_out="names of topics, notes, groups of topics, hidden topics and documents; a "
        "noisy-OR of many parents is divided into several tables",
        write=_write_bif, check=_check_words, is_graph_file=True,
    ),
    "json": Format(
        purpose="work", extension=".json", media_type="application/json", title="JSON",
        sentence="Every topic, word and link with unrounded numbers, for programs.",
        write=_write_json,
    ),
}  # fmt: skip

# Earlier names of formats. Before there was the explorer, ``html`` was a page with a picture.
FORMER_NAMES: Mapping[str, str] = {"html": "explorer"}


def _document_rows(run: Run, options: TableOptions) -> Iterator[pa.Table]:
    from .tables import document_blocks

    return document_blocks(run, options)


def _word_rows(run: Run, options: TableOptions) -> Iterator[pa.Table]:
    from .tables import word_blocks

    return word_blocks(run)


def _training_rows(run: Run, options: TableOptions) -> Iterator[pa.Table]:
    from .tables import training_blocks

    return training_blocks(run)


TABLES: Mapping[str, Table] = {
    "documents": Table(
        title="Documents by topics",
        sentence="Topics of each document with a probability of 0.01 or more, and whether they are "
        "on (above 0.5).",
        blocks=_document_rows,
    ),
    "words": Table(
        title="Topics by words",
        sentence="Words of each topic: weight of the link, probability of the word if the topic is "
        "on, and lift (how many times as probable as in any text).",
        blocks=_word_rows,
    ),
    "training": Table(
        title="Training",
        sentence="Metrics that were recorded during training, step by step.",
        blocks=_training_rows,
    ),
}
# Extensions of a table, each with its name and media type.
TABLE_FILES: Mapping[str, tuple[str, str]] = {
    ".csv": ("CSV", "text/csv"),
    ".parquet": ("Parquet", "application/vnd.apache.parquet"),
}


def check_extension(extension: str) -> None:
    """Refuse an extension that no table has (InputError)."""
    if extension not in TABLE_FILES:
        named = " or ".join(TABLE_FILES)
        raise InputError(f"a table is written as {named}, not as {extension or 'a file'}")


def export_files(
    run: Run,
    kind: str,
    name: str,
    title: str = "",
    story: Story | None = None,
    *,
    with_texts: bool = False,
    taken: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> Files:
    """Make all files of an export.

    Raises InputError if the model holds a name that the format cannot hold, or the documents are
    not available.

    Parameters
    ----------
    kind : str
        A key of `FORMATS`, or a former name.
    name : str
        Name of the file; CSV has a second file, named after it.
    title : str
        Name of the model on pages; by default the name of its folder.
    story : Story, optional
        Story that the explorer tells.
    with_texts : bool
        Whether the explorer contains the beginnings of the documents that are most typical of each
        topic.
    taken : mapping of str to mapping
        Content for views of the story that the explorer cannot compute, by the keys of the views.

    Returns
    -------
    dict of str to bytes
        Content of the files by their names.
    """
    title = title or run.folder.resolve().name
    export = Export(run, name, title, story, with_texts, taken)
    return FORMATS[FORMER_NAMES.get(kind, kind)].write(export)
