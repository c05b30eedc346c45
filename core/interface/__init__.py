"""Orrery: learn a graph of topics over a corpus, and ask it questions.

The names below are all that a notebook needs; each is loaded when it is first used, so that
``orrery --help`` does not wait for numba.
"""

from __future__ import annotations

from typing import Any

import orrery.core
from orrery.core import __version__ as __version__

__all__ = sorted({"__version__", *orrery.core.__all__})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'orrery' has no attribute {name!r}")
    return getattr(orrery.core, name)


def __dir__() -> list[str]:
    return list(__all__)
