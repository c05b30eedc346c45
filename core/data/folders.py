"""Folders and archives of text files: each file is a document, its subfolder is the label."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import ProgressCallback, no_progress
from .columns import default_ids, normal_table
from .encodings import Encoding, decode, decode_with_encoding, storable_text
from .guesses import Guess
from .limits import check_expansion, check_memory, read_source, shown_name
from .raw import RawDocuments, RawTable
from .tables import TABLE_SUFFIXES, read_table

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Files that are not read as documents: tables, matrices, archives and binary formats.
NOT_TEXTS = TABLE_SUFFIXES | {".npz", ".npy", ".mat", ".mtx", ".pdf", ".zip", ".gz", ".xz"}


# Path of a file in the folder or archive, and its bytes.
_Member = tuple[PurePosixPath, bytes]


def read_folder(folder: Path, encoding: str | None = None) -> RawDocuments:
    """Read every text file of a folder and its subfolders, in sorted order.

    Links to files are followed. Links to folders are skipped because they may form a cycle. Raises
    InputError if a subfolder cannot be listed, or no file is text.
    """
    paths = sorted(_walk(folder), key=lambda path: path.relative_to(folder).parts)
    files = [path for path in paths if path.is_file()]
    name = shown_name(folder)
    check_memory(name, sum(path.stat().st_size for path in files))
    members = ((_inner_path(path, folder), read_source(path)) for path in files)
    raw = _read_members(name, members, encoding)
    not_files = [str(_inner_path(path, folder)) for path in paths if not path.is_file()]
    return replace(raw, skipped=(*raw.skipped, *not_files))


def file_fingerprint(path: Path) -> str:
    """Hash of names, times and sizes of all files that `read_folder` reads, or of a single file."""
    is_folder = path.is_dir() and not path.is_symlink()
    files = sorted(_walk(path)) if is_folder else [path]
    digest = hashlib.sha256()
    for file in files:
        with suppress(OSError):
            found = file.stat()
            digest.update(
                f"{file}\0{found.st_mtime_ns}\0{found.st_size}\n".encode(errors="replace")
            )
    return digest.hexdigest()


def read_zip(
    name: str, data: bytes, encoding: str | None = None, progress: ProgressCallback = no_progress
) -> RawTable | RawDocuments:
    """Read the text files of an archive like a folder; an archive of one table gives a table."""
    try:
        members = list(_zip_members(name, data))
    except NotImplementedError:
        raise InputError(f"{name} is compressed in an unusual way; zip it again") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} is not a zip file or is damaged; zip it again") from None
    if len(members) == 1 and members[0][0].suffix.lower() in TABLE_SUFFIXES:
        path, content = members[0]
        return read_table(path.name, content, encoding, progress)
    return _read_members(name, iter(members), encoding)


def _walk(folder: Path) -> Iterator[Path]:
    """Paths of all files in a folder and its subfolders, and of links to folders."""

    def refuse(error: OSError) -> None:
        place = storable_text(str(error.filename))
        raise InputError(
            f"the folder {place} cannot be read ({error.strerror}); give yourself permission to "
            "read it, or move it elsewhere"
        ) from None

    for place, subfolders, files in os.walk(folder, onerror=refuse):
        subfolders[:] = [name for name in subfolders if not _is_hidden(name)]
        links = [name for name in subfolders if Path(place, name).is_symlink()]
        for name in (*files, *links):
            if not _is_hidden(name):
                yield Path(place, name)


def _inner_path(path: Path, folder: Path) -> PurePosixPath:
    """Path relative to the folder; bytes of a name that are not UTF-8 become ``?``."""
    return PurePosixPath(storable_text(path.relative_to(folder).as_posix()))


def _zip_members(name: str, data: bytes) -> Iterator[_Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = [
            (PurePosixPath(entry.filename.replace("\\", "/")), entry)
            for entry in archive.infolist()
            if not entry.is_dir()
        ]
        files = [(path, entry) for path, entry in files if not any(map(_is_hidden, path.parts))]
        check_expansion(name, sum(entry.file_size for _, entry in files))
        if any(entry.flag_bits & 1 for _, entry in files):
            raise InputError(f"{name} is locked with a password; zip it again without one")
        # A zipped folder must give the same paths as the folder itself.
        roots = {path.parts[0] if len(path.parts) > 1 else None for path, _ in files}
        n_common = 1 if len(roots) == 1 and None not in roots else 0
        files = [(PurePosixPath(*path.parts[n_common:]), entry) for path, entry in files]
        for path, entry in sorted(files, key=lambda pair: pair[0].parts):
            yield path, archive.read(entry)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__MACOSX"))


def _read_members(name: str, members: Iterator[_Member], encoding: str | None) -> RawDocuments:
    # A misspelt encoding would otherwise skip all files without a message.
    decode(b"", name, encoding)
    rows: list[tuple[str, str | None, str]] = []
    skipped: list[str] = []
    found: list[Encoding] = []
    for path, data in members:
        text = None
        if path.suffix.lower() not in NOT_TEXTS:
            with suppress(InputError):
                text, read_as = decode_with_encoding(data, path.name, encoding)
                found.append(read_as)
        if text is None:
            skipped.append(str(path))
        else:
            rows.append((text, path.parent.name or None, str(path)))
    if not rows:
        hint = f" ({skipped[0]} is not; import such a file by itself)" if skipped else ""
        raise InputError(f"{name} holds no text files{hint}")
    table = pd.DataFrame(rows, columns=["text", "label", "file"])
    table["id"] = default_ids(len(table))
    guess = _encodings_of([path for _, _, path in rows], found)
    return RawDocuments(normal_table(table), tuple(skipped), guesses=(guess,))


def _encodings_of(paths: list[str], found: list[Encoding]) -> Guess:
    """Encodings of the files; if one is not certain, the reason names a file."""
    counts = Counter(encoding.name for encoding in found)
    listed = (f"{name} in {n:,} file{'s' * (n != 1)}" for name, n in counts.most_common())
    unsure = [place for place, encoding in enumerate(found) if not encoding.is_certain]
    reasons = [f"{paths[place]}: {found[place].reason}" for place in unsure[:1]]
    value = "; ".join(listed) + (f"; not certain in {len(unsure):,}" if unsure else "")
    return Guess("encoding", value, "".join(reasons), "encoding")
