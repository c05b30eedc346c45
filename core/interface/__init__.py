"""Orrery: learn a graph of topics over a corpus, and ask it questions.

The names below are all that a notebook needs; each is loaded when it is first used, so that
``orrery --help`` does not wait for numba or scikit-learn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import orrery.core
from orrery.core import __version__ as __version__

if TYPE_CHECKING:
    from orrery.core.corpus import Corpus as Corpus
    from orrery.core.corpus import read_corpus as read_corpus
    from orrery.core.evaluation import evaluate as evaluate
    from orrery.core.evidence import Evidence as Evidence
    from orrery.core.explanation import explain as explain
    from orrery.core.inference import infer as infer
    from orrery.core.storage import load_corpus as load_corpus
    from orrery.core.storage import load_run as load_run
    from orrery.core.storage import save_corpus as save_corpus
    from orrery.core.structure import propose_graph as propose_graph
    from orrery.core.text.recipe import Recipe as Recipe
    from orrery.core.training import TrainingOptions as TrainingOptions
    from orrery.core.training import train as train
    from orrery.estimator import NoisyOrTopics as NoisyOrTopics

# What a notebook wants besides the functions of `orrery.core`.
_HOME = {
    "NoisyOrTopics": "orrery.estimator",
    "Corpus": "orrery.core.corpus",
    "Evidence": "orrery.core.evidence",
    "Recipe": "orrery.core.text.recipe",
    "TrainingOptions": "orrery.core.training",
    "load_corpus": "orrery.core.storage",
    "save_corpus": "orrery.core.storage",
}

__all__ = sorted({"__version__", *_HOME, *orrery.core.__all__})


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name not in __all__:
        raise AttributeError(f"module 'orrery' has no attribute {name!r}")
    return getattr(orrery.core, name)


def __dir__() -> list[str]:
    return list(__all__)
