"""Models as files for other programs and people: one module a format."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..model.story import Story
    from ..model.topic_model import Run


# What each format is, and how the name of its file ends.
FORMATS: Mapping[str, str] = {
    "html": ".html",
    "explorer": ".html",
    "graphml": ".graphml",
    "csv": ".csv",
    "json": ".json",
    "svg": ".svg",
    "report": ".html",
}

# Tables, written by `orrery.core.export.tables`, and what each is.
TABLES: Mapping[str, str] = {
    "documents": "which topics are on in which documents, with probabilities",
    "words": "which words each topic brings, with weights and probabilities",
    "training": "what was measured while the model was trained",
}


def export_files(
    run: Run,
    kind: str,
    name: str,
    title: str = "",
    story: Story | None = None,
    *,
    with_texts: bool = False,
    taken: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> dict[str, bytes]:
    """Make every file of an export.

    Parameters
    ----------
    run : Run
    kind : str
        A key of ``FORMATS``.
    name : str
        Name of the file; CSV has a second one beside it.
    title : str
        What pages call the model; the name of its folder where none is given.
    story : Story, optional
        What the explorer tells.
    with_texts : bool
        Whether beginnings of the most telling documents go along in the explorer.
    taken : mapping of str to mapping
        Of views of the story, by their keys, what stands for them in the explorer.

    Returns
    -------
    dict of str to bytes
        Content by the files' names.

    Raises
    ------
    InputError
        If the model holds a name that the format cannot hold, or documents are to go along that
        are not there.
    """
    # Imported late, so that whoever needs one format does not wait for the others.
    if kind == "csv":
        from .graph_data import csv_files

        return csv_files(run, name)
    title = title or run.folder.resolve().name
    if kind == "explorer":
        from .explorer import explorer_bytes
        from .topic_documents import seen_by

        seen = seen_by(run, with_texts=with_texts)
        return {name: explorer_bytes(run, title, story, seen, taken)}
    if FORMATS[kind] == ".html":
        return {name: _page(run, kind, title)}
    return {name: _data(run, kind)}


def check_export(run: Run, kind: str) -> None:
    """Refuse, before the work, a model with a name that a format cannot hold (InputError)."""
    from ..storage.graphs import check_words
    from .graph_data import check_names

    if kind in ("csv", "graphml"):
        check_words(run.network.graph, run.vocabulary)
    if kind == "graphml":
        check_names(run)


def _data(run: Run, kind: str) -> bytes:
    from ..drawing.svg import svg_bytes
    from .graph_data import graphml_bytes, json_bytes

    return {"json": json_bytes, "graphml": graphml_bytes, "svg": svg_bytes}[kind](run)


def _page(run: Run, kind: str, title: str) -> bytes:
    from .hierarchy_page import hierarchy_bytes
    from .report import report_bytes

    if kind == "report":
        return report_bytes(run, title)
    return hierarchy_bytes(run, title)
