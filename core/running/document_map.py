"""Make the map of the documents of a run: their topics, then their places."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.corpus import Corpus
from orrery.core.errors import InputError
from orrery.core.layout.points import lay_out, main_topics
from orrery.core.run import Run
from orrery.core.running.activations import activations_of
from orrery.core.storage import load_corpus, load_run
from orrery.core.storage.document_maps import DocumentMap, Origin, model_hash, write_map
from orrery.core.storage.fingerprints import corpus_fingerprint
from orrery.core.storage.runs import model_folder, read_config
from orrery.core.watch import Watch

# A topic from this probability is on.
ON = 0.5
# Share of the time after which the topics are known, of abstracts; of short texts it is less.
AFTER_TOPICS = 0.6


def make_map(folder: Path, seed: int, watch: Watch) -> dict[str, Any]:
    """Lay the documents of a run out, and keep the map beside its model.

    Parameters
    ----------
    folder : Path
        Of the run.
    seed : int
    watch : callable
        Told now and then what share is done.

    Returns
    -------
    dict
        ``documents``, ``placed`` and ``seconds``.

    Raises
    ------
    InputError
        If there is no run or corpus, or they do not fit.
    """
    begun = time.monotonic()
    read_config(folder)
    # Asked first: if another model takes the place of this one meanwhile, the map is not of that.
    parameters = model_hash(model_folder(folder))
    run = load_run(folder)
    corpus = _corpus_of(run)
    found = document_map(run, corpus, seed, watch)
    write_map(model_folder(folder), found, Origin(parameters, corpus_fingerprint(corpus)))
    return {
        "run": str(folder),
        "documents": corpus.n_documents,
        "placed": int((found.topic >= 0).sum()),
        "seconds": round(time.monotonic() - begun, 2),
    }


def document_map(run: Run, corpus: Corpus, seed: int, watch: Watch) -> DocumentMap:
    """Topics and places of all documents of a corpus."""
    rows = np.arange(corpus.n_documents, dtype=np.int64)
    activations = activations_of(
        run.network, corpus, rows, lambda share: watch(AFTER_TOPICS * share)
    )
    place = lay_out(
        activations,
        seed=seed,
        watch=lambda share: watch(AFTER_TOPICS + (1.0 - AFTER_TOPICS) * share),
    )
    on = sparse.csr_array(activations > ON)
    return DocumentMap(place, main_topics(activations), on)


def _corpus_of(run: Run) -> Corpus:
    if run.config["corpus"] is None:
        raise InputError(
            f"{run.folder} was adopted from a graph and has no documents; train on a corpus first"
        )
    corpus = load_corpus(run.corpus_path)
    if corpus.vocabulary != run.vocabulary:
        raise InputError(
            f"the corpus {run.corpus_path} has another vocabulary than the model; train on it again"
        )
    return corpus
