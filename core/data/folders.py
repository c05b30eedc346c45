"""Texts in files, folders and archives.

In a folder or an archive, each file is a document and its subfolder is the label.
"""

from __future__ import annotations

import hashlib
import io
import lzma
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
from .columns import as_text, default_ids, normal_table
from .delimiters import is_table_text
from .encodings import Encoding, decode, encoding_of, storable_text
from .files import FileText, read_file
from .guesses import Guess
from .limits import check_expansion, check_memory, read_source, shown_name
from .matrices import files_beside
from .office import SHEET_SUFFIXES, read_spreadsheet
from .passages import NONE, needs_whole_file
from .raw import RawDocuments, RawTable
from .table_rows import filled_lines
from .tables import TABLE_SUFFIXES, TableOptions, read_table, table_of_text

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Files that are not read as documents: tables, matrices and archives.
NOT_TEXTS = TABLE_SUFFIXES | SHEET_SUFFIXES | {".npz", ".npy", ".mat", ".mtx", ".zip", ".gz", ".xz"}
# Options of reading that have an effect, by the suffix of a file; all of them for other suffixes.
_DELIMITED, _ENCODED = ("encoding", "header", "delimiter", "missing"), ("encoding",)
USABLE_OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), _DELIMITED),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), ("encoding", "missing")),
    ".parquet": ("missing",),
    **dict.fromkeys(SHEET_SUFFIXES, ("header", "missing", "sheet")),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".srt", ".vtt", ".eml", ".mbox"), _ENCODED),
    **dict.fromkeys((".npz", ".mtx", ".dat"), _ENCODED),
    **dict.fromkeys((".docx", ".odt", ".pdf", ".rtf", ".mat"), ()),
}
# In place of a suffix: a folder of texts.
FOLDER = "/"
USABLE_OPTIONS[FOLDER] = _ENCODED
# Files that a system or an office program writes beside texts, in lower case; they are ignored. The
# name of a lock file of an office program begins with ``~$``.
SYSTEM_FILES = {"desktop.ini", "thumbs.db", "ehthumbs.db", "ehthumbs_vista.db"}
# Column with the path of the file of a document.
FILE = "file"
# Id of a document of a folder or archive, and of one of its passages.
_NUMBER = r"\d+(?:-\d+)?"
# Labels named in the report.
LABELS_LISTED = 5
# Columns that only some kinds of files fill.
FILE_COLUMNS = ("title", "date", "sender")
# Files that the report names with the reason why they were left out, and guesses of one kind.
FILES_EXPLAINED = 5

# Path of a file in the folder or archive, and its bytes.
_Member = tuple[PurePosixPath, bytes]
# Text, label, path, and `FILE_COLUMNS`.
_Row = tuple[str, str | None, str, str, str, str]


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


def refuse_options(
    name: str, suffix: str, encoding: str | None, options: TableOptions, sheet: str | None
) -> None:
    """Raise InputError for an option without an effect on a file of this suffix."""
    given = (
        options.given() + ["encoding"] * (encoding is not None) + ["sheet"] * (sheet is not None)
    )
    usable = USABLE_OPTIONS.get(suffix, given)
    for option in given:
        if option not in usable:
            what = "no sheets" if option == "sheet" else f"nothing that --{option} applies to"
            raise InputError(f"{name} has {what}; leave out --{option}")


def file_fingerprint(path: Path) -> str:
    """Hash of names, times and sizes of all files that `read_folder` reads, or of a single file.

    The words and labels beside a matrix count too.
    """
    files = sorted(_walk(path)) if path.is_dir() else [path, *files_beside(path)]
    digest = hashlib.sha256()
    for file in files:
        with suppress(OSError):
            found = file.stat()
            digest.update(
                f"{file}\0{found.st_mtime_ns}\0{found.st_size}\n".encode(errors="replace")
            )
    return digest.hexdigest()


