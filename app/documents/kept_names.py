"""A kept view of the Names page as its table, as its address says (no streamlit)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture
from orrery.app.topics.naming import matching, page_of
from orrery.app.words import names as words
from orrery.core.edits import YES
from orrery.core.naming.topic_table import table_order, topic_documents, topic_rows

if TYPE_CHECKING:
    from orrery.core.run import Run
    from orrery.core.storage.activations import Activations


def kept_names(run: Run, stored: Activations | None, address: Parameters) -> Picture:
    """The page of the table that is seen at an address; columns with nothing in them stay behind.

    Parameters
    ----------
    run : Run
    stored : Activations or None
        Which topics are on in the documents; None where that was not stored.
    address : mapping
    """
    documents = topic_documents(run, stored)
    order = table_order(run, documents).tolist()
    found = matching(
        run, order, chosen(address, "find", ""), chosen(address, "show", words.ALL, words.SHOWN)
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
    said = [words.matches(len(found), len(order))]
    if page.pages > 1:
        said.append(words.page_of(page.number, page.pages))
    if stored is not None and "documents" in kept:
        said.append(words.documents_help(len(stored.rows)))
    return {
        "kind": "table",
        "heading": words.TITLE,
        "caption": ". ".join(part.rstrip(".") for part in said) + "." if rows else words.NOTHING,
        "columns": [words.COLUMNS[name] for name in kept],
        "figures": [place for place, name in enumerate(kept) if name == "documents"],
        "rows": [list(row) for row in zip(*kept.values(), strict=True)],
    }
