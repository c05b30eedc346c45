"""Texts of web pages, rich text files, and subtitles."""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from ..utils.lazy import LazyModule
from .encodings import decode, storable_text
from .guesses import Guess
from .limits import refusing_damage

if TYPE_CHECKING:
    from striprtf import striprtf
else:
    striprtf = LazyModule("striprtf.striprtf")

# A comment, a declaration or a tag. Each ends at the end of the file if it is not closed, and so
# the time is linear; it is quadratic in the standard library's parser before Python 3.14.
_MARKUP = re.compile(
    r"""<!--.*?(?:--!?>|\Z)|<[!?/][^a-zA-Z>][^>]*(?:>|\Z)|<!(?=[a-zA-Z])[^>]*(?:>|\Z)"""
    r"""|<(/?[a-zA-Z][^\s/>]*+)(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^>"'])*+(?:>|\Z)""",
    re.DOTALL,
)
# Elements whose content is no text of the page.
_SKIPPED = frozenset({"script", "style", "template", "noscript", "iframe", "svg", "title"})
# Elements inside a line of text; all others begin a paragraph.
_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr "
        "q s samp small span strike strong sub sup time tt u var wbr",
    )
)
_SPACES = re.compile(r"\s+")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
# Bytes of a web page in which its encoding is declared.
DECLARATION_BYTES = 4_096
_TITLE = re.compile(r"<title[^>]*>([^<]*)", re.IGNORECASE)
TITLE_LETTERS = 20_000

# Times of a subtitle: hours are left out if they are zero.
_TIMES = re.compile(
    r"\s*((?:\d+:)?\d+:\d+[.,]\d+)[ \t]+-->[ \t]+((?:\d+:)?\d+:\d+[.,]\d+)(?:[ \t].*)?"
)
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]{1,100})>")
_NAMED = re.compile(r"[^\W\d_](?:[\w.'’-]| (?=[^\W_a-z])){0,39}: ")
_CUE_TAG = re.compile(r"</?[a-zA-Z\d][^<>]*>|\{\\[^{}]*\}")
# Seconds of silence between two subtitles after which a new paragraph begins.
PAUSE = 2.0


def read_html(
    name: str, data: bytes, encoding: str | None, guesses: list[Guess]
) -> tuple[str, str]:
    """Text of a web page and its title; scripts, styles and comments are left out.

    The encoding is UTF-8 if all characters are valid, otherwise the one that the page declares.
    """
    declared = _declared_encoding(data) if encoding is None else None
    if declared is not None:
        guesses.append(Guess("encoding", declared, f"{name} declares it", "encoding"))
        page = decode(data, name, declared)
    else:
        page = decode(data, name, encoding, guesses)
    title = _TITLE.search(page[:TITLE_LETTERS])
    return storable_text(plain_text(page)), _spaced(html.unescape(title[1])) if title else ""


def _declared_encoding(data: bytes) -> str | None:
    """Encoding that a web page declares, if the page is valid in it but not in UTF-8."""
    with suppress(UnicodeDecodeError):
        data.decode("utf-8")
        return None
    declared = _CHARSET.search(data[:DECLARATION_BYTES])
    if declared:
        with suppress(LookupError, UnicodeDecodeError):
            codec = codecs.lookup(declared[1].decode())
            data.decode(codec.name)
            return codec.name
    return None


def plain_text(page: str) -> str:
    """Text of HTML, with a blank line between paragraphs."""
    parts: list[str] = []
    place = 0
    while found := _MARKUP.search(page, place):
        parts.append(_SPACES.sub(" ", html.unescape(page[place : found.start()])))
        place = found.end()
        name = (found[1] or "").lower()
        element = name.removeprefix("/")
        if name in _SKIPPED:
            place = _end_of_content(page, found)
        elif element == "br":
            parts.append("\n")
        elif element in ("td", "th"):
            parts.append("\t")
        elif element and element not in _INLINE and element not in _SKIPPED:
            parts.append("\n\n")
    parts.append(_SPACES.sub(" ", html.unescape(page[place:])))
    lines = [_spaced(line) for line in "".join(parts).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _end_of_content(page: str, tag: re.Match[str]) -> int:
    """Place in a page where the content of an element ends; without an end tag, at its end.

    ``<script src="x"/>`` has no content in XHTML, so that no end tag follows before another element
    of this kind.
    """
    tags = re.compile(rf"<(/?){tag[1]}\b", re.IGNORECASE)
    following = tags.search(page, tag.end())
    if tag[0].endswith("/>") and (following is None or not following[1]):
        return tag.end()
    ends = (each.start() for each in tags.finditer(page, tag.end()) if each[1])
    return next(ends, len(page))


def read_rtf(name: str, data: bytes) -> str:
    """Text of a rich text file (InputError if it is damaged)."""
    damaged = f"{name} is not a rich text file or is damaged; save it again"
    with refusing_damage(damaged):
        if not data.lstrip().startswith(b"{\\rtf"):
            raise ValueError
        # Characters outside ASCII are written as codes.
        text = striprtf.rtf_to_text(data.decode("latin-1"), errors="replace")
        # Characters beyond 16 bits are written as two codes.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    lines = [line.strip() for line in text.split("\n")]
    return storable_text("\n\n".join(filter(None, lines)))


def read_subtitles(name: str, data: bytes, encoding: str | None, guesses: list[Guess]) -> str:
    """Text of subtitles without numbers, times and formats.

    A new paragraph begins after a pause and where WebVTT names another speaker; it then begins with
    ``Speaker: ``. So it does at such a line, if there are several speakers. A line that repeats the
    one before, as in rolling subtitles, is left out.
    """
    # Speaker, if known, and lines of each paragraph; some have no lines.
    paragraphs: list[tuple[str, list[str]]] = []
    is_text = False
    last_end, speaker = 0.0, ""
    last_line = ""
    lines = decode(data, name, encoding, guesses).splitlines()
    speakers = _repeated_speakers(lines)
    for line in lines:
        times = _TIMES.fullmatch(line)
        if times:
            start = _seconds(times[1])
            if not paragraphs or start - last_end > PAUSE:
                paragraphs.append((speaker, []))
            last_end, is_text = _seconds(times[2]), True
        elif not line.strip():
            is_text = False
        elif is_text:
            voice = _VOICE.search(line)
            if voice and _spaced(voice[1]) != speaker:
                speaker = _spaced(voice[1])
                paragraphs.append((speaker, []))
            text = _without_tags(line)
            # Programs for meetings write the speaker into the text.
            named = _NAMED.match(text) if not voice else None
            if named and named[0] in speakers and paragraphs[-1] != ("", []):
                paragraphs.append(("", []))
            if text and text != last_line:
                paragraphs[-1][1].append(text)
                last_line = text
    spoken = ((speaker, " ".join(texts)) for speaker, texts in paragraphs if texts)
    return "\n\n".join(f"{speaker}: {text}" if speaker else text for speaker, text in spoken)


def _repeated_speakers(lines: list[str]) -> set[str]:
    """Names before the text of several subtitles, if there are two; “Note: ” alone is no name."""
    counts = Counter(named[0] for line in lines if (named := _NAMED.match(_without_tags(line))))
    repeated = {name for name, count in counts.items() if count > 1}
    return repeated if len(repeated) > 1 else set()


def _without_tags(line: str) -> str:
    """Text of a line of a subtitle."""
    return _spaced(html.unescape(_CUE_TAG.sub("", line)))


def _seconds(text: str) -> float:
    seconds = 0.0
    for part in text.replace(",", ".").split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def _spaced(text: str) -> str:
    return " ".join(text.split())
