"""Limits on the size of input: files that do not fit in memory are refused before they are read.

Archives of arrays (``.npz``) are checked before any array is created.
"""

from __future__ import annotations

import io
import math
import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import psutil

from ..utils.errors import InputError
from .encodings import storable_text

# A source is held in memory as bytes, text, table and token indices at about the same time.
MEMORY_PER_BYTE = 6
# Bytes that an archive or compressed array may unpack to on any machine: much more than any corpus
# of texts, and much less than a small malicious file can claim.
EXPANDED_LIMIT = 8 * 2**30
# An array is in memory once while it is read, and once more if it is converted to another type.
ARCHIVE_MEMORY_PER_BYTE = 2


def memory_available() -> int:
    """Available memory in bytes; memory that only caches files counts as free."""
    return psutil.virtual_memory().available


def check_memory(name: str, n_bytes: int, per_byte: int = MEMORY_PER_BYTE) -> None:
    """Refuse a source of ``n_bytes`` bytes if its contents do not fit in memory."""
    available = memory_available()
    if n_bytes * per_byte > available:
        raise InputError(
            f"{name} holds {_size(n_bytes)} and needs about {_size(n_bytes * per_byte)} of "
            f"memory where {_size(available)} are free; split it or use a machine with more memory"
        )


def check_expansion(name: str, n_bytes: int) -> None:
    """Refuse a compressed source that unpacks to more than the limit or than the free memory."""
    refuse_expansion(name, n_bytes, EXPANDED_LIMIT)
    check_memory(name, n_bytes)


def refuse_expansion(name: str, n_bytes: int, limit: int) -> None:
    """Refuse a compressed source that unpacks to more than the limit."""
    if n_bytes > limit:
        raise InputError(
            f"{name} unpacks to {_size(n_bytes)}, over the limit of {_size(limit)}; "
            "split it into smaller files"
        )


def read_source(path: Path) -> bytes:
    """Read a file that a user named; `InputError` if it cannot be read."""
    shown = storable_text(str(path))
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise InputError(f"{shown} is a folder; name the file in it")
        # Reading anything else could block or never end.
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{shown} is a pipe, a socket or a device; copy it to a file first")
        check_memory(storable_text(path.name), found.st_size)
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {shown}; check the name") from None
    except PermissionError:
        raise InputError(f"{shown} cannot be read; give yourself permission to read it") from None
    # A cycle of links, a name that is too long, a file in place of a folder, or a null byte.
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{shown} cannot be read ({reason}); check the name") from None


def shown_name(path: Path) -> str:
    """Name of a file or folder for messages; for "." the name of that folder."""
    return storable_text(os.path.basename(os.path.abspath(path)) or str(path))


def check_name(path: Path) -> None:
    """Refuse a path that is not UTF-8, because it can be neither displayed nor stored."""
    shown = storable_text(str(path))
    if shown != str(path):
        raise InputError(f"the name {shown!r} is not UTF-8; rename it and try again")


def _size(n_bytes: int) -> str:
    if n_bytes < 2**30:
        return f"{n_bytes / 2**20:,.1f} MB"
    return f"{n_bytes / 2**30:,.1f} GB"


@contextmanager
def refusing_damage(message: str) -> Iterator[None]:
    """Raise InputError with this message in place of any error of a reader but lack of memory.

    A damaged file fails in many ways, from zlib's errors to a missing array or a wrong type.
    """
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception:
        raise InputError(message) from None


def check_arrays(name: str, data: bytes, limit: int = EXPANDED_LIMIT) -> None:
    """Check the sizes that the arrays of an archive declare.

    Raises
    ------
    InputError
        If the arrays do not fit in memory, or unpack to more than ``limit`` bytes in total.
    ValueError
        If an array has another size than its header declares, or contains Python objects.
    zipfile.BadZipFile
        If the data is not an archive.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        refuse_expansion(name, unpacked, limit)
        check_memory(name, unpacked, ARCHIVE_MEMORY_PER_BYTE)
        for entry in entries:
            with archive.open(entry) as member:
                _check_size(member, entry.file_size)


def check_pointer(pointer: npt.NDArray[Any], n_entries: int) -> None:
    """Refuse an index pointer that leads outside its entries (ValueError).

    Scipy checks nothing if the last pointer is 0 or less, and its compiled code follows the others.
    """
    if pointer.ndim != 1 or not len(pointer) or pointer[0] != 0 or pointer[-1] > n_entries:
        raise ValueError("the pointer does not lead from the first entry to the last")
    if (pointer[1:] < pointer[:-1]).any():
        raise ValueError("the pointer goes back")


def _check_size(member: IO[bytes], size: int) -> None:
    form = np.lib.format
    major, _ = form.read_magic(member)
    read_header = form.read_array_header_1_0 if major == 1 else form.read_array_header_2_0
    shape, _, dtype = read_header(member)
    if dtype.hasobject or member.tell() + math.prod(shape) * dtype.itemsize != size:
        raise ValueError("an array is of another size than its header says")
