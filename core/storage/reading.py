"""Reading and validation of stored files; nothing in a file is executed."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.limits import check_arrays, refusing_damage
from ..utils.errors import InputError
from .atomic import when_free

# Key of the hash of all other values.
SEAL = "seal"


def sha256(data: bytes) -> str:
    """SHA-256 of bytes, as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def vocabulary_bytes(vocabulary: tuple[str, ...]) -> bytes:
    """Content of ``vocabulary.txt``: one word per line, in UTF-8."""
    return "".join(f"{word}\n" for word in vocabulary).encode("utf-8")


def vocabulary_hash(vocabulary: tuple[str, ...]) -> str:
    """SHA-256 of ``vocabulary.txt``, which connects a model with its corpus."""
    return sha256(vocabulary_bytes(vocabulary))


def seal_of(values: Mapping[str, Any]) -> str:
    """Hash of JSON values, independent of their order and layout and of an existing seal."""
    others = {name: value for name, value in values.items() if name != SEAL}
    text = json.dumps(others, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass"))


def sealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with their hash, which `check_seal` verifies."""
    return {**values, SEAL: seal_of(values)}


def check_seal(path: Path, values: Mapping[str, Any], *, is_needed: bool = True) -> None:
    """Refuse values that were changed after `sealed` (InputError); earlier formats have no seal."""
    if (is_needed or SEAL in values) and values.get(SEAL) != seal_of(values):
        raise damaged(path)


def read_stored(path: Path, expected_hash: str | None = None) -> bytes:
    """Read a file of a corpus or model folder, and verify its hash if one is given."""
    try:
        # Reading a pipe or a device would never end.
        if not path.is_dir() and path.exists() and not path.is_file():
            raise damaged(path)
        # On Windows, reading fails while the file is being replaced.
        data = when_free(path.read_bytes)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise InputError(
            f"{path.parent} is damaged: {path.name} is missing; make the folder again"
        ) from None
    # A cycle of links, missing permission, or a defective disk.
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}); check the file, or make the folder again"
        ) from None
    if expected_hash is not None and sha256(data) != expected_hash:
        raise InputError(
            f"{path.parent} is damaged: {path.name} is not as it was saved; make the folder again"
        )
    return data


def json_value(text: str | bytes) -> Any:
    """Value of a JSON text; None if it is not JSON or too deeply nested."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    value = json_value(read_stored(path))
    if not isinstance(value, dict):
        raise damaged(path)
    return value


def read_npz(path: Path, expected_hash: str | None = None) -> dict[str, npt.NDArray[Any]]:
    """Read named arrays; pickled objects and archives with wrong sizes are refused."""
    data = read_stored(path, expected_hash)
    with refusing_damage(str(damaged(path))):
        check_arrays(path.name, data, sys.maxsize)
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    return arrays


def stored_version(values: Mapping[str, Any], kind: str) -> int | None:
    """Version of a file of the format ``kind``; None for a file of another format."""
    version = values.get("version")
    return version if values.get("format") == kind and type(version) is int else None


def damaged(path: Path) -> InputError:
    """Return the error for a stored file that cannot be read."""
    return InputError(
        f"{path.parent} is damaged: {path.name} cannot be read; make the folder again"
    )
