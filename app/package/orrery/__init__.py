"""Orrery: learn a graph of topics over a corpus, and query it.

All names that a notebook needs. Each is loaded when it is first used, so that ``orrery --help``
does not wait for numba or scikit-learn. The code is in `orrery.core` and `orrery.app`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

# In a checkout that is not installed, the folders ``core`` and ``app`` are three levels up.
_ROOT = Path(__file__).parents[3]
if not Path(__file__).with_name("core").is_dir() and (_ROOT / "pyproject.toml").is_file():
    __path__.append(str(_ROOT))

from orrery.core import __version__ as __version__  # noqa: E402 - needs the path above

if TYPE_CHECKING:
    from orrery.core.api.estimator import NoisyOrTopics as NoisyOrTopics
    from orrery.core.data.corpus import Corpus as Corpus
    from orrery.core.data.corpus import read_corpus as read_corpus
    from orrery.core.data.recipe import Recipe as Recipe
    from orrery.core.evaluation.evaluate import evaluate as evaluate
    from orrery.core.inference.evidence import Evidence as Evidence
    from orrery.core.inference.explanation import explain as explain
    from orrery.core.inference.infer import infer as infer
    from orrery.core.storage.corpora import load_corpus as load_corpus
    from orrery.core.storage.corpora import save_corpus as save_corpus
    from orrery.core.storage.runs import load_run as load_run
    from orrery.core.structure.propose import propose_graph as propose_graph
    from orrery.core.training.options import TrainingOptions as TrainingOptions
    from orrery.core.training.train import train as train

# Module of each public name.
_MODULES = {
    "Corpus": "orrery.core.data.corpus",
    "Evidence": "orrery.core.inference.evidence",
    "NoisyOrTopics": "orrery.core.api.estimator",
    "Recipe": "orrery.core.data.recipe",
    "TrainingOptions": "orrery.core.training.options",
    "evaluate": "orrery.core.evaluation.evaluate",
    "explain": "orrery.core.inference.explanation",
    "infer": "orrery.core.inference.infer",
    "load_corpus": "orrery.core.storage.corpora",
    "load_run": "orrery.core.storage.runs",
    "propose_graph": "orrery.core.structure.propose",
    "read_corpus": "orrery.core.data.corpus",
    "save_corpus": "orrery.core.storage.corpora",
    "train": "orrery.core.training.train",
}

__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'orrery' has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
