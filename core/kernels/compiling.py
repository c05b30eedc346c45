"""Decorators that compile kernels.

A kernel is compiled at its first call, and numba is imported then and not earlier. A query on a
small local model needs neither, because it runs the same kernels as plain Python (`interpreted`).
The compiled code is kept on disk (`orrery.core.kernels.cache`).
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

_is_interpreted: ContextVar[bool] = ContextVar("is_interpreted", default=False)
_creation = threading.Lock()


@contextmanager
def interpreted() -> Iterator[None]:
    """Run all kernels of a block as plain Python: at once, but some hundred times more slowly."""
    token = _is_interpreted.set(True)
    try:
        # Kernels guard the operations that can fail, and counters of random numbers overflow.
        with np.errstate(all="ignore"):
            yield
    finally:
        _is_interpreted.reset(token)


class Kernel:
    """Function that numba compiles when it is first called.

    Numba takes it for its own object in other kernels, by ``_numba_type_``, ``targetoptions`` and
    ``py_func``. All other attributes come from numba's object.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.options = options

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function, or the Python function in an `interpreted` block."""
        run = self.py_func if _is_interpreted.get() else self._compiled
        return run(*arguments)

    @functools.cached_property
    def _compiled(self) -> Any:
        import numba

        from .cache import KernelCache

        with _creation:
            if "_compiled" in vars(self):
                return vars(self)["_compiled"]
            compiled = numba.njit(**self.options)(self.py_func)
            if not numba.config.DISABLE_JIT:
                compiled._cache = KernelCache(self.py_func, cache_folder(sources_of(self)))
            vars(self)["_compiled"] = compiled
        return compiled

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._compiled, name)

    def __reduce__(self) -> str:
        # Pickled by name, as a function is.
        return self.py_func.__qualname__


def seconds_compiling() -> float:
    """Seconds that this process has spent on compilation; loading from the cache does not count."""
    cache = sys.modules.get(f"{__package__}.cache")
    return float(cache.compile_timer.duration) if cache and cache.compile_timer.done else 0.0


# nogil: a page that waits for a kernel must not block the other pages.
# error_model: kernels guard the divisions that can fail, so numba need not check each one.
_options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _cached(**options: Any) -> Callable[[Callable[..., Any]], Kernel]:
    """Return a decorator that makes a `Kernel` with these options of numba."""
    return functools.partial(Kernel, options={**_options, **options})


kernel = _cached()

# Sums over samples may be reordered ("reassoc"), which allows vector instructions. The order is
# fixed at compile time. Results are reproducible only if no summing loop also stores: the compiler
# makes two versions of such a loop, each with its own order, and the memory addresses of the arrays
# decide which version runs.
summing_kernel = _cached(fastmath={"reassoc"})

# For loops over arrays that others have made. Numba counts references to arrays wherever a name is
# bound to one, also by a `part` or by access to a tuple, and counting may take longer than all the
# rest. A borrowing kernel counts none; it must neither make nor return an array.
borrowing_kernel = _cached(_nrt=False)

# The same for the innermost loops, compiled separately and then inlined.
inner_kernel = _cached(forceinline=True, _nrt=False)

# A function inlined into its callers before compilation. Any other callee is compiled separately
# and again within each caller, so parts halve the compile time of a first run. A part sums in the
# order of its caller.
part = _cached(inline="always")


# Kernels of a version that has not been used for 60 days are deleted.
STALE_SECONDS = 60 * 24 * 3600.0


def sweep(folder: Path) -> None:
    """Mark the kernels of this version as used, and delete kernels of versions long unused."""
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.iterdir():
            if other != folder and time.time() - other.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


_HERE = Path(__file__).parent


@functools.cache
def _content(path: str) -> bytes:
    return Path(path).read_bytes()


def sources_of(kernel: Kernel) -> tuple[str, ...]:
    """Files that determine the compiled code of a kernel, in a fixed order.

    These are all files of this package, and the files of all kernels that the modules of this
    kernel, and of the kernels found in this way, name.
    """
    found, todo = {id(kernel): kernel}, [kernel]
    while todo:
        for value in todo.pop().py_func.__globals__.values():
            if isinstance(value, Kernel) and id(value) not in found:
                found[id(value)] = value
                todo.append(value)
    files = {str(path) for path in _HERE.glob("*.py")}
    return tuple(sorted(files | {each.py_func.__code__.co_filename for each in found.values()}))


@functools.cache
def cache_folder(sources: tuple[str, ...]) -> Path:
    """Folder of the kernels that these files define: in the user's cache, or temporary.

    Numba's own cache checks only the file of the function itself and misses an edit of a callee in
    another file. The folder is named after a hash of all sources, so every edit starts a new cache.
    NUMBA_CACHE_DIR moves these folders; a single folder for all versions would become stale.
    """
    digest = hashlib.sha256(b"".join(map(_content, sources))).hexdigest()[:16]
    try:
        # Without a home directory, expanduser raises or leaves the "~" in place.
        chosen = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("orrery")
        folder = Path(chosen).expanduser() / "kernels" / digest
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        sweep(folder)
    except (OSError, RuntimeError):
        folder = Path(tempfile.mkdtemp(prefix="orrery-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
