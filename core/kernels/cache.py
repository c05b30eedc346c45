"""Cache of compiled kernels on disk.

Every compiled kernel is one file, which is written atomically and verified by a hash; a damaged
file is compiled again. Numba's own cache keeps an index that spans several files and is written
first and without a lock: if two processes compile at the same time, the index of one may point to
code of the other.

`orrery.core.kernels.compiling` imports this module when the first kernel is compiled, because this
module imports numba.
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
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

from .compiling import Kernel

# Hexadecimal digits of the SHA-256 hash that precedes the compiled code in a file.
DIGEST_LETTERS = 64
# Kernels of a version that has not been used for 60 days are deleted.
STALE_SECONDS = 60 * 24 * 3600.0

compile_timer = event.TimingListener()
event.register("numba:compile", compile_timer)


class KernelFiles:
    """Compiled code of one kernel, whose name is unique in the folder.

    There is an independent file for every signature and processor.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def save(self, key: Any, data: Any) -> None:
        """Write the compiled code of a key; concurrent writers write the same content."""
        content = dumps((numba.__version__, key, data))
        path = self._path(key)
        partial = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:12]}")
        try:
            partial.write_bytes(hashlib.sha256(content).hexdigest().encode() + content)
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)

    def load(self, key: Any) -> Any:
        """Return the compiled code of a key, or None if the file is missing or damaged."""
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
        """Delete all compiled code of this kernel."""
        for path in self._folder.glob(f"{self._name}-*.kernel"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        number = hashlib.sha256(repr(key).encode()).hexdigest()[:20]
        return self._folder / f"{self._name}-{number}.kernel"


class KernelCache(FunctionCache):
    """Numba's cache of one function, stored in `KernelFiles`."""

    def __init__(self, function: Any, folder: Path) -> None:
        # Numba checks that this folder is writable; by default it uses one beside the sources.
        numba.config.CACHE_DIR = str(folder)
        super().__init__(function)
        self._cache_file = KernelFiles(folder, self._impl.filename_base)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the compiled code; if the disk refuses, the next process compiles again."""
        with suppress(OSError):
            super().save_overload(sig, data)


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
