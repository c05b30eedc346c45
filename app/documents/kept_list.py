"""A kept list of documents: how many were found, and those of the page that was seen.

No streamlit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from orrery.app.documents.facets import facts, rest_after_title, title_of
from orrery.app.documents.group_filter import GROUP_PARAMETERS, as_step
from orrery.app.documents.listing import (
    EXCERPT_LETTERS,
    PAGE_SIZE,
    TOPICS_SHOWN,
    Choice,
    chosen_rows,
    read_years,
    topics_on,
)
from orrery.app.documents.sources import Sources
from orrery.app.graph.links import topic_named
from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture
from orrery.app.text.document_text import document_text
from orrery.app.text.excerpts import MARKED, excerpt, wanted_terms
from orrery.app.words import documents as words
from orrery.app.workspace.search_index import SearchTerms, read_terms
from orrery.core.errors import InputError
from orrery.core.text.groups import read_grouping
from orrery.core.whole_number import read_whole_number


def kept_list(sources: Sources, address: Parameters) -> Picture | None:
    """The list that the page shows at an address; None where nothing matches."""
    terms = read_terms(chosen(address, "find", ""))
    wanted, which = _choice(sources, address)
    rows = chosen_rows(wanted, sources.facets, sources.run, sources.stored)
    if not len(rows):
        return None
    pages = -(-len(rows) // PAGE_SIZE)
    number = min(read_whole_number(chosen(address, "page", "")) or 1, pages)
    shown = rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    said = [words.found(len(rows), sources.corpus.n_documents, which)]
    if pages > 1:
        said.append(words.listed((number - 1) * PAGE_SIZE + 1, len(shown)))
    return {
        "kind": "list",
        "heading": words.TITLE,
        "caption": " ".join(said),
        "documents": [_document(sources, row, terms) for row in shown.tolist()],
    }


def _choice(sources: Sources, address: Parameters) -> tuple[Choice, str]:
    """What documents are asked for, and the same in words."""
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
    which = words.asked_for(
        "" if found is None else text,
        "" if topic < 0 else run.topic_labels[topic],
        [", ".join(labels), "–".join(map(str, years)),
         "" if group is None else chosen(address, "group", "")],
    )  # fmt: skip
    return Choice(found, topic, labels, years, group), which


def _group(sources: Sources, address: Parameters) -> npt.NDArray[np.bool_] | None:
    """Whether each document is in the group that a link from the Groups page asked for."""
    column, step, name = (chosen(address, parameter, "") for parameter in GROUP_PARAMETERS)
    if not name:
        return None
    try:
        return read_grouping(sources.corpus.documents, column, as_step(step)).has(name)
    except InputError:
        return None


def _document(sources: Sources, row: int, terms: SearchTerms) -> dict[str, Any]:
    """Title, what is known, topics, and the part of the text that was found."""
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
