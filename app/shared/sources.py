"""The documents of a model with all that is known of them (no streamlit)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.data.corpus import Corpus
from ...core.document_map.files import DocumentMap
from ...core.storage.activations import Activations, load_activations
from ...core.storage.corpora import begun_with, corpus_fingerprint, load_corpus
from ...core.utils.errors import InputError
from ..workspace.document_maps import map_of
from ..workspace.facets import Facets, read_facets
from ..workspace.search_index import search_now

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


@dataclass(frozen=True)
class Sources:
    """What pictures of documents are made from.

    Attributes
    ----------
    run : Run
    workspace : Path
        Where searches have their index.
    corpus : Corpus
        The one that the model was trained on.
    facets : Facets
    stored : Activations or None
        Which topics are on in the documents; None where that was not stored.
    found : DocumentMap or None
        None where no map was made.
    """

    run: Run
    workspace: Path
    corpus: Corpus
    facets: Facets
    stored: Activations | None = None
    found: DocumentMap | None = None

    def search(self, text: str) -> npt.NDArray[np.int64] | None:
        """Rows that a search finds, the best first; None where nothing is searched for."""
        return search_now(self.workspace, self.run.corpus_path, self.corpus, text)


def read_sources(run: Run, workspace: Path) -> Sources | None:
    """Read what there is of a run; None where its corpus is gone, or another by now."""
    try:
        corpus = load_corpus(run.corpus_path)
        if begun_with(run.folder) != corpus_fingerprint(corpus):
            return None
        stored, found = load_activations(run.folder / "model"), map_of(run.folder, corpus)
    except InputError:
        return None
    return Sources(run, workspace, corpus, read_facets(corpus.documents), stored, found)
