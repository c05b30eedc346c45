"""The documents nearest to the query, with the words that did it marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from app import shelf, workspace
from app.marked_text import marked_excerpt, marked_html
from app.plain import html_text
from app.words import nearest as words
from core.inference import Evidence, Posterior
from core.nearest import WordGains, nearest_documents, word_gains

if TYPE_CHECKING:
    from core.corpus import Corpus
    from core.network import FloatArray
    from core.storage import Run

SHOWN = 5
MOST_OPEN = 256
# Words of a document that are marked, the most telling first, and the least that is worth a mark:
# the query makes the word twice as likely.
MOST_MARKED = 8
LEAST_GAIN = float(np.log(2.0))
STYLE = """<style>
.nearest { line-height: 1.5; margin: 0 0 .9rem; }
.nearest .head { font-weight: 600; }
.nearest .label { opacity: .65; font-size: .85em; font-weight: 400; margin-left: .5em; }
.nearest mark { color: inherit; border-radius: 3px; padding: 0 2px; }
.nearest mark.typed { background: rgba(46, 158, 91, .38); font-weight: 600; }
.nearest mark.told { background: rgba(46, 158, 91, .15); }
</style>"""


def show(run: Run, posterior: Posterior) -> None:
    """Draw the panel, or the sentence that says why it is empty."""
    with st.container(gap="xsmall", key="nearest"):
        st.subheader(words.TITLE, anchor=False, help=words.TITLE_HELP)
        corpus, problem = shelf.corpus_of(run)
        if corpus is None:
            st.caption(problem)
            return
        gains = word_gains(run.network, posterior)
        rows = _nearest(str(run.folder), _stamp(run), posterior.evidence, corpus, gains.gain)
        if not rows:
            st.caption(words.NONE)
            return
        typed = frozenset(run.vocabulary[token] for token in posterior.evidence.present)
        st.html(STYLE + "".join(_document(corpus, row, gains, typed) for row in rows))


def _stamp(run: Run) -> tuple[int, int]:
    """Changes when the model or its corpus does."""
    model = workspace.stamp(run.folder / "model" / "model.json")
    return model, workspace.stamp(run.corpus_path / "corpus.json")


@st.cache_data(show_spinner=False, max_entries=MOST_OPEN)
def _nearest(
    folder: str,
    changed: tuple[int, int],
    evidence: Evidence,
    _corpus: Corpus,
    _gain: FloatArray,
) -> list[int]:
    return nearest_documents(_corpus, _gain, SHOWN)[0].tolist()


def _document(corpus: Corpus, row: int, gains: WordGains, typed: frozenset[str]) -> str:
    """One document as HTML: its name and label, and a piece of its text."""
    tokens = corpus.tokens_of(row)
    best = tokens[np.argsort(-gains.telling[tokens], kind="stable")][:MOST_MARKED]
    marked = best[gains.gain[best] >= LEAST_GAIN]
    weight = {corpus.vocabulary[token]: float(gains.telling[token]) for token in marked}
    document = corpus.documents.iloc[row]
    text = str(document["text"]) or " ".join(corpus.vocabulary[token] for token in tokens)
    name = str(document.get("title") or document["id"])
    label = document["label"]
    note = f'<span class="label">{html_text(str(label))}</span>' if label else ""
    head = f'<div class="head">{html_text(name)}{note}</div>'
    body = marked_html(marked_excerpt(text, weight), typed)
    return f'<div class="nearest">{head}<div>{body}</div></div>'
