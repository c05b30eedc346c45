"""Folders and archives of text files: one document a file, its subfolder the label."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import pandas as pd

from ..utils.errors import InputError
from ..utils.progress import Watch, unwatched
from .columns import default_ids, normal_table
from .encodings import decode, storable_text
from .limits import check_expansion, check_memory, name_of, read_source
from .raw import RawDocuments, RawTable
from .tables import TABLE_SUFFIXES, read_table

# Files of many documents, or of none, that stand in a folder of texts are not documents.
NOT_TEXTS = TABLE_SUFFIXES | {".npz", ".npy", ".mat", ".mtx", ".pdf", ".zip", ".gz", ".xz"}


@dataclass(frozen=True)
class _Member:
    """A file by its place in the folder or archive, not yet decoded."""

    path: PurePosixPath
    data: bytes


def read_folder(folder: Path, encoding: str | None = None) -> RawDocuments:
    """Read every text file of a folder and its subfolders, in sorted order.

    Links to files are followed; links to folders, which may lead in a circle, are skipped.

    Raises
    ------
    InputError
        If a subfolder cannot be listed, or no file is text.
    """
    paths = sorted(_walk(folder), key=lambda path: path.relative_to(folder).parts)
    files = [path for path in paths if path.is_file()]
    name = name_of(folder)
    check_memory(name, sum(path.stat().st_size for path in files))
    members = (_Member(_place_of(path, folder), read_source(path)) for path in files)
    raw = _read_members(name, members, encoding)
    no_files = [str(_place_of(path, folder)) for path in paths if not path.is_file()]
    return replace(raw, skipped=(*raw.skipped, *no_files))


def file_fingerprint(path: Path) -> str:
    """A text that changes with any file that `read_folder` would read, or with the file itself."""
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
    name: str, data: bytes, encoding: str | None = None, watch: Watch = unwatched
) -> RawTable | RawDocuments:
    """Read the text files of an archive like those of a folder; a lone table is read as one."""
    try:
        members = list(_zip_members(name, data))
    except NotImplementedError:
        raise InputError(f"{name} is compressed in an unusual way; zip it again") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} is not a zip file or is damaged; zip it again") from None
    if len(members) == 1 and members[0].path.suffix.lower() in TABLE_SUFFIXES:
        lone = members[0].path.name
        return read_table(lone, members[0].data, encoding, watch)
    return _read_members(name, iter(members), encoding)


def _walk(folder: Path) -> Iterator[Path]:
    """Everything in a folder and its subfolders that is no folder; linked folders count as such."""
    for place, subfolders, files in os.walk(folder, onerror=_refuse_folder):
        subfolders[:] = [name for name in subfolders if not _is_hidden(name)]
        links = [name for name in subfolders if Path(place, name).is_symlink()]
        for name in (*files, *links):
            if not _is_hidden(name):
                yield Path(place, name)


def _refuse_folder(error: OSError) -> None:
    place = storable_text(str(error.filename))
    raise InputError(
        f"the folder {place} cannot be read ({error.strerror}); give yourself permission to read "
        "it, or move it elsewhere"
    ) from None


def _place_of(path: Path, folder: Path) -> PurePosixPath:
    """Path in the folder; a name that is not UTF-8 has ``?`` where it is not."""
    return PurePosixPath(storable_text(path.relative_to(folder).as_posix()))


def _zip_members(name: str, data: bytes) -> Iterator[_Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [
            entry
            for entry in archive.infolist()
            if not entry.is_dir() and not any(_is_hidden(part) for part in _path_of(entry).parts)
        ]
        check_expansion(name, sum(entry.file_size for entry in entries))
        if any(entry.flag_bits & 1 for entry in entries):
            raise InputError(f"{name} is locked with a password; zip it again without one")
        paths = _without_common_root([_path_of(entry) for entry in entries])
        for path, entry in sorted(zip(paths, entries, strict=True), key=lambda pair: pair[0].parts):
            yield _Member(path, archive.read(entry))


def _path_of(entry: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(entry.filename.replace("\\", "/"))


def _without_common_root(paths: list[PurePosixPath]) -> list[PurePosixPath]:
    """Cut off the one folder that was zipped, so that it reads as that folder itself does."""
    roots = {path.parts[0] if len(path.parts) > 1 else None for path in paths}
    if len(roots) != 1 or None in roots:
        return paths
    return [PurePosixPath(*path.parts[1:]) for path in paths]


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__MACOSX"))


def _read_members(name: str, members: Iterator[_Member], encoding: str | None) -> RawDocuments:
    # A misspelt encoding would otherwise skip every file in silence.
    decode(b"", name, encoding)
    rows: list[tuple[str, str | None, str]] = []
    skipped: list[str] = []
    for member in members:
        text = _text_of(member, encoding)
        if text is None:
            skipped.append(str(member.path))
        else:
            rows.append((text, member.path.parent.name or None, str(member.path)))
    if not rows:
        hint = f" ({skipped[0]} is not; import such a file by itself)" if skipped else ""
        raise InputError(f"{name} holds no text files{hint}")
    table = pd.DataFrame(rows, columns=["text", "label", "file"])
    table["id"] = default_ids(len(table))
    return RawDocuments(normal_table(table), tuple(skipped))


def _text_of(member: _Member, encoding: str | None) -> str | None:
    if member.path.suffix.lower() in NOT_TEXTS:
        return None
    try:
        return decode(member.data, member.path.name, encoding)
    except InputError:
        return None
