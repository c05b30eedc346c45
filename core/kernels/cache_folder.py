"""Folder of compiled kernels, which is named after the sources of the kernels; without numba."""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import platformdirs

from .compiling import Kernel

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
