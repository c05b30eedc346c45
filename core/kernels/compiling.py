"""Compiled kernels on disk: a file each, complete and as it was written, or it is made again.

Numba keeps an index of several files, which it writes first and without a lock: of two processes
that compile at once, one may leave an index that points to the code of the other.

The one way in which a kernel is compiled, with a cache that cannot go stale.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import pickle
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

# Hexadecimal digits of SHA-256, before the code that they are of.
DIGEST_LETTERS = 64
# Kernels of a version that nobody has started for so long are of no use any more.
STALE_SECONDS = 60 * 24 * 3600.0


class KernelFiles:
    """Files of one kernel, a file for every signature and processor; none depends on another.

    Parameters
    ----------
    folder : Path
    name : str
        Of the kernel, unique in the folder.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def save(self, key: Any, data: Any) -> None:
        """Write what was compiled for a key; whoever writes last has written the same."""
        content = dumps((numba.__version__, key, data))
        path = self._path(key)
        partial = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:12]}")
        try:
            partial.write_bytes(hashlib.sha256(content).hexdigest().encode() + content)
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)

    def load(self, key: Any) -> Any:
        """Return what was compiled for a key; None where there is nothing, or it is damaged."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, content = content[:DIGEST_LETTERS], content[DIGEST_LETTERS:]
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return None
        version, stored_key, data = pickle.loads(content)
        return data if (version, stored_key) == (numba.__version__, key) else None

    def flush(self) -> None:
        """Forget all that was compiled."""
        for path in self._folder.glob(f"{self._name}-*.kernel"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        number = hashlib.sha256(repr(key).encode()).hexdigest()[:20]
        return self._folder / f"{self._name}-{number}.kernel"


class KernelCache(FunctionCache):
    """Numba's cache of one function, on files of ours."""

    def __init__(self, function: Any, folder: Path) -> None:
        # Numba checks that it can write to a folder, and would take one beside the sources.
        numba.config.CACHE_DIR = str(folder)
        super().__init__(function)
        self._cache_file = KernelFiles(folder, self._impl.filename_base)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled where the disk allows it; else the next process compiles too."""
        with suppress(OSError):
            super().save_overload(sig, data)


def sweep(folder: Path) -> None:
    """Mark the kernels of this version as in use, and remove those of versions long unused."""
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.iterdir():
            if other != folder and time.time() - other.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


_HERE = Path(__file__).parent


@functools.cache
def _content(path: str) -> bytes:
    return Path(path).read_bytes()


def _sources(function: Callable[..., Any]) -> tuple[str, ...]:
    """Files whose edits change what is compiled for a function, in a fixed order.

    All of this package, the function's own file, and the files of kernels that it calls: an import
    has registered those before, in `_files_of_kernel`.
    """
    files = {str(path) for path in _HERE.glob("*.py")} | {function.__code__.co_filename}
    for value in function.__globals__.values():
        files.update(_files_of_kernel.get(id(value), ()))
    return tuple(sorted(files))


# Source files of every kernel that was decorated in this process, by the id of its dispatcher,
# which lives as long as the process.
_files_of_kernel: dict[int, tuple[str, ...]] = {}


@functools.cache
def _cache_folder(sources: tuple[str, ...]) -> Path:
    """Folder of the kernels that these files define: the user's, or one for this process.

    Numba's own cache looks only at the file of the function itself and would miss an edit of a
    callee in another file; a folder named after a hash of all sources makes every edit a new cache.
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
            sources = _sources(function)
            _files_of_kernel[id(made)] = sources
            made._cache = KernelCache(function, _cache_folder(sources))
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
