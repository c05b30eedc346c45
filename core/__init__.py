"""Orrery: learn a graph of topics over a corpus, and ask it questions.

The names below are all that a notebook needs; each is loaded when it is first used, so that
``orrery --help`` does not wait for numba.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "read_corpus": "orrery.core.corpus",
    "propose_graph": "orrery.core.structure",
    "train": "orrery.core.training",
    "infer": "orrery.core.inference",
    "explain": "orrery.core.explanation",
    "evaluate": "orrery.core.evaluation",
    "load_run": "orrery.core.storage",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'orrery.core' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
