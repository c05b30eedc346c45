"""Trained models on disk, so that parts that need the same one train it once.

The folder is named by the sources of `core` and of what trains: any edit makes every model anew.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import platformdirs

import orrery.core
from orrery.core.data.corpus import Corpus
from orrery.core.model.network import Network
from orrery.core.storage.models import load_model, save_model
from tests.benchmarks.part import log

HERE = Path(__file__).parent
TRAINERS = ("data.py", "graphs.py", "models.py", "monte_carlo.py")


@dataclass(frozen=True)
class Trained:
    """A network and the seconds that its training took."""

    network: Network
    seconds: float


def cached(name: str, corpus: Corpus, make: Callable[[], Network]) -> Trained:
    """Model of this name over this vocabulary; made, timed and kept if it is not there."""
    folder = Path(platformdirs.user_cache_dir("orrery")) / "benchmarks" / _digest() / name
    if folder.is_dir():
        model = load_model(folder)
        return Trained(model.network, model.summary["seconds"])
    log.info("training %s", name)
    begin = time.perf_counter()
    network = make()
    seconds = time.perf_counter() - begin
    save_model(folder, network, corpus.vocabulary, corpus.recipe, {"seconds": seconds})
    return Trained(network, seconds)


@cache
def _digest() -> str:
    sources = sorted(Path(orrery.core.__file__).parent.rglob("*.py")) + [
        HERE / name for name in TRAINERS
    ]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
