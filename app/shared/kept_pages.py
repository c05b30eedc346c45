"""Kept views of the Documents, Names and Evaluate pages, and of a path, for the offline file."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...core.data.groups import read_grouping
from ...core.drawing.links import node_name, topic_named
from ...core.drawing.path import is_real, path_picture, strongest_path
from ...core.drawing.picture import canvas_data
from ...core.drawing.strings import figures_of, listed
from ...core.drawing.svg import picture_svg
from ...core.model.overlay import YES
from ...core.model.topic_model import Run
from ...core.naming.table import table_order, topic_documents, topic_rows
from ...core.storage.activations import Activations
from ...core.utils.errors import InputError
from ..shell import strings as shell_strings
from ..shell.kept import Parameters, Picture, chosen
from ..text.safe_text import MARKED, document_text, excerpt, shortened, wanted_terms, word_end
from ..workspace import catalog
from ..workspace.evaluations import EvaluatedModel, known_baseline, known_figures, read_evaluations
from ..workspace.facets import facts, own_title, rest_after_title, title_of
from ..workspace.search_index import SearchTerms, read_terms
from . import naming, topic_strings
from . import strings as shared_strings
from .document_causes import (
    FIRST_LETTERS,
    LEGEND_TOPICS,
    LEGEND_WORDS,
    Reading,
    cut,
    read_document,
)
from .evaluation_figures import (
    figures_table,
    label_sentence,
    likelihood_sentence,
    strongest_result,
    verdict,
)
from .listing import (
    EXCERPT_LETTERS,
    TOPICS_SHOWN,
    UNSURE,
    WITHOUT_TOPIC,
    Choice,
    Sources,
    choice_at,
    chosen_rows,
    in_order,
    page_of,
    topics_on,
)
from .naming import matching


def kept_list(sources: Sources, address: Parameters) -> Picture | None:
    """The list of documents at a URL; None if it is empty."""
    terms = read_terms(chosen(address, "find", ""))
    wanted, which = _choice(sources, address)
    rows = chosen_rows(wanted, sources.facets, sources.run, sources.stored, sources.corpus)
    rows = in_order(rows, chosen(address, "sort", ""), sources.facets, sources.corpus)
    if not len(rows):
        return None
    part = page_of(chosen(address, "page", ""), len(rows))
    shown = rows[part.rows]
    caption = [shared_strings.found(len(rows), sources.corpus.n_documents, which)]
    if part.pages > 1:
        caption.append(shared_strings.listed(part.rows.start + 1, len(shown)))
    if terms.note:
        caption.append(terms.note)
    return {
        "kind": "list",
        "heading": shared_strings.TITLE,
        "caption": " ".join(caption),
        "documents": [_document(sources, row, terms) for row in shown.tolist()],
    }


def _choice(sources: Sources, address: Parameters) -> tuple[Choice, str]:
    """Conditions on the documents, and their description."""
    run, text = sources.run, chosen(address, "find", "")
    read = partial(read_grouping, sources.corpus.documents)
    filters = choice_at(address, sources.facets, run, sources.stored, read)
    wanted = replace(filters, found=sources.search(text))
    which = shared_strings.filters_text(
        "" if wanted.found is None else text,
        "" if wanted.topic < 0 else run.topic_labels[wanted.topic],
        [", ".join(wanted.labels), "–".join(map(str, wanted.years)),
         "" if wanted.group is None else chosen(address, "group", "")],
        {WITHOUT_TOPIC: shared_strings.WITHOUT_TOPIC,
         UNSURE: shared_strings.UNSURE_DOCUMENTS}.get(wanted.topic, ""),
    )  # fmt: skip
    return wanted, which


def _document(sources: Sources, row: int, terms: SearchTerms) -> dict[str, Any]:
    """Title, facts, topics, and an excerpt of a document."""
    run, facets = sources.run, sources.facets
    text = document_text(sources.corpus, row)
    rest = text if terms.present else rest_after_title(facets, row, text)
    parts = excerpt(rest, wanted_terms(terms.present), EXCERPT_LETTERS)
    topics = topics_on(run, sources.stored, row, TOPICS_SHOWN, sources.corpus)
    known = [
        *facts(facets, row, facets.name[row]),
        *(f"● {run.topic_labels[topic]}" for topic in topics),
    ]
    return {
        "title": title_of(facets, row, text),
        "known": "   ".join(known),
        "text": [[part.text, *([MARKED, "", ""] if part.word else [])] for part in parts],
    }


def kept_document(sources: Sources, address: Parameters) -> Picture | None:
    """The document at a URL with its topics; None if it does not exist.

    If the URL names no document, the list of documents.
    """
    run, corpus, facets = sources.run, sources.corpus, sources.facets
    name = chosen(address, "doc", "")
    if not name:
        return kept_list(sources, address)
    rows = np.flatnonzero(corpus.documents["id"].to_numpy() == name)
    if not len(rows):
        return None
    row = int(rows[0])
    reading, selected = read_document(run, corpus, row), chosen(address, "sel", "")
    text = reading.text
    end = word_end(text, FIRST_LETTERS)
    pieces = [piece for piece in reading.shown_pieces(selected) if piece.end <= end]
    return {
        "kind": "document",
        "heading": own_title(facets, row, document_text(corpus, row)),
        "known": " · ".join(facts(facets, row, facets.name[row])),
        "text": [
            [part] if piece is None else [part, piece.ground, piece.line, piece.title]
            for part, piece in cut(text[:end], pieces)
        ],
        "rest": shared_strings.SO_FAR.format(shown=end, total=len(text)) if end < len(text) else "",
        "legend": shared_strings.LEGEND if reading.topics else shared_strings.LEGEND_NONE,
        "topics": _topics(run, reading),
    }


def _topics(run: Run, reading: Reading) -> list[dict[str, Any]]:
    """Topics that explain words, as the legend shows them."""
    return [
        {
            "id": run.network.graph.topic_ids[topic.topic],
            "label": topic.label,
            "figures": figures_of(topic.known),
            "probability": round(topic.known.value, 4),
            "hue": topic.hue,
            "words": ", ".join(topic.words[:LEGEND_WORDS]),
        }
        for topic in reading.topics[:LEGEND_TOPICS]
    ]


def kept_names(run: Run, stored: Activations | None, address: Parameters) -> Picture:
    """The page of the table at a URL, without empty columns; ``stored`` has the activations."""
    documents = topic_documents(run, stored)
    order = table_order(run, documents).tolist()
    found = matching(
        run,
        order,
        chosen(address, "find", ""),
        chosen(address, "show", shared_strings.ALL, shared_strings.SHOWN),
    )
    page = page_of(chosen(address, "page", ""), len(found), naming.PAGE_SIZE)
    rows = topic_rows(run, found[page.rows], documents)
    cells = {
        "id": [row.id for row in rows],
        "name": [row.name for row in rows],
        "words": [", ".join(row.words) for row in rows],
        "documents": ["" if row.documents is None else f"{row.documents:,}" for row in rows],
        "note": [row.note for row in rows],
        "hidden": [YES if row.hidden else "" for row in rows],
    }
    kept = {name: column for name, column in cells.items() if any(column)}
    caption = [shared_strings.matches(len(found), len(order))]
    if page.pages > 1:
        caption.append(shared_strings.PAGE_OF.format(number=page.number, pages=page.pages))
    if stored is not None and "documents" in kept:
        caption.append(shared_strings.DOCUMENTS_HELP.format(checked=len(stored.rows)))
    sentences = ". ".join(part.rstrip(".") for part in caption) + "."
    return {
        "kind": "table",
        "heading": shared_strings.NAMES_TITLE,
        "caption": sentences if rows else shared_strings.NOTHING,
        "columns": [shared_strings.COLUMNS[name] for name in kept],
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
    figures, baseline = known.figures, known_baseline(evaluations)
    if not figures:
        return None
    others, gone = _others(workspace, address)
    models = [known, *others, *([baseline] if baseline else [])]
    table = figures_table([model for model in models if model.figures])
    predictions = (
        strongest_result(figures, baseline),
        label_sentence(figures, baseline),
        verdict(figures, baseline),
    )
    # The strongest first, and none twice.
    sentences = [*dict.fromkeys(predictions), likelihood_sentence(figures)]
    if figures.get("documents"):
        count = int(figures["documents"])
        sentences.append(shared_strings.evaluated_on(count, is_whole=known.is_whole))
    if gone:
        sentences.append(topic_strings.MODELS_GONE.format(names=listed(gone)))
    return {
        "kind": "table",
        "heading": shared_strings.EVALUATE_TITLE,
        "caption": " ".join(filter(None, sentences)),
        "columns": list(table.columns),
        "figures": list(range(1, len(table.columns))),
        "rows": table.to_numpy().tolist(),
    }


def _others(workspace: Path, address: Parameters) -> tuple[list[EvaluatedModel], list[str]]:
    """Models that the URL compares, and the names of gone or damaged ones."""
    found, gone = list[EvaluatedModel](), list[str]()
    for name in address.get("with", ()):
        place = catalog.find_model(chosen(address, "corpus", ""), name)
        if place is None:
            gone.append(name)
            continue
        try:
            evaluations = read_evaluations(workspace, place.folder)
            found.append(known_figures(place.folder, name, evaluations))
        except InputError:
            gone.append(name)
    return found, gone


# Longer names are cut in the heading, which has one line or two.
NAME_LETTERS = 60


def kept_path(run: Run, address: Parameters) -> Picture | None:
    """Draw the strongest path, or report that no path exists; None if an end does not exist."""
    start, end = (topic_named(run, chosen(address, end, "")) for end in ("topic", "to"))
    if start < 0 or end < 0 or start == end:
        return None
    names = [node_name(run, node) for node in (start, end)]
    ends = " → ".join(shortened(name, NAME_LETTERS) for name in names)
    shown = {"kind": "picture", "heading": f"{shell_strings.PATH}: {ends}"}
    path = strongest_path(run, start, end)
    if path is None:
        return shown | {"caption": shared_strings.NO_PATH.format(start=names[0], end=names[1])}
    strengths = [link.probability for link in path.links]
    if not is_real(run, path):
        between = [node_name(run, node) for node in path.nodes[1:-1]]
        return shown | {
            "caption": shared_strings.no_real_path(names, between, math.prod(strengths))
        }
    canvas = canvas_data(path_picture(run, path))
    drawn = {"wide": picture_svg(canvas, "light"), "dark": picture_svg(canvas, "dark")}
    return shown | {"caption": shared_strings.path(strengths, math.prod(strengths)), **drawn}
