"""Compiled kernels on disk: a file each, complete and as it was written, or it is made again.

Numba keeps an index of several files, which it writes first and without a lock: of two processes
that compile at once, one may leave an index that points to the code of the other.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
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

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = KernelFiles(Path(self.cache_path), self._impl.filename_base)

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
