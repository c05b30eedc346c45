"""Damage to stored files: at random, as disks and hands do it, and crafted to look whole."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from orrery.core.storage.overlay import OVERLAY_FILE
from orrery.core.storage.reading import SEAL, sealed, sha256

# Files whose hash is in a description beside them, by their name there.
HASHES = {
    "model.npz": ("model.json", "model_hash"),
    "vocabulary.txt": ("model.json", "vocabulary_hash"),
    "activations.npz": ("model.json", "activations_hash"),
}
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**31, 10**400, 0.5, float("nan"), float("inf"), "", "x", "\ud800"),
    *("\u202e", [], {}, [[]], {"a": {}}, "a" * 10_000),
)


@dataclass(frozen=True)
class Damage:
    """One changed file, and the kind of its change.

    Attributes
    ----------
    file : str
        Path within the workspace.
    kind : str
        Kind of the change.
    is_crafted : bool
        Whether checksums fit, so that the file is indistinguishable from an intact one.
    """

    file: str
    kind: str
    is_crafted: bool


Change = Callable[[random.Random, bytes, bytes], bytes]


def flip(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Turn a few bits over."""
    changed = bytearray(data or b"\0")
    for _ in range(leak.choice([1, 1, 1, 3, 20])):
        changed[leak.randrange(len(changed))] ^= 1 << leak.randrange(8)
    return bytes(changed)


