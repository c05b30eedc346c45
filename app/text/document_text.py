"""The text of a document as it can be shown: of a ready-made matrix, its words (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence

from orrery.core.corpus import Corpus


def document_text(corpus: Corpus, row: int) -> str:
    """Text of a document, or its words where it has none."""
    return str(corpus.documents["text"].iat[row] or document_words(corpus, row))


def document_words(corpus: Corpus, row: int) -> str:
    """All words of a document in the order of the vocabulary."""
    return " ".join(corpus.vocabulary[token] for token in corpus.tokens_of(row))


def searched_texts(corpus: Corpus) -> Sequence[str]:
    """Texts of all documents; where no document has a text, the words of each."""
    texts: list[str] = corpus.documents["text"].tolist()
    if any(texts):
        return texts
    return [document_words(corpus, row) for row in range(corpus.n_documents)]
