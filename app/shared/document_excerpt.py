"""A document in a list beside a topic or query: its title as a link, and an excerpt."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...core.data.corpus import Corpus
from ..shell import page
from ..text.escaping import html_text, markdown_text
from ..text.excerpts import Part, document_text, excerpt_html
from ..workspace.facets import Facets, facts, title_of


def show(
    corpus: Corpus,
    row: int,
    facets: Facets,
    parts: Sequence[Part],
    *,
    key: str,
    typed: frozenset[str] = frozenset(),
) -> None:
    """Show one document; the page contains `excerpts.STYLE` once.

    ``parts`` are the excerpt, ``key`` begins the key of the button, and ``typed`` are words that
    are marked more strongly.
    """
    name = str(corpus.documents["id"].iat[row])
    title = markdown_text(title_of(facets, row, document_text(corpus, row)))
    known = " · ".join(map(html_text, facts(facets, row, name)))
    with st.container(gap=None):
        if st.button(f"**{title}**", key=f"{key}-{row}", type="tertiary"):
            page.open_documents(doc=name)
        st.html(
            f'<div class="excerpt"><div class="known">{known}</div>'
            f"{excerpt_html(parts, typed)}</div>"
        )