def read_zip(
    name: str,
    data: bytes,
    encoding: str | None = None,
    progress: ProgressCallback = no_progress,
    sheet: str | None = None,
    options: TableOptions | None = None,
    passages: str = NONE,
) -> RawTable | RawDocuments:
    """Read the text files of an archive like a folder; a single table or .txt like the file."""
    try:
        members = list(_zip_members(name, data))
    except NotImplementedError:
        raise InputError(f"{name} is compressed in an unusual way; zip it again") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} is not a zip file or is damaged; zip it again") from None
    suffix = members[0][0].suffix.lower() if len(members) == 1 else ""
    options = options or TableOptions()
    is_like_file = suffix in TABLE_SUFFIXES | SHEET_SUFFIXES | {".txt"}
    refuse_options(name, suffix if is_like_file else FOLDER, encoding, options, sheet)
    if not is_like_file:
        return _read_members(name, iter(members), encoding)
    path, content = members[0]
    if suffix in TABLE_SUFFIXES:
        return read_table(path.name, content, encoding, progress, options)
    if suffix in SHEET_SUFFIXES:
        return read_spreadsheet(path.name, content, sheet, progress, options)
    return read_txt(path.name, content, encoding, options, passages, progress)


def read_txt(
    name: str,
    data: bytes,
    encoding: str | None,
    options: TableOptions,
    passages: str,
    progress: ProgressCallback,
) -> RawTable | RawDocuments:
    """Read a text file: one document for some rules of passages, a table, or a document a line."""
    guesses: list[Guess] = []
    text = decode(data, name, encoding, guesses)
    if text.strip() and needs_whole_file(passages, text):
        guesses.append(Guess("form", "one document", "it is divided into passages", "passages"))
        rows = [("0", storable_text(text), None, name)]
        table = pd.DataFrame(rows, columns=["id", "text", "label", FILE])
        return RawDocuments(normal_table(table), guesses=tuple(guesses))
    is_given = bool(options.given()) and options.delimiter != "none"
    if is_given or (options.delimiter is None and is_table_text(text)):
        reason = "" if is_given else "nearly all its rows have the same number of cells"
        guesses.append(Guess("form", "a table, not a document on each line", reason, "delimiter"))
        return table_of_text(name, text, guesses, progress, options)
    # A document for every line that is not blank; its id is the 0-based line number.
    guesses.append(Guess("form", "one document on each line", "", "delimiter"))
    lines = [(str(number), line) for number, line in filled_lines(text)]
    if not lines:
        raise InputError(f"{name} is empty; give a file with a document on each line")
    table = pd.DataFrame(lines, columns=["id", "text"])
    return RawDocuments(normal_table(table.assign(label=None)), guesses=tuple(guesses))


def read_single(name: str, data: bytes, encoding: str | None = None) -> RawDocuments:
    """Read a file that is one document, or a mailbox, by the extension of its name."""
    guesses: list[Guess] = []
    path = PurePosixPath(name)
    rows = [_row(path, document) for document in read_file(path, data, encoding, guesses)]
    return _documents(rows, (), guesses)


def files_of(documents: pd.DataFrame) -> list[str] | None:
    """Path of the file of each document, if they are of several files; otherwise None.

    The ids of such documents are numbers, which mean little to a reader. They are not the paths,
    because ids select documents by their position, as in a matrix.
    """
    if FILE not in documents or not documents["id"].astype(str).str.fullmatch(_NUMBER).all():
        return None
    files = documents[FILE].map(as_text)
    return files.tolist() if files.nunique() > 1 else None


def document_names(documents: pd.DataFrame) -> list[str]:
    """Name of each document for a reader: its path in a folder or archive, or else its id.

    If several documents have the same path, as in a mailbox, their ids are added.
    """
    ids, files = documents["id"].astype(str).tolist(), files_of(documents)
    if files is None:
        return ids
    counts = Counter(files)
    return [
        name if not path else path if counts[path] == 1 else f"{path} · {name}"
        for name, path in zip(ids, files, strict=True)
    ]


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
    return name.lower() in SYSTEM_FILES or name.startswith((".", "~$", "__MACOSX"))


