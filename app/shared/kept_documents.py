"""Kept views of the Documents page: a page of the list, or one document with coloured words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.data.groups import read_grouping
from ...core.drawing.links import topic_named
from ...core.drawing.strings import figures_of
from ...core.utils.errors import InputError
from ...core.utils.parsing import read_whole_number
from ..shell.kept import Parameters, Picture, chosen
from ..text.excerpts import MARKED, document_text, excerpt, wanted_terms, word_end
from ..workspace.facets import facts, own_title, rest_after_title, title_of
from ..workspace.search_index import SearchTerms, read_terms
from . import strings
from .document_causes import (
    FIRST_LETTERS,
    LEGEND_TOPICS,
    LEGEND_WORDS,
    Piece,
    Reading,
    read_document,
)
from .listing import (
    EXCERPT_LETTERS,
    GROUP_PARAMETERS,
    PAGE_SIZE,
    TOPICS_SHOWN,
    Choice,
    as_step,
    chosen_rows,
    read_years,
    topics_on,
)
from .sources import Sources

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


def kept_list(sources: Sources, address: Parameters) -> Picture | None:
    """The list of documents at a URL; None if it is empty."""
    terms = read_terms(chosen(address, "find", ""))
    wanted, which = _choice(sources, address)
    rows = chosen_rows(wanted, sources.facets, sources.run, sources.stored)
    if not len(rows):
        return None
    pages = -(-len(rows) // PAGE_SIZE)
    number = min(read_whole_number(chosen(address, "page", "")) or 1, pages)
    shown = rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    caption = [strings.found(len(rows), sources.corpus.n_documents, which)]
    if pages > 1:
        caption.append(strings.listed((number - 1) * PAGE_SIZE + 1, len(shown)))
    return {
        "kind": "list",
        "heading": strings.TITLE,
        "caption": " ".join(caption),
        "documents": [_document(sources, row, terms) for row in shown.tolist()],
    }


def _choice(sources: Sources, address: Parameters) -> tuple[Choice, str]:
    """Conditions on the documents, and their description."""
    run, facets = sources.run, sources.facets
    text = chosen(address, "find", "")
    found = sources.search(text)
    topic = -1 if sources.stored is None else topic_named(run, chosen(address, "on", ""))
    labels = tuple(label for label in address.get("label", ()) if label in facets.labels)
    years: tuple[int, ...] = ()
    if facets.years:
        asked = read_years(chosen(address, "years", ""), *facets.years)
        years = asked if asked != facets.years else ()
    group = _group(sources, address)
    which = strings.asked_for(
        "" if found is None else text,
        "" if topic < 0 else run.topic_labels[topic],
        [", ".join(labels), "–".join(map(str, years)),
         "" if group is None else chosen(address, "group", "")],
    )  # fmt: skip
    return Choice(found, topic, labels, years, group), which


def _group(sources: Sources, address: Parameters) -> npt.NDArray[np.bool_] | None:
    """Whether each document is in the group that a link from the Groups page chose."""
    column, step, name = (chosen(address, parameter, "") for parameter in GROUP_PARAMETERS)
    if not name:
        return None
    try:
        return read_grouping(sources.corpus.documents, column, as_step(step)).has(name)
    except InputError:
        return None


def _document(sources: Sources, row: int, terms: SearchTerms) -> dict[str, Any]:
    """Title, facts, topics, and an excerpt of a document."""
    run, facets = sources.run, sources.facets
    text = document_text(sources.corpus, row)
    rest = text if terms.present else rest_after_title(facets, row, text)
    parts = excerpt(rest, wanted_terms(terms.present), EXCERPT_LETTERS)
    topics = topics_on(run, sources.stored, row, TOPICS_SHOWN)
    name = str(sources.corpus.documents["id"].iat[row])
    known = [*facts(facets, row, name), *(f"● {run.topic_labels[topic]}" for topic in topics)]
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
        "known": " · ".join(facts(facets, row, name)),
        "text": parts(text[:end], pieces),
        "rest": strings.so_far(end, len(text)) if end < len(text) else "",
        "legend": strings.LEGEND if reading.topics else strings.LEGEND_NONE,
        "topics": _topics(run, reading),
    }


def parts(text: str, pieces: Sequence[Piece]) -> list[list[Any]]:
    """Cut a text into plain parts, and coloured parts with both colours and a tooltip."""
    found: list[list[Any]] = []
    end = 0
    for piece in pieces:
        if end < piece.begin:
            found.append([text[end : piece.begin]])
        own = text[piece.begin : piece.end]
        found.append([own, piece.ground, piece.line, piece.title])
        end = piece.end
    return [*found, [text[end:]]] if end < len(text) else found


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
