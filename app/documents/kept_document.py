"""A kept document as its text with coloured words (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from orrery.app.documents.causes import LEGEND_TOPICS, LEGEND_WORDS, Reading, read_document
from orrery.app.documents.coloured_text import FIRST_LETTERS, Piece
from orrery.app.documents.facets import facts, own_title
from orrery.app.documents.kept_list import kept_list
from orrery.app.documents.sources import Sources
from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture
from orrery.app.text.document_text import document_text
from orrery.app.text.excerpts import word_end
from orrery.app.words import documents as words
from orrery.app.words.figures import figures_of

if TYPE_CHECKING:
    from orrery.core.run import Run


def kept_document(sources: Sources, address: Parameters) -> Picture | None:
    """The document that an address names, as the model reads it; None where it is not there.

    Where it names none, the list of those that it asks for.
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
        "rest": words.so_far(end, len(text)) if end < len(text) else "",
        "legend": words.LEGEND if reading.topics else words.LEGEND_NONE,
        "topics": _topics(run, reading),
    }


def parts(text: str, pieces: Sequence[Piece]) -> list[list[Any]]:
    """Cut a text into parts: plain ones, and coloured ones with both colours and what is said."""
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
    """The topics that explain words, as they stand beside the text."""
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