def _read_members(name: str, members: Iterator[_Member], encoding: str | None) -> RawDocuments:
    # A misspelt encoding would otherwise skip all files without a message.
    decode(b"", name, encoding)
    rows: list[_Row] = []
    # Names of files that were left out, with the reason if the file was examined.
    skipped: dict[str, str] = {}
    guesses: list[Guess] = []
    encodings: list[tuple[str, Encoding]] = []
    for path, data in members:
        of_file: list[Guess] = []
        if path.suffix.lower() in NOT_TEXTS:
            skipped[str(path)] = ""
            continue
        try:
            rows += [_row(path, found) for found in read_file(path, data, encoding, of_file)]
        except InputError as error:
            skipped[str(path)] = str(error)
        else:
            for guess in of_file:
                if guess.what == "encoding":
                    encodings.append((str(path), encoding_of(guess)))
                else:
                    guesses.append(guess)
    explained = {path: reason for path, reason in skipped.items() if reason}
    if not rows:
        first = next(iter(skipped), "")
        reason = explained.get(first) or f"{first} is not; import such a file by itself"
        raise InputError(f"{name} holds no text files" + (f" ({reason})" if skipped else ""))
    guesses = joined_guesses(guesses)
    for left_out, reason in list(explained.items())[:FILES_EXPLAINED]:
        # The value names the file already.
        reason = reason.removeprefix(f"{PurePosixPath(left_out).name} ")
        guesses.append(Guess("file left out", left_out, reason))
    others = [path for path in skipped if path not in explained]
    if others:
        listed = ", ".join(others[:FILES_EXPLAINED])
        more = f" and {len(others) - FILES_EXPLAINED:,} more" * (len(others) > FILES_EXPLAINED)
        reason = "a table, a matrix or an archive is imported by itself"
        guesses.append(Guess("files left out", listed + more, reason))
    guesses = [*_encodings_of(encodings), *_names_and_labels(rows), *guesses]
    return _documents(rows, tuple(skipped), guesses)


def joined_guesses(guesses: list[Guess]) -> list[Guess]:
    """Guesses on many files: equal ones as one, and only the first of many kinds of one thing."""
    values: dict[tuple[str, str, str], list[Guess]] = {}
    for guess in guesses:
        values.setdefault((guess.what, guess.value, guess.option), []).append(guess)
    joined: dict[str, list[Guess]] = {}
    for (what, value, option), found in values.items():
        many = Guess(what, value, f"in {len(found):,} files", option)
        joined.setdefault(what, []).append(found[0] if len(found) == 1 else many)
    for what, found in joined.items():
        if len(found) > FILES_EXPLAINED:
            n_more = len(found) - FILES_EXPLAINED
            rest = Guess(what, f"and {n_more:,} more", "in other files", found[0].option)
            joined[what] = [*found[:FILES_EXPLAINED], rest]
    return [guess for found in joined.values() for guess in found]


def _names_and_labels(rows: list[_Row]) -> list[Guess]:
    """Report what the id and the label of the documents of a folder are."""
    reason = f"the column “{FILE}” has the path of each document"
    guesses = [Guess("id", "the number of the document, from 0", reason)]
    counts = Counter(label for _, label, *_ in rows if label)
    if counts:
        listed = ", ".join(name for name, _ in counts.most_common(LABELS_LISTED))
        more = f" and {len(counts) - LABELS_LISTED:,} more" * (len(counts) > LABELS_LISTED)
        guesses.append(Guess("label", "the name of the subfolder", listed + more))
    return guesses


def _row(path: PurePosixPath, found: FileText) -> _Row:
    label = path.parent.name or None
    return found.text, label, str(path), found.title, found.date, found.sender


def _documents(rows: list[_Row], skipped: tuple[str, ...], guesses: list[Guess]) -> RawDocuments:
    table = pd.DataFrame(rows, columns=["text", "label", FILE, *FILE_COLUMNS])
    for column in FILE_COLUMNS:
        if not table[column].any():
            del table[column]
        else:
            table[column] = table[column].replace("", None)
    table["id"] = default_ids(len(table))
    return RawDocuments(normal_table(table), skipped, guesses=tuple(guesses))


def _encodings_of(found: list[tuple[str, Encoding]]) -> list[Guess]:
    """One guess for the encodings of all files; if some are not certain, it names the first."""
    if not found:
        return []
    counts = Counter(encoding.name for _, encoding in found)
    listed = (f"{name} in {n:,} file{'s' * (n != 1)}" for name, n in counts.most_common())
    unsure = [(path, encoding) for path, encoding in found if not encoding.is_certain]
    value = "; ".join(listed) + (f"; not certain in {len(unsure):,}" if unsure else "")
    reason = "".join(f"{path}: {encoding.reason}" for path, encoding in unsure[:1])
    return [Guess("encoding", value, reason, "encoding")]
