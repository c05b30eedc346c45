"""Files that are documents: a reader for each kind."""

from __future__ import annotations

import re
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


def _markdown(text: str, guesses: list[Guess]) -> FileText:
    """Text of a Markdown file without its front matter, which may have its title and date."""
    fields, begin = _front_matter(text)
    if not begin:
        return FileText(text)
    reason = "the lines between “---” at the beginning; a title and a date in them are kept"
    guesses.append(Guess("front matter", "left out of the text", reason))
    return FileText(text[begin:], fields.get("title", ""), fields.get("date", ""))


def _front_matter(text: str) -> tuple[dict[str, str], int]:
    """Fields of the front matter in YAML, and its end in the text; 0 if the text has no such part.

    It consists of fields, their indented values and lists, and comments, between two lines of
    hyphens.
    """
    fields: dict[str, str] = {}
    line = _LINE.match(text)
    while line and line[0]:
        bare = line[0].rstrip()
        if not line.start():
            if bare.lstrip("\ufeff") != "---":
                break
        elif fields and bare in ("---", "..."):
            return fields, line.end()
        elif found := _FIELD.fullmatch(bare):
            fields[found["name"].strip().lower()] = _plain_value(found["value"])
        elif not fields or bare[:1] not in ("", " ", "\t", "#", "-"):
            break
        line = _LINE.match(text, line.end())
    return {}, 0


def _plain_value(value: str) -> str:
    """Value on one line of YAML without quotation marks; "" for a list or a longer value."""
    value = value.strip()
    for mark in ("'", '"'):
        if len(value) > 1 and value.startswith(mark) and value.endswith(mark):
            return value[1:-1]
    return "" if value.startswith(tuple("[{|>&*!'\"")) else value.partition(" #")[0].rstrip()


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
MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".qmd", ".rmd"})
# Field and line of the front matter of such a file.
_FIELD = re.compile(r"(?P<name>[^\W\d_][\w -]{0,40}):(?P<value>$|[ \t].*)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
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
        text = decode(data, path.name, encoding, guesses)
        return [_markdown(text, guesses) if suffix in MARKDOWN else FileText(text)]
    found = READERS[suffix](path.name, data, encoding, guesses)
    if not any(document.text.strip() for document in found):
        raise InputError(f"{path.name} has no text; give a file with a text")
    return found
