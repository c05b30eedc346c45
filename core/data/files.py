"""Files that are documents: a reader for each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..utils.errors import InputError
from .encodings import decode
from .guesses import Guess
from .mailboxes import Mail, read_mail, read_mailbox
from .office import OLE_MARK, read_docx, read_odt
from .pdf import read_pdf
from .rich_text import read_html, read_rtf, read_subtitles


@dataclass(frozen=True)
class FileText:
    """One document of a file; "" where the file does not give a title, date or sender."""

    text: str
    title: str = ""
    date: str = ""
    sender: str = ""


_Reader = Callable[[str, bytes, str | None, list[Guess]], list[FileText]]


def _html(name: str, data: bytes, encoding: str | None, guesses: list[Guess]) -> list[FileText]:
    return [FileText(*read_html(name, data, encoding, guesses))]


def _mail(mail: Mail) -> FileText:
    return FileText(mail.text, mail.title, mail.date, mail.sender)


READERS: dict[str, _Reader] = {
    ".docx": lambda name, data, *_: [FileText(read_docx(name, data))],
    ".odt": lambda name, data, *_: [FileText(read_odt(name, data))],
    ".pdf": lambda name, data, _, guesses: [FileText(read_pdf(name, data, guesses))],
    ".rtf": lambda name, data, *_: [FileText(read_rtf(name, data))],
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
    ".srt": lambda *given: [FileText(read_subtitles(*given))],
    ".vtt": lambda *given: [FileText(read_subtitles(*given))],
    ".eml": lambda *given: [_mail(read_mail(*given))],
    ".mbox": lambda *given: [_mail(mail) for mail in read_mailbox(*given)],
}
# Formats that are not read, and the format to save them in.
OLD_FORMATS = {
    ".doc": ".docx",
    ".dot": ".docx",
    ".xls": ".xlsx",
    ".xlsb": ".xlsx",
    ".ppt": ".pdf",
    ".pptx": ".pdf",
    ".odp": ".pdf",
    ".pages": ".docx",
    ".numbers": ".xlsx",
    ".epub": ".html",
}
# Files without text, by the endings of their names.
WITHOUT_TEXT = {
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".heic"), "a picture"),
    **dict.fromkeys((".tif", ".tiff", ".ico", ".psd"), "a picture"),
    **dict.fromkeys((".mp3", ".wav", ".m4a", ".ogg", ".opus", ".flac"), "a sound recording"),
    **dict.fromkeys((".mp4", ".mov", ".avi", ".mkv", ".webm", ".3gp"), "a video"),
}
# First bytes of an archive, and of the binary formats of Office.
BINARY_MARKS = (b"PK\3\4", OLE_MARK)
RTF_MARK = rb"{\rtf"
DOCUMENT_SUFFIXES = frozenset(READERS)


def is_rtf(suffix: str, data: bytes) -> bool:
    """Whether a file with the suffix of Word is in the format of .rtf, as some programs write."""
    return suffix in (".doc", ".dot") and data.startswith(RTF_MARK)


def read_file(
    path: PurePosixPath, data: bytes, encoding: str | None, guesses: list[Guess]
) -> list[FileText]:
    """Documents of a file: one, unless it is a mailbox; a file of unknown kind is plain text.

    Raises InputError if the file is damaged, locked, of a kind without text, or empty of text.
    """
    suffix = path.suffix.lower()
    if is_rtf(suffix, data):
        suffix = ".rtf"
    if suffix in OLD_FORMATS and data.startswith(BINARY_MARKS):
        raise InputError(f"{path.name} cannot be read; save it as {OLD_FORMATS[suffix]}")
    if suffix in WITHOUT_TEXT:
        raise InputError(f"{path.name} is {WITHOUT_TEXT[suffix]}, not text")
    if suffix not in READERS:
        return [FileText(decode(data, path.name, encoding, guesses))]
    found = READERS[suffix](path.name, data, encoding, guesses)
    if not any(document.text.strip() for document in found):
        raise InputError(f"{path.name} has no text; give a file with a text")
    return found
