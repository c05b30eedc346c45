"""Map of a run: infer the topics of its documents, compute the layout, write the file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.main_topics import main_topics
from ..inference.thresholds import ON_THRESHOLD
from ..model.topic_model import Run
from ..runs.activations import activations_of
from ..storage.corpora import corpus_fingerprint, load_corpus
from ..storage.runs import load_run, model_folder, read_config
from ..storage.stability import read_model_hash
from ..utils.errors import InputError
from ..utils.types import ProgressCallback
from .files import DocumentMap, Origin, write_map
from .layout import lay_out

# Progress when the topics are inferred, measured with abstracts; for short texts it is earlier.
AFTER_TOPICS = 0.6


def make_map(folder: Path, seed: int, progress: ProgressCallback) -> dict[str, Any]:
    """Compute the map of a run's documents and store it beside its model.

    The callback ``progress`` is called with the share that is done. The result has the
    keys ``run``, ``documents``, ``placed`` and ``seconds``. InputError if the run or its corpus is
    missing, or if they do not match.
    """
    started = time.monotonic()
    read_config(folder)
    # Read before the model: if the model is replaced meanwhile, the map is recognised as outdated.
    parameters = read_model_hash(model_folder(folder))
    run = load_run(folder)
    if run.config["corpus"] is None:
        raise InputError(
            f"{run.folder} was adopted from a graph and has no documents; train on a corpus first"
        )
    corpus = load_corpus(run.corpus_path)
    if corpus.vocabulary != run.vocabulary:
        raise InputError(
            f"the corpus {run.corpus_path} has another vocabulary than the model; train on it again"
        )
    found = document_map(run, corpus, seed, progress)
    write_map(model_folder(folder), found, Origin(parameters, corpus_fingerprint(corpus)))
    return {
        "run": str(folder),
        "documents": corpus.n_documents,
        "placed": int((found.topic >= 0).sum()),
        "seconds": round(time.monotonic() - started, 2),
    }


def document_map(run: Run, corpus: Corpus, seed: int, progress: ProgressCallback) -> DocumentMap:
    """Points and topics of all documents of a corpus."""
    rows = np.arange(corpus.n_documents, dtype=np.int64)
    activations = activations_of(
        run.network, corpus, rows, lambda share: progress(AFTER_TOPICS * share)
    )
    place = lay_out(
        activations,
        seed=seed,
        progress=lambda share: progress(AFTER_TOPICS + (1.0 - AFTER_TOPICS) * share),
    )
    on = sparse.csr_array(activations > ON_THRESHOLD)
    return DocumentMap(place, main_topics(run.network, corpus.to_csr(), activations), on)
