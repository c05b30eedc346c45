"""The documents nearest to the query, with the words that did it marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from orrery.app.documents.facets import Facets, facts, title_of
from orrery.app.frame import navigation
from orrery.app.session import resources
from orrery.app.text.escaping import html_text, markdown_text
from orrery.app.text.marked_text import Span, marked_excerpt, marked_html
from orrery.app.words import common
from orrery.app.words import nearest as words
from orrery.app.workspace import catalog
from orrery.app.workspace.search_index import document_words
from orrery.core.inference import Evidence, Posterior
from orrery.core.nearest import WordGains, nearest_documents, word_gains

if TYPE_CHECKING:
    from orrery.core.corpus import Corpus
    from orrery.core.network import FloatArray
    from orrery.core.run import Run

SHOWN = 5
MOST_OPEN = 256
# Words of a document that are marked, the most telling first, and the least that is worth a mark:
# the query makes the word twice as likely.
MOST_MARKED = 8
LEAST_GAIN = float(np.log(2.0))
STYLE = """<style>
.nearest { line-height: 1.5; margin: 0 0 .9rem; }
.nearest .known { opacity: .65; font-size: .85em; }
.nearest mark { color: inherit; border-radius: 3px; padding: 0 2px; }
.nearest mark.typed { background: rgba(46, 158, 91, .38); font-weight: 600; }
.nearest mark.told { background: rgba(46, 158, 91, .15); }
</style>"""


def show(run: Run, posterior: Posterior) -> None:
    """Draw the panel, or the sentence that says why it is empty."""
    with st.container(gap="xsmall", key="nearest"):
        st.subheader(words.TITLE, anchor=False, help=words.TITLE_HELP)
        corpus, problem = resources.corpus_of(run)
        if corpus is None:
            st.caption(problem)
            return
        gains = word_gains(run.network, posterior)
        rows = _nearest(str(run.folder), _stamp(run), posterior.evidence, corpus, gains.gain)
        if not rows:
            st.caption(words.NONE)
            return
        typed = frozenset(run.vocabulary[token] for token in posterior.evidence.present)
        facets = resources.facets(run.corpus_path, corpus)
        st.html(STYLE)
        for row in rows:
            _show_document(corpus, row, facets, marked_html(_excerpt(corpus, row, gains), typed))


def _stamp(run: Run) -> tuple[int, int]:
    """Changes when the model or its corpus does."""
    model = catalog.stamp(run.folder / "model" / "model.json")
    return model, catalog.stamp(run.corpus_path / "corpus.json")


@st.cache_data(show_spinner=common.WORKING, max_entries=MOST_OPEN)
def _nearest(
    folder: str,
    changed: tuple[int, int],
    evidence: Evidence,
    _corpus: Corpus,
    _gain: FloatArray,
) -> list[int]:
    return nearest_documents(_corpus, _gain, SHOWN)[0].tolist()


def _excerpt(corpus: Corpus, row: int, gains: WordGains) -> list[Span]:
    """A piece of a document, with the words in it that did it."""
    tokens = corpus.tokens_of(row)
    best = tokens[np.argsort(-gains.telling[tokens], kind="stable")][:MOST_MARKED]
    marked = best[gains.gain[best] >= LEAST_GAIN]
    weight = {corpus.vocabulary[token]: float(gains.telling[token]) for token in marked}
    return marked_excerpt(_text(corpus, row), weight)


def _text(corpus: Corpus, row: int) -> str:
    return str(corpus.documents["text"].iat[row]) or document_words(corpus, row)


def _show_document(corpus: Corpus, row: int, facets: Facets, excerpt: str) -> None:
    """One document: its title, which opens it, what is known of it, and a piece of its text."""
    name = str(corpus.documents["id"].iat[row])
    title = markdown_text(title_of(facets, row, _text(corpus, row)))
    known = " · ".join(map(html_text, facts(facets, row, name)))
    with st.container(gap=None):
        if st.button(f"**{title}**", key=f"near-{row}", type="tertiary"):
            navigation.open_documents(doc=name)
        st.html(f'<div class="nearest"><div class="known">{known}</div>{excerpt}</div>')
