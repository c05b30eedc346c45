"""How much may be read: files that would not fit in memory are refused before they are opened.

Archives of arrays (``.npz``), looked at before any array is made.
"""

from __future__ import annotations

import io
import math
import os
import stat
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import psutil

from ..utils.errors import InputError
from .encodings import storable_text

# A source is held as bytes, as text, as a table and as token numbers for a moment each.
MEMORY_PER_BYTE = 6
# What archives and compressed arrays may unpack to, whatever the machine: far above any corpus
# of texts, far below what a small malicious file can claim.
EXPANDED_LIMIT = 8 * 2**30


def memory_available() -> int:
    """Bytes of memory that a program can have now; what only caches files counts as free."""
    return psutil.virtual_memory().available


def check_memory(name: str, n_bytes: int, per_byte: int = MEMORY_PER_BYTE) -> None:
    """Refuse a source whose contents, this many bytes, do not fit in memory."""
    available = memory_available()
    if n_bytes * per_byte > available:
        raise InputError(
            f"{name} holds {_size(n_bytes)} and needs about {_size(n_bytes * per_byte)} of "
            f"memory where {_size(available)} are free; split it or use a machine with more memory"
        )


def check_expansion(name: str, n_bytes: int) -> None:
    """Refuse a compressed source that unpacks to more than the limit or than memory holds."""
    refuse_expansion(name, n_bytes, EXPANDED_LIMIT)
    check_memory(name, n_bytes)


def refuse_expansion(name: str, n_bytes: int, limit: int) -> None:
    """Refuse a compressed source that unpacks to more than the limit, whatever memory holds."""
    if n_bytes > limit:
        raise InputError(
            f"{name} unpacks to {_size(n_bytes)}, over the limit of {_size(limit)}; "
            "split it into smaller files"
        )


def read_source(path: Path) -> bytes:
    """Read a file that a person named, or say why not in one sentence."""
    shown = storable_text(str(path))
    try:
        found = path.stat()
        _check_regular(shown, found.st_mode)
        check_memory(storable_text(path.name), found.st_size)
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {shown}; check the name") from None
    except PermissionError:
        raise InputError(f"{shown} cannot be read; give yourself permission to read it") from None
    # A loop of links, a name that is too long, a file where a folder should be, a null byte.
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{shown} cannot be read ({reason}); check the name") from None


def name_of(path: Path) -> str:
    """Name to call a file or folder by; that of "." is the folder's, not a point."""
    return storable_text(os.path.basename(os.path.abspath(path)) or str(path))


def check_name(path: Path) -> None:
    """Refuse a path that is not UTF-8: it could be neither shown nor stored.

    Raises
    ------
    InputError
        The bytes that are not UTF-8 are shown as ``?``.
    """
    shown = storable_text(str(path))
    if shown != str(path):
        raise InputError(f"the name {shown!r} is not UTF-8; rename it and try again")


def _check_regular(shown: str, mode: int) -> None:
    """Refuse what would block or never end when it is read."""
    if stat.S_ISDIR(mode):
        raise InputError(f"{shown} is a folder; name the file in it")
    if not stat.S_ISREG(mode):
        raise InputError(f"{shown} is a pipe, a socket or a device; copy it to a file first")


def _size(n_bytes: int) -> str:
    if n_bytes < 2**30:
        return f"{n_bytes / 2**20:,.1f} MB"
    return f"{n_bytes / 2**30:,.1f} GB"


# An array is held once while it is read, and once where it is taken over in another type.
ARCHIVE_MEMORY_PER_BYTE = 2


def check_arrays(name: str, data: bytes, limit: int = EXPANDED_LIMIT) -> None:
    """Check what an archive says of the sizes of its arrays.

    Parameters
    ----------
    name : str
        Of the file.
    data : bytes
    limit : int
        Bytes that all may unpack to.

    Raises
    ------
    InputError
        If the arrays do not fit in memory, or unpack to more than the limit.
    ValueError
        If an array is of another size than its header says, or holds Python objects.
    zipfile.BadZipFile
        If this is no archive.
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
    """Refuse a pointer that leads out of the entries that it is of (ValueError).

    Scipy looks at nothing where the last is 0 or below, and its compiled code follows the others.
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
