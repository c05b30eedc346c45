"""Uploaded files, saved in the workspace for the readers of `core.data`."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Collection, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Protocol

from ...core.data.files import DOCUMENT_SUFFIXES
from ...core.storage.atomic import write_bytes
from ...core.storage.graphs import leak_path
from ...core.storage.reading import sha256
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from ..text.strings import SAMPLE, SAMPLE_BESIDE

# Matrices, which may need other files beside them, such as a vocabulary.
MAIN_SUFFIXES = (".npz", ".mtx", ".dat", ".mat")
TEXT_SUFFIXES = (".txt", ".text", ".md", *sorted(DOCUMENT_SUFFIXES))
# Uploads that are not saved as a corpus are deleted after this time.
KEEP_SECONDS = 24 * 3600
# Longest name of a corpus.
MAX_NAME = 80
NAME_PATTERN = re.compile(r"[^\w.-]+")
FOLDER_DIGITS = 40


class Uploaded(Protocol):
    """File from the browser."""

    name: str
    file_id: str

    def getbuffer(self) -> memoryview:
        """Content of the file."""


@writer
def keep_uploads(workspace: Path, files: Sequence[Uploaded]) -> Path:
    """Write uploaded files into a new folder and return the path to read.

    The path is a single file, the matrix among several files, or the folder of several texts.

    Raises
    ------
    InputError
        If several files do not belong together.
    """
    # Each upload has an id of its own, so that an edited file, or other files, get a new folder.
    ids = "-".join(sorted(file.file_id for file in files))
    folder = workspace / "uploads" / sha256(ids.encode())[:FOLDER_DIGITS]
    discard_old(workspace / "uploads")
    names = _apart([Path(file.name).name for file in files])
    source = _source(names)
    for name, file in zip(names, files, strict=True):
        path = folder / name
        if not path.is_file() or path.stat().st_size != file.getbuffer().nbytes:
            folder.mkdir(parents=True, exist_ok=True)
            write_bytes(path, bytes(file.getbuffer()))
    return folder / source if source else folder


@writer
def discard(workspace: Path, source: Path) -> None:
    """Delete an upload after its corpus is saved; a path on the server is not deleted."""
    uploads = workspace / "uploads"
    if uploads in source.parents:
        shutil.rmtree(uploads / source.relative_to(uploads).parts[0], ignore_errors=True)


@writer
def discard_old(uploads: Path) -> None:
    """Delete uploads that were not saved as a corpus within `KEEP_SECONDS`."""
    if not uploads.is_dir():
        return
    for folder in uploads.iterdir():
        try:
            is_old = time.time() - folder.stat().st_mtime > KEEP_SECONDS
        except FileNotFoundError:
            continue
        if is_old:
            shutil.rmtree(folder, ignore_errors=True)


def corpus_name(source: Path) -> str:
    """Suggested name for a corpus from a source."""
    stem = source.name if source.is_dir() else source.stem
    return NAME_PATTERN.sub("-", stem).strip("-._")[:MAX_NAME].rstrip("-._") or "corpus"


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Unused name of a corpus: the wanted name, with a number if necessary.

    Names that differ only in case count as one, as they do on some file systems.
    """
    used = {name.casefold() for name in taken}
    endings = chain([""], (f"-{number}" for number in count(2)))
    names = (wanted[: MAX_NAME - len(ending)] + ending for ending in endings)
    return next(name for name in names if name.casefold() not in used)


def corpus_path(workspace: Path, name: str) -> Path:
    """Folder for a new corpus of this name.

    Raises
    ------
    InputError
        If the name is empty, invalid for a folder, or taken.
    """
    trimmed = name.strip()
    if not trimmed:
        raise InputError("give the corpus a name")
    sign = re.search(r'^[.]|[\\/:*?"<>|\x00-\x1f]', trimmed)
    if sign:
        raise InputError(
            f"the name has the sign {sign[0]!r}; use letters, figures, spaces and hyphens"
        )
    if len(trimmed) > MAX_NAME:
        raise InputError(f"the name has {len(trimmed)} signs; give it at most {MAX_NAME}")
    folder = workspace / "corpora" / trimmed
    if folder.exists() or trimmed in (SAMPLE, SAMPLE_BESIDE):
        raise InputError(f"there is a corpus {trimmed!r} already; choose another name")
    return folder


def typed_path(typed: str) -> Path:
    """Path on the server from typed text; ``~`` is the home folder (InputError if missing)."""
    try:
        return Path(typed.strip()).expanduser()
    except RuntimeError:
        home = typed.strip().partition("/")[0]
        raise InputError(f"there is no home folder {home!r}; write the whole path") from None


def _apart(names: Sequence[str]) -> list[str]:
    """Unique names of files: repeated names get a number; case does not count."""
    apart: dict[str, str] = {}
    for name in names:
        path = Path(name)
        numbered = (f"{path.stem}-{number}{path.suffix}" for number in count(2))
        free = next(free for free in chain([name], numbered) if free.casefold() not in apart)
        apart[free.casefold()] = free
    return list(apart.values())


def _source(names: Sequence[str]) -> str | None:
    """Name of the file to read; None for the folder of all files."""
    if len(names) == 1:
        return names[0]
    # A graph with the file of its leaks.
    graphs = [name for name in names if leak_path(name).name in names]
    if len(graphs) == 1 and len(names) == 2:
        return graphs[0]
    main = [name for name in names if name.lower().endswith(MAIN_SUFFIXES)]
    main += [name for name in names if name.startswith("docword.")]
    if len(main) == 1:
        return main[0]
    if not main and all(name.lower().endswith(TEXT_SUFFIXES) for name in names):
        return None
    raise InputError(
        "these files do not belong together; upload one file, a matrix with its vocabulary, "
        "or several texts (.txt, .docx, .pdf, …); tables are imported one at a time"
    )
