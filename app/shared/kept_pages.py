"""Kept views of the Names page, the Evaluate page and a path between two topics."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.drawing.links import node_name, topic_named
from ...core.drawing.path import is_real, path_picture, strongest_path
from ...core.drawing.picture import canvas_data
from ...core.drawing.svg import picture_svg
from ...core.model.overlay import YES
from ...core.naming.topic_table import table_order, topic_documents, topic_rows
from ...core.utils.errors import InputError
from ..shell import strings as shell_strings
from ..shell.kept import Parameters, Picture, chosen
from ..workspace.evaluations import EvaluatedModel, known_figures, known_rival, read_evaluations
from . import strings
from .evaluation_figures import figures_table, label_sentence, ladder_sentence, verdict
from .naming import matching, page_of

if TYPE_CHECKING:
    from ...core.model.topic_model import Run
    from ...core.storage.activations import Activations


def kept_names(run: Run, stored: Activations | None, address: Parameters) -> Picture:
    """The page of the table at a URL, without empty columns; ``stored`` has the activations."""
    documents = topic_documents(run, stored)
    order = table_order(run, documents).tolist()
    found = matching(
        run, order, chosen(address, "find", ""), chosen(address, "show", strings.ALL, strings.SHOWN)
    )
    page = page_of(chosen(address, "page", ""), len(found))
    rows = topic_rows(run, found[page.first : page.last], documents)
    cells = {
        "id": [row.id for row in rows],
        "name": [row.name for row in rows],
        "words": [", ".join(row.words) for row in rows],
        "documents": ["" if row.documents is None else f"{row.documents:,}" for row in rows],
        "note": [row.note for row in rows],
        "hidden": [YES if row.hidden else "" for row in rows],
    }
    kept = {name: column for name, column in cells.items() if any(column)}
    caption = [strings.matches(len(found), len(order))]
    if page.pages > 1:
        caption.append(strings.page_of(page.number, page.pages))
    if stored is not None and "documents" in kept:
        caption.append(strings.documents_help(len(stored.rows)))
    sentences = ". ".join(part.rstrip(".") for part in caption) + "."
    return {
        "kind": "table",
        "heading": strings.NAMES_TITLE,
        "caption": sentences if rows else strings.NOTHING,
        "columns": [strings.COLUMNS[name] for name in kept],
        "figures": [place for place, name in enumerate(kept) if name == "documents"],
        "rows": [list(row) for row in zip(*kept.values(), strict=True)],
    }


def kept_evaluation(run: Run, workspace: Path, address: Parameters) -> Picture | None:
    """Metrics of a model beside those it is compared with; None if it is not evaluated.

    ``workspace`` has the evaluations and the other models.
    """
    try:
        evaluations = read_evaluations(workspace, run.folder)
        name = chosen(address, "run", run.folder.name)
        known = known_figures(run.folder, name, evaluations)
    except InputError:
        return None
    figures, rival = known.figures, known_rival(evaluations)
    if not figures:
        return None
    models = [known, *_others(workspace, address), *([rival] if rival else [])]
    table = figures_table([model for model in models if model.figures])
    sentences = [verdict(figures, rival), ladder_sentence(figures), label_sentence(figures)]
    if figures.get("documents"):
        count = int(figures["documents"])
        sentences.append(strings.evaluated_on(count, is_whole=known.is_whole))
    return {
        "kind": "table",
        "heading": strings.EVALUATE_TITLE,
        "caption": " ".join(filter(None, sentences)),
        "columns": list(table.columns),
        "figures": list(range(1, len(table.columns))),
        "rows": table.to_numpy().tolist(),
    }


def _others(workspace: Path, address: Parameters) -> list[EvaluatedModel]:
    """Models that the URL compares and that still exist."""
    found = list[EvaluatedModel]()
    for name in address.get("with", ()):
        folder = workspace / "runs" / name
        if Path(name).name != name:
            continue
        try:
            found.append(known_figures(folder, name, read_evaluations(workspace, folder)))
        except InputError:
            continue
    return found


# Longer names are cut in the heading, which has one line or two.
NAME_LETTERS = 60


def kept_path(run: Run, address: Parameters) -> Picture | None:
    """Draw the strongest path, or report that no path exists; None if an end does not exist."""
    start, end = (topic_named(run, chosen(address, end, "")) for end in ("topic", "to"))
    if start < 0 or end < 0 or start == end:
        return None
    names = [node_name(run, node) for node in (start, end)]
    shown = {
        "kind": "picture",
        "heading": f"{shell_strings.PATH}: {shell_strings.way([_short(name) for name in names])}",
    }
    path = strongest_path(run, start, end)
    if path is None:
        return shown | {"caption": strings.NO_PATH.format(start=names[0], end=names[1])}
    strengths = [link.probability for link in path.links]
    if not is_real(run, path):
        between = [node_name(run, node) for node in path.nodes[1:-1]]
        return shown | {"caption": strings.no_real_path(names, between, math.prod(strengths))}
    canvas = canvas_data(path_picture(run, path))
    drawn = {"wide": picture_svg(canvas, "light"), "dark": picture_svg(canvas, "dark")}
    return shown | {"caption": strings.path(strengths, math.prod(strengths)), **drawn}


def _short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1].rstrip()}…"
