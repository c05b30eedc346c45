"""Read back what was stored, or say in one sentence what is damaged; nothing is executed."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from orrery.core.errors import InputError
from orrery.core.storage.sharing import when_free


def sha256(data: bytes) -> str:
    """SHA-256 of bytes, as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def vocabulary_bytes(vocabulary: tuple[str, ...]) -> bytes:
    """Content of ``vocabulary.txt``: a word a line, in UTF-8."""
    return "".join(f"{word}\n" for word in vocabulary).encode("utf-8")


def vocabulary_hash(vocabulary: tuple[str, ...]) -> str:
    """SHA-256 of the ``vocabulary.txt`` of these words; ties a model to its corpus."""
    return sha256(vocabulary_bytes(vocabulary))


def read_stored(path: Path, expected_hash: str | None = None) -> bytes:
    """Read a file of a corpus or model folder, and check its hash where one is given."""
    try:
        # Refused on Windows for the moment in which the file is replaced.
        data = when_free(path.read_bytes)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise InputError(
            f"{path.parent} is damaged: {path.name} is missing; make the folder again"
        ) from None
    if expected_hash is not None and sha256(data) != expected_hash:
        raise InputError(
            f"{path.parent} is damaged: {path.name} is not as it was saved; make the folder again"
        )
    return data


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        value = json.loads(read_stored(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        value = None
    if not isinstance(value, dict):
        raise damaged(path)
    return value


def read_npz(path: Path, expected_hash: str | None = None) -> dict[str, npt.NDArray[Any]]:
    """Read named arrays; pickled objects are refused."""
    data = read_stored(path, expected_hash)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except MemoryError:
        raise
    # A damaged archive fails in many ways: not a zip, cut short, a wrong header, a pickle.
    except Exception:
        raise damaged(path) from None


def damaged(path: Path) -> InputError:
    """Return the error for a stored file that cannot be understood."""
    return InputError(
        f"{path.parent} is damaged: {path.name} cannot be read; make the folder again"
    )
