"""Cache of compiled kernels on disk.

Every compiled kernel is one file, which is written atomically and verified by a hash; a damaged
file is compiled again. Numba's own cache keeps an index that spans several files and is written
first and without a lock: if two processes compile at the same time, the index of one may point to
code of the other.

`orrery.core.kernels.compiling` imports this module when the first kernel is compiled, because this
module imports numba.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

# Hexadecimal digits of the SHA-256 hash that precedes the compiled code in a file.
DIGEST_LETTERS = 64

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
