"""The one way in which a kernel is compiled, with a cache that cannot go stale."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import event

from orrery.core.kernels.caching import KernelCache, sweep

_HERE = Path(__file__).parent
# What a module says that has kernels of its own elsewhere.
_ASKS_FOR_KERNELS = b"orrery.core.kernels.compiling import"


def _sources() -> list[bytes]:
    """Texts of all modules that kernels are in: those here, and those that compile their own."""
    texts = {path: path.read_bytes() for path in sorted(_HERE.parent.rglob("*.py"))}
    return [
        text for path, text in texts.items() if path.parent == _HERE or _ASKS_FOR_KERNELS in text
    ]


# numba's own cache looks only at the file of the function itself, so an edited callee in another
# file would be ignored; a folder named by all sources makes every edit a new cache.
_digest = hashlib.sha256(b"".join(_sources())).hexdigest()[:16]


def _cache_folder() -> Path:
    """Folder of this version's kernels: the user's, or one for this process if that is barred.

    Numba's own variable moves all of them; in one folder for all versions, they would go stale.
    """
    try:
        # For a user without a home there is an error, or a folder that begins with the home's sign.
        chosen = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("orrery")
        folder = Path(chosen).expanduser() / "kernels" / _digest
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        sweep(folder)
    except (OSError, RuntimeError):
        folder = Path(tempfile.mkdtemp(prefix="orrery-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


numba.config.CACHE_DIR = str(_cache_folder())

_watch = event.TimingListener()
event.register("numba:compile", _watch)


def seconds_compiling() -> float:
    """Seconds that this process has spent on compiling; a kernel from the cache takes none."""
    return float(_watch.duration) if _watch.done else 0.0


# nogil: a page that waits for a kernel must not stop the others.
# error_model: divisions are guarded where they can fail, so they need no check of their own.
_options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _cached(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function to be compiled when it is first called, in any process."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        made = numba.njit(**_options, **options)(function)
        if not numba.config.DISABLE_JIT:
            made._cache = KernelCache(function)
        return made

    return compiled


kernel = _cached()

# Sums over the terms of the exponential may be taken in any order, which lets them use vector
# lanes. The order is fixed when compiled, and results stay the same from run to run, only if no
# loop that adds up also stores: of such a loop there are two versions, each with an order of its
# own, and where the arrays lie in memory decides which of them runs.
summing_kernel = _cached(fastmath={"reassoc"})

# The innermost loops over terms: compiled by itself and then inlined, such a callee is a third
# faster than as a `part`.
inner_kernel = _cached(forceinline=True, fastmath={"reassoc"})

# A part of the kernel that calls it. Every other callee is compiled and optimised by itself and
# then once more within each of its callers, so parts halve what a first run waits for. A part
# adds up as its caller does.
part = _cached(inline="always")
