"""Archives of arrays (``.npz``), looked at before any array is made."""

from __future__ import annotations

import io
import math
import zipfile
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from orrery.core.text.limits import EXPANDED_LIMIT, check_memory, refuse_expansion

# An array is held once while it is read, and once where it is taken over in another type.
MEMORY_PER_BYTE = 2


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
        check_memory(name, unpacked, MEMORY_PER_BYTE)
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
