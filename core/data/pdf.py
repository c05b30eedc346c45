"""PDF files with a text layer: lines are joined to paragraphs, running heads are left out."""

from __future__ import annotations

import re
import threading
import time
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from .encodings import storable_text
from .guesses import Guess
from .limits import check_memory, refusing_damage

if TYPE_CHECKING:
    import pypdfium2
else:
    pypdfium2 = LazyModule("pypdfium2")

# Pages on which a line must repeat at the top or bottom to be a running head or foot, with any
# number in it; and lines at each end that are examined.
MIN_PAGES, MAX_HEAD_LINES = 3, 4
# A line that is shorter than this share of a full line ends a paragraph, and the second share holds
# for a line that ends a sentence. A full line is longer than the third share of its page's lines.
SHORT_LINE, SHORT_END, FULL_LINE = 0.75, 0.88, 0.9
# Seconds after which reading stops; ten times the time of 10,000 pages of text.
MAX_SECONDS = 300
# Mark of PDFium for a hyphen at the end of a line; the line break after it is left out.
HYPHEN = "\ufffe"
_ROMAN = re.compile(r"[ivxlcdm]+", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_BROKEN_WORD = re.compile(rf"(?<!\w)(\w++)(?:{HYPHEN}|[-\u2010]\n)(\w++)")
_SENTENCE_END = re.compile(r"[.!?:…][\"'”»’)\]]*$")
_COMPOUND = re.compile(r"(?<!\w)\w++-\w++")
# PDFium allows one thread at a time.
_ONE_AT_A_TIME = threading.Lock()


def read_pdf(name: str, data: bytes, guesses: list[Guess]) -> str:
    """Text of a PDF: paragraphs with blank lines between them.

    A word that is divided at the end of a line is joined, without its hyphen unless the same
    compound is written with a hyphen elsewhere. Lines that repeat at the top or bottom of pages are
    left out and reported in ``guesses``.

    Raises InputError if the file is damaged, locked with a password, or has no text.
    """
    pages = _pages(name, data)
    n_empty = sum(not page.strip() for page in pages)
    if n_empty == len(pages):
        raise InputError(
            f"{name} has no text, only pictures of pages; recognise its text (OCR) and save it "
            "again"
        )
    if n_empty:
        value = f"{n_empty:,} of {len(pages):,}"
        guesses.append(Guess("pages without text", value, f"{name} has only pictures there"))
    joined = _join_words("\f".join(pages))
    lines = [
        [line for line in map(str.strip, page.split("\n")) if line] for page in joined.split("\f")
    ]
    lines, heads = without_running_heads(lines)
    if heads:
        value = f"{heads.total():,} lines left out, such as “{heads.most_common(1)[0][0]}”"
        guesses.append(
            Guess("running heads", value, f"they repeat at the top or bottom of pages of {name}")
        )
    return storable_text("\n\n".join(paragraphs(lines)))


def without_running_heads(pages: list[list[str]]) -> tuple[list[list[str]], Counter[str]]:
    """Pages without the lines that repeat at their top or bottom, and these lines.

    Two lines are the same if they differ only in their numbers. Page numbers may be Roman.

    Parameters
    ----------
    pages : list of list of str
        Non-blank lines of each page.
    """
    heads: Counter[str] = Counter()
    pages = [list(page) for page in pages]
    for end in (0, -1):
        for _ in range(MAX_HEAD_LINES):
            counts = Counter(_head(page[end]) for page in pages if page)
            repeated = {form for form, count in counts.items() if count >= MIN_PAGES}
            if not repeated:
                break
            for page in pages:
                if page and _head(page[end]) in repeated:
                    heads[page.pop(end)] += 1
    return pages, heads


def paragraphs(pages: list[list[str]]) -> list[str]:
    """Join lines to paragraphs; a paragraph ends with a line that is clearly not full."""
    done: list[str] = []
    text = ""
    for page in pages:
        lengths = sorted(map(len, page))
        full = lengths[int(FULL_LINE * len(lengths))] if lengths else 0
        for line in page:
            # Chinese and Japanese have no spaces between words.
            is_wide = text and all(
                unicodedata.east_asian_width(letter) in "WF" for letter in (text[-1], line[0])
            )
            text += line if is_wide or not text else f" {line}"
            if len(line) < (SHORT_END if _SENTENCE_END.search(line) else SHORT_LINE) * full:
                done.append(text)
                text = ""
    return [*done, text] if text else done


def _head(line: str) -> str:
    """Form of a line in which a running head is the same on all pages."""
    return "#" if _ROMAN.fullmatch(line) else _DIGITS.sub("#", line).casefold()


def _join_words(text: str) -> str:
    """Join words that are divided at the ends of lines."""
    compounds = {word.casefold() for word in _COMPOUND.findall(text)}

    def joined(found: re.Match[str]) -> str:
        compound = f"{found[1]}-{found[2]}"
        return compound if compound.casefold() in compounds else found[1] + found[2]

    return _BROKEN_WORD.sub(joined, text).replace(HYPHEN, "-")


def _pages(name: str, data: bytes) -> list[str]:
    """Text of each page, with plain line ends."""
    until = time.monotonic() + MAX_SECONDS
    pages: list[str] = []
    n_letters = 0
    with _ONE_AT_A_TIME, refusing_damage(f"{name} is not a PDF or is damaged; save it again"):
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower():
                raise InputError(f"{name} is locked with a password; save it without one") from None
            raise
        try:
            for number in range(len(document)):
                page = document[number]
                text_page = page.get_textpage()
                text = text_page.get_text_range().replace("\r\n", "\n").replace("\f", "\n")
                text_page.close()
                page.close()
                pages.append(text.replace("\r", "\n").replace("\0", ""))
                n_letters += len(text)
                check_memory(name, n_letters)
                if time.monotonic() > until:
                    raise InputError(
                        f"{name} takes more than {MAX_SECONDS} seconds to read; split it"
                    )
        finally:
            document.close()
    return pages
