"""The documents of a model with all that is stored about them, for kept views."""

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
    """Data from which pictures of documents are made."""

    run: Run
    workspace: Path  # contains the search index
    corpus: Corpus  # the training corpus
    facets: Facets
    stored: Activations | None = None  # None if the run stored none
    found: DocumentMap | None = None  # None if no map was made

    def search(self, text: str) -> npt.NDArray[np.int64] | None:
        """Rows that a search finds, best first; None for an empty search."""
        return search_now(self.workspace, self.run.corpus_path, self.corpus, text)


def read_sources(run: Run, workspace: Path) -> Sources | None:
    """Read the data of a run; None if its corpus was deleted or changed."""
    try:
        corpus = load_corpus(run.corpus_path)
        if begun_with(run.folder) != corpus_fingerprint(corpus):
            return None
        stored, found = load_activations(run.folder / "model"), map_of(run.folder, corpus)
    except InputError:
        return None
    return Sources(run, workspace, corpus, read_facets(corpus.documents), stored, found)