def cut(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Keep a beginning, or leave a piece out."""
    begin, end = sorted(leak.randrange(len(data) + 1) for _ in range(2))
    return data[:begin] if leak.random() < 0.5 else data[:begin] + data[end:]


def pad(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Put bytes at the end, or anywhere."""
    more = leak.choice([b"\0", b"\n", leak.randbytes(9), b"\0" * 4096, data])
    place = len(data) if leak.random() < 0.5 else leak.randrange(len(data) + 1)
    return data[:place] + more + data[place:]


def blank(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Put zeros in the place of a piece, as a torn write does."""
    begin, end = sorted(leak.randrange(len(data) + 1) for _ in range(2))
    return data[:begin] + bytes(end - begin) + data[end:]


def swap(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Take the file of the same name of another corpus or run."""
    return other


def splice(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Go on as the file of another run does."""
    place = leak.randrange(min(len(data), len(other)) + 1)
    return data[:place] + other[place:]


def odd_value(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Put an odd value somewhere into JSON, a line of it where there are several."""
    lines = data.decode("utf-8").split("\n") if b"}\n{" in data else [data.decode("utf-8")]
    number = leak.randrange(len(lines))
    if not lines[number].strip():
        return b"[" * 100_000
    value = json.loads(lines[number])
    _change_within(leak, value)
    lines[number] = json.dumps(value)
    return "\n".join(lines).encode("utf-8")


def _change_within(leak: random.Random, value: Any) -> None:
    """Change, remove or add something at a random depth of lists and objects."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = leak.choice(keys)
    inner = value[key]
    if isinstance(inner, dict | list) and inner and leak.random() < 0.7:
        _change_within(leak, inner)
    elif leak.random() < 0.2:
        del value[key]
    else:
        value[key] = leak.choice(ODD_VALUES)


def odd_array(leak: random.Random, data: bytes, other: bytes) -> bytes:
    """Put odd numbers, types or shapes into one of the arrays of an archive."""
    with np.load(io.BytesIO(data)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    name = leak.choice(list(arrays))
    array = arrays[name].copy()
    match leak.choice(["value", "value", "value", "type", "shape", "gone", "shorter", "order"]):
        case "value" if array.size and array.dtype.kind in "iuf":
            odd = [-1, 2**31 - 1, -(2**31), 10**6]
            if array.dtype.kind == "f":
                odd = [np.nan, np.inf, -1.0, 1e300, 1e-320]
            value = np.array(leak.choice(odd)).astype(array.dtype)
            array.reshape(-1)[leak.randrange(array.size)] = value
        case "type":
            # Words are no numbers in any type.
            kinds = (
                ["U3", "S2"] if array.dtype.kind in "US" else ["U3", "f4", "c16", "i8", "S2", "?"]
            )
            array = array.astype(leak.choice(kinds))
        case "shape":
            array = np.expand_dims(array, 0)
        case "shorter" if array.ndim:
            array = array[: array.shape[0] // 2]
        case "order" if array.ndim:
            array = array[::-1]
        case _:
            del arrays[name]
            array = np.empty(0)
    if name in arrays:
        arrays[name] = array
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


RANDOM: dict[str, Change] = {
    change.__name__: change for change in (flip, cut, pad, blank, swap, splice)
}


def crafted_change(path: Path) -> Change | None:
    """How a hand that knows the format would change a file."""
    if path.suffix in (".json", ".jsonl"):
        return odd_value
    return odd_array if path.suffix == ".npz" else None


def make_fit(path: Path) -> None:
    """Give a changed file, and the description that names its hash, checksums that fit."""
    if path.suffix == ".json":
        _reseal(path)
        return
    name, key = HASHES.get(path.name, ("", ""))
    corpus, beside = path.with_name("corpus.json"), path.with_name(name or "model.json")
    if corpus.is_file():
        description = json.loads(corpus.read_bytes())
        description["hashes"][path.name] = sha256(path.read_bytes())
        corpus.write_text(json.dumps(sealed(description)), encoding="utf-8")
    elif key and beside.is_file():
        description = json.loads(beside.read_bytes()) | {key: sha256(path.read_bytes())}
        beside.write_text(json.dumps(sealed(description)), encoding="utf-8")


def _reseal(path: Path) -> None:
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        return
    if path.name == "config.json" and isinstance(value.get("settings"), dict):
        value[SEAL] = sealed(value["settings"])[SEAL]
    elif path.name != "config.json":
        try:
            value = sealed(value)
        except UnicodeError:
            return
    path.write_text(json.dumps(value), encoding="utf-8")


def damages(home: Path, other: Path, seed: int, files: list[str]) -> Generator[Damage, None, None]:
    """Damage one file of a workspace after the other, without end; each is whole again after.

    Parameters
    ----------
    home : Path
        The workspace.
    other : Path
        One with the same files, of another corpus and another run.
    seed : int
    files : list of str
        Within the workspace; taken in turn.
    """
    leak, turn = random.Random(seed), 0
    while True:
        path = home / files[turn % len(files)]
        turn += 1
        whole = {place: place.read_bytes() for place in path.parent.iterdir() if place.is_file()}
        try:
            yield _damaged(leak, path, other / path.relative_to(home), home)
        finally:
            _remove(path)
            for place, data in whole.items():
                place.write_bytes(data)


def _damaged(leak: random.Random, path: Path, other: Path, home: Path) -> Damage:
    file, data = str(path.relative_to(home)), path.read_bytes()
    crafted = crafted_change(path)
    if leak.random() < 0.05:
        kind = _no_file(leak, path)
        # Most models have no edits.
        return Damage(file, kind, kind == "missing" and path.name == OVERLAY_FILE)
    if crafted is not None and leak.random() < 0.5:
        path.write_bytes(crafted(leak, data, other.read_bytes()))
        make_fit(path)
        return Damage(file, crafted.__name__, True)
    kind = leak.choice(list(RANDOM))
    path.write_bytes(RANDOM[kind](leak, data, other.read_bytes()))
    is_crafted = leak.random() < 0.25
    if is_crafted:
        make_fit(path)
    # The overlay belongs to no single model: it stays when a model is trained again.
    is_crafted |= path.name == OVERLAY_FILE and path.read_bytes() == other.read_bytes()
    return Damage(file, kind, is_crafted)


def _no_file(leak: random.Random, path: Path) -> str:
    """Put something that is no file in the place of a file."""
    path.unlink()
    kind = leak.choice(["missing", "folder", "loop", "pipe"])
    if kind == "folder":
        path.mkdir()
    elif kind == "loop" and os.name != "nt":
        path.symlink_to(path)
    elif kind == "pipe" and os.name != "nt":
        os.mkfifo(path)
    return kind


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
