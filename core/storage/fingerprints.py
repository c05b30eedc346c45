"""Which corpus a run began with, document by document."""

from __future__ import annotations

import hashlib
from pathlib import Path

from orrery.core.corpus import Corpus
from orrery.core.errors import InputError
from orrery.core.storage.reading import read_npz, vocabulary_bytes


def corpus_fingerprint(corpus: Corpus) -> str:
    """Hash of all that training sees of a corpus: its words, and which document has which."""
    digest = hashlib.sha256(vocabulary_bytes(corpus.vocabulary))
    digest.update(corpus.token_ptr.tobytes())
    digest.update(corpus.token_idx.tobytes())
    return digest.hexdigest()


def begun_with(folder: Path) -> str:
    """Fingerprint of the corpus that a run began with; "" where its folder does not say."""
    try:
        return str(read_npz(folder / "start.npz")["fingerprint"])
    except (InputError, KeyError):
        return ""
