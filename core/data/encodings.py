"""Decoding of bytes to text.

Text that is valid UTF-8 is read as UTF-8. Otherwise each encoding that is still in use gives a
text, and the text whose letters and words are the likeliest in some language is taken
(`letters.score_lines`). Lines that are valid UTF-8 may stay UTF-8 while the others are in an old
encoding. Binary data is refused.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np

from ..utils.errors import InputError
from .guesses import Guess
from .letters import LANGUAGES, Scores, score_lines

# UTF-32 comes first because its little-endian mark begins with the mark of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encodings of text without a mark, the most common first, with the log of their frequency relative
# to the most common one. Encodings that give the same text are not distinguished.
CANDIDATES = {
    # Text in UTF-8 in which some characters are damaged.
    "utf-8": -3.0,
    "cp1252": 0.0,
    **dict.fromkeys(("cp1250", "cp1251"), -2.0),
    **dict.fromkeys(("cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874"), -3.0),
    **dict.fromkeys(("cp932", "gb18030", "big5", "cp949", "euc_jp", "shift_jis", "cp950"), -3.0),
    # Differs from cp949 in syllables that it writes as a sequence of letters.
    "euc_kr": -3.0,
    **{f"iso8859_{part}": -3.0 for part in (1, 15, 2, 5, 7, 8, 6, 9, 13, 4, 3, 10, 14)},
    **dict.fromkeys(("koi8_r", "koi8_u"), -3.0),
    **dict.fromkeys(("cp850", "cp437", "cp852", "cp866", "mac_roman", "mac_latin2"), -4.0),
    **dict.fromkeys(("cp855", "cp857", "cp737", "cp775", "cp862", "cp720", "cp864"), -5.0),
    **dict.fromkeys(("mac_cyrillic", "mac_greek", "mac_turkish", "mac_romanian"), -5.0),
    **dict.fromkeys(("mac_croatian", "iso8859_16"), -5.0),
}
_WITHOUT_MARK = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
# Log-probability that a file mixes UTF-8 and another encoding.
MIXED = -12.0
# Bytes on which a guess is based; more bytes take longer and give the same result.
SAMPLE_BYTES = 16_000
# The best text must be likelier than any other text by this log ratio, of which the frequencies of
# the encodings may be a part …
MIN_MARGIN, MAX_PRIOR_MARGIN = 7.0, 1.5
# … and at most this share of its characters outside ASCII may be foreign to the language of their
# line. Otherwise the encoding is reported as not certain.
MAX_FOREIGN = 0.1
# Old mail and terminal logs contain a few control characters; more of them indicate binary data.
MAX_CONTROL_SHARE = 0.02
# Lines whose language weighs as much as the prior, for a language that occurs in no other line.
_PRIOR_LINES = 0.02

# Characters of a word in a message.
MAX_SHOWN = 20
# Zero bytes of UTF-16 on the other side, such as in U+4E00, per zero byte on the usual one.
MAX_OTHER_ZEROS = 0.1
# A larger file is searched in this number of windows of this length in bytes.
MAX_SEARCHED, N_WINDOWS, WINDOW = 2_000_000, 100, 4_000
# Encodings in which a character has one or more bytes.
MULTIBYTE = ("cp932", "shift_jis", "euc_jp", "gb18030", "big5", "cp950", "cp949", "euc_kr")

# Line, or part of a long line up to a blank or comma, which no encoding uses within a character.
_PIECE = re.compile(rb"[^\r\n]{1,800}(?![^\r\n ,\t])|[^\r\n]{1,800}")
_BLANK = re.compile(rb"[\r\n ,\t]")
_LAST_BLANK = re.compile(rb"[\r\n ,\t][^\r\n ,\t]*$")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_ASCII = bytes(range(128))


# Letters that were encoded as UTF-8, read as cp1252 and encoded again: one of Latin script, a
# quotation mark or a dash, or several letters. Shorter runs such as "ß“" end a quotation.
_AFTER = (
    "["
    + "".join(
        re.escape(bytes([byte]).decode("cp1252", "ignore") or chr(byte))
        for byte in range(0x80, 0xC0)
    )
    + "]"
)
_TWICE = re.compile(
    f"(?:[Â-ß]{_AFTER}|[à-ï]{_AFTER}{{2}}|ð{_AFTER}{{3}}){{2,}}|[Â-Å]{_AFTER}|â[€„‚ˆ]{_AFTER}"
)
# Runs that also occur in texts that were encoded once: “NÃO”, 3 Å–4 Å, 1500 Å³, „Ä“.
_UNCLEAR = re.compile(r"[Â-Å][“”‘’„‚…–—«»‹›¹²³\xa0]|Â[^¡-¿]|Â\xad|[ÄÅ][^\w¡]")
_LATIN = re.compile("[À-ÿ]")
# Number of the other runs, and their number for each other letter with an accent, from which they
# are read as they were written; and their different ones, from which the unclear runs are.
MIN_TWICE, SHARE_TWICE, MIN_DIFFERENT_TWICE = 2, 0.1, 2
# End of the value of a guess that is not certain.
_NOT_CERTAIN = ", not certain"


class Encoding(NamedTuple):
    """Encoding that a text was read in."""

    name: str  # such as "UTF-8", or "UTF-8, and cp1252 on 3 lines"
    is_certain: bool
    reason: str  # clause without a full stop; empty if the encoding was given

    def as_guess(self) -> Guess:
        """Guess for the report of an import."""
        value = self.name if self.is_certain else self.name + _NOT_CERTAIN
        return Guess("encoding", value, self.reason, "encoding")


def encoding_of(guess: Guess) -> Encoding:
    """Encoding from which a guess was made (`Encoding.as_guess`)."""
    name = guess.value.removesuffix(_NOT_CERTAIN)
    return Encoding(name, name == guess.value, guess.reason)


def decode(
    data: bytes, name: str, encoding: str | None = None, guesses: list[Guess] | None = None
) -> str:
    """Decode the bytes of a text file, as ``encoding`` only if it is given.

    The encoding is appended to ``guesses``, with the reason for it. Raises InputError if the bytes
    are not text, or not in the given encoding or any known one; the message names the file
    ``name``.
    """
    text, found = decode_with_encoding(data, name, encoding)
    if guesses is not None:
        guesses.append(found.as_guess())
    return text


def decode_with_encoding(
    data: bytes, name: str, encoding: str | None = None
) -> tuple[str, Encoding]:
    """Text as from `decode`, and the encoding that it was read in."""
    if encoding is not None:
        return _decode_as(data, name, encoding), Encoding(encoding, True, "")
    had_mark = False
    for mark, marked in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            shown = marked.removesuffix("-sig").upper()
            try:
                text = _decode_as(data, name, marked)
            except InputError:
                if mark != codecs.BOM_UTF8:
                    raise
                # Damaged, or in another encoding on some lines.
                data, had_mark = data.removeprefix(mark), True
                break
            reason = "the file begins with the mark of this encoding"
            found = text, Encoding(shown, True, reason)
            return _decoded_again(*found) if marked == "utf-8-sig" else found
    read = _decode_zeros(data) if b"\0" in data else _decode_unmarked(data, had_mark=had_mark)
    if read is None:
        raise InputError(
            f"{name} holds binary data, not text; save it as plain text in UTF-8, "
            "or name its encoding if it is UTF-16 or UTF-32"
        )
    if not is_plausible(read[0]):
        raise InputError(
            f"{name} is not text in any encoding we recognise; save it as UTF-8, "
            "or name its encoding"
        )
    return _decoded_again(*read) if read[1].name == "UTF-8" else read


def _decoded_again(text: str, found: Encoding) -> tuple[str, Encoding]:
    """Text whose letters were encoded twice (GrÃ¶ÃŸe) as it was written, with a report of it."""
    if text.isascii():
        return text, found
    runs = Counter(_TWICE.findall(text))
    right = {run: again for run in runs if (again := _encoded_once(run)) is not None}
    clear = [run for run in right if not _UNCLEAR.fullmatch(run)]
    n_clear = sum(runs[run] for run in clear)
    n_others = len(_LATIN.findall(text)) - sum(
        runs[run] * len(_LATIN.findall(run)) for run in right
    )
    if n_clear < MIN_TWICE or n_clear < SHARE_TWICE * n_others:
        return text, found
    if len(clear) < MIN_DIFFERENT_TWICE:
        right = {run: right[run] for run in clear}
    n_right = sum(runs[run] for run in right)
    first = clear[0]
    reason = f"as cp1252 and then as UTF-8; “{first}” is “{right[first]}”"
    name = f"UTF-8, encoded twice in {n_right:,} places"
    return _TWICE.sub(lambda run: right.get(run[0], run[0]), text), Encoding(name, True, reason)


def _encoded_once(run: str) -> str | None:
    """Letters of a run that was encoded twice; None for another run."""
    try:
        # Five bytes have no character in cp1252, and stay control characters.
        data = b"".join(c.encode("latin-1" if "\x80" <= c < "\xa0" else "cp1252") for c in run)
        once = data.decode("utf-8")
        # Quotation marks of cp1252 that were read as latin-1.
        once = "".join(
            c.encode("latin-1").decode("cp1252") if "\x80" <= c < "\xa0" else c for c in once
        )
    except UnicodeError:
        return None
    return None if _CONTROL.search(once) else once


def is_plausible(text: str) -> bool:
    """Whether a decoded text has as few control characters as real texts."""
    return len(_CONTROL.findall(text)) <= max(1, MAX_CONTROL_SHARE * len(text))


def has_line_break(word: str) -> bool:
    """Whether a word does not fit on one line of a stored vocabulary."""
    return "\n" in word or "\r" in word


def storable_text(text: str) -> str:
    """Replace unpaired surrogates, which no file can store, by ``?``."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _decode_as(data: bytes, name: str, encoding: str) -> str:
    try:
        # Checked first: Python decodes empty bytes with any name, even an unknown one.
        codecs.lookup(encoding)
        text = storable_text(data.decode(encoding)).removeprefix("\ufeff")
    except UnicodeError:
        raise InputError(
            f"{name} is not valid {encoding}; name the encoding that it was saved in"
        ) from None
    except (LookupError, ValueError):
        raise InputError(
            f"there is no text encoding {encoding!r}; try utf-8, latin-1 or cp1252"
        ) from None
    if not is_plausible(text):
        raise InputError(f"{name} read as {encoding} is not text; check the file and its encoding")
    return text


def _decode_zeros(data: bytes) -> tuple[str, Encoding] | None:
    """Text with zero bytes: UTF-16 or UTF-32 without a mark; None for other data."""
    best: tuple[float, str, str] | None = None
    zeros = np.frombuffer(data, np.uint8) == 0
    n_even, n_odd = int(zeros[::2].sum()), int(zeros[1::2].sum())
    for encoding in _WITHOUT_MARK:
        # Letters of a small number have their zero byte on one side.
        on_side, on_other = (n_odd, n_even) if encoding.endswith("le") else (n_even, n_odd)
        if "16" in encoding and on_other > MAX_OTHER_ZEROS * on_side:
            continue
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        likelihood, foreign = _likelihood(score_lines(text[:SAMPLE_BYTES].split("\n")))
        if is_plausible(text) and "\0" not in text and foreign <= MAX_FOREIGN:
            best = max(best or (-np.inf, "", ""), (likelihood, encoding, text))
    if best is None:
        return None
    reason = "its zero bytes are where this encoding has them"
    return best[2], Encoding(best[1].upper(), True, reason)


def _decode_unmarked(data: bytes, *, had_mark: bool) -> tuple[str, Encoding]:
    if data.isascii():
        for encoding in ("iso2022_jp_2", "iso2022_kr") if b"\x1b$" in data else ():
            try:
                return data.decode(encoding), Encoding(encoding, True, "it has its escape codes")
            except UnicodeDecodeError:
                continue
        return data.decode("ascii"), Encoding("UTF-8", True, "all characters are in ASCII")
    try:
        return data.decode("utf-8"), Encoding("UTF-8", True, "all characters are valid UTF-8")
    except UnicodeDecodeError as error:
        is_utf8 = had_mark or not data[: error.start].isascii()
        if error.reason == "unexpected end of data" and is_utf8:
            reason = "all characters are valid but the last one, which is cut off"
            return data.decode("utf-8", "replace"), Encoding("UTF-8", True, reason)
    return _likeliest(data)


class _Reading(NamedTuple):
    """One way to decode a file."""

    encoding: str
    mix: str = ""  # "" for one encoding; otherwise UTF-8 for valid "lines" or valid "characters"

    def decode(self, data: bytes) -> str:
        """Text of a file; bytes that the encoding does not have become U+FFFD."""
        if not self.mix:
            return data.decode(self.encoding, "replace")
        if self.mix == "characters":
            return data.decode("utf-8", _handler(self.encoding))
        return "\n".join(
            line.decode("utf-8" if _is_utf8(line) else self.encoding, "replace")
            for line in data.split(b"\n")
        )


@cache
def _handler(encoding: str) -> str:
    """Name of an error handler that decodes the bytes that are not UTF-8 in another encoding."""

    # At most three bytes each, and in a file of the encoding nearly always the same few.
    @cache
    def decode_bytes(data: bytes) -> str:
        return data.decode(encoding, "replace")

    def decode_rest(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        return decode_bytes(error.object[error.start : error.end]), error.end

    codecs.register_error(f"orrery-{encoding}", decode_rest)
    return f"orrery-{encoding}"


def _likeliest(data: bytes) -> tuple[str, Encoding]:
    """Likeliest text, decoded in each of the encodings."""
    lines = _sample(data)
    sample = b"\n".join(lines)
    found: dict[str, list[_Reading]] = {}
    for reading in _readings(lines):
        found.setdefault(reading.decode(sample), []).append(reading)
    prior = {
        text: max(CANDIDATES[reading.encoding] for reading in same) for text, same in found.items()
    }
    fit, foreign = {}, {}
    for text, same in found.items():
        fit[text], foreign[text] = _likelihood(score_lines(text.split("\n")))
        fit[text] += MIXED * all(reading.mix for reading in same)
    best = max(found, key=lambda text: fit[text] + prior[text])
    doubt = _doubt(best, found, fit, prior)
    reading = found[best][0]
    text = reading.decode(data)
    n_damaged = text.count("\ufffd")
    if n_damaged:
        doubt = f"{n_damaged:,} character{'s' * (n_damaged != 1)} could not be read"
    elif not doubt and foreign[best] > MAX_FOREIGN:
        doubt = "no encoding gives the letters of a language that we know; check the letters"
    elif not doubt and reading.encoding in MULTIBYTE:
        # The sample has every byte of the file, but not every pair of bytes.
        others = (other for other in found[best][1:] if other.encoding in MULTIBYTE)
        differing = (other for other in others if other.decode(data) != text)
        doubt = next((f"{other.encoding} gives other letters" for other in differing), "")
    reason = doubt or "its letters make the likeliest words"
    return text, Encoding(_shown(reading, data), not doubt, reason)


def _readings(lines: list[bytes]) -> list[_Reading]:
    readings = [_Reading(encoding) for encoding in CANDIDATES]
    if any(map(_is_utf8, lines)):
        readings += [_Reading(encoding, "lines") for encoding in CANDIDATES]
    if any(map(_has_utf8, lines)):
        single = (encoding for encoding in CANDIDATES if encoding not in MULTIBYTE)
        readings += [_Reading(encoding, "characters") for encoding in single]
    return readings


def _doubt(
    best: str, found: dict[str, list[_Reading]], fit: dict[str, float], prior: dict[str, float]
) -> str:
    """Reason why the best text may be wrong; empty if it is much likelier than all others."""
    margins = {
        text: fit[best] - fit[text] + min(prior[best] - prior[text], MAX_PRIOR_MARGIN)
        for text in found
        if text != best
    }
    nearest = min(margins, key=lambda text: margins[text], default=best)
    if margins.get(nearest, np.inf) < MIN_MARGIN:
        second = found[nearest][0].encoding
        return f"{second} fits nearly as well and gives {_difference(best, nearest)}"
    if found[best][0].mix == "characters":
        # A single damaged character may be read as a letter of another encoding.
        return "the encoding changes within lines; check the letters"
    return ""


def _difference(text: str, other: str) -> str:
    """First word in which two texts differ, for a message."""
    pairs = zip(text.split(), other.split(), strict=False)
    word, instead = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    return f"“{instead[:MAX_SHOWN]}” instead of “{word[:MAX_SHOWN]}”"


def _shown(reading: _Reading, data: bytes) -> str:
    if not reading.mix:
        return "UTF-8" if reading.encoding == "utf-8" else reading.encoding
    n_other = sum(not _is_utf8(line) for line in data.split(b"\n") if not line.isascii())
    return f"UTF-8, and {reading.encoding} on {n_other:,} line{'s' * (n_other != 1)}"


def _sample(data: bytes) -> list[bytes]:
    """Lines outside ASCII: first the lines that introduce a byte, then evenly spaced ones."""
    if len(data) > MAX_SEARCHED:
        places = [data.find(bytes([byte])) for byte in range(0x80, 0x100)]
        places += range(0, len(data), len(data) // N_WINDOWS)
        begins = {max(place - WINDOW // 2, 0) for place in places if place >= 0}
        data = b"\n".join(_window(data, begin) for begin in sorted(begins))
    pieces = _PIECE.findall(data)
    lines = [line for line in pieces if not line.isascii()]
    chosen: dict[int, None] = {}
    seen: set[int] = set()
    for number, line in enumerate(lines):
        outside = set(line.translate(None, _ASCII))
        if not outside <= seen:
            seen |= outside
            chosen[number] = None
    step = max(sum(map(len, lines)) // SAMPLE_BYTES, 1)
    chosen.update(dict.fromkeys(range(0, len(lines), step)))
    return [lines[number] for number in sorted(chosen)]


def _window(data: bytes, begin: int) -> bytes:
    """`WINDOW` bytes of a file, without a word that is cut at either end."""
    window = data[begin : begin + WINDOW]
    first = _BLANK.search(window, 0, WINDOW // 2 - 8) if begin else None
    is_last = begin + WINDOW >= len(data)
    last = None if is_last else _LAST_BLANK.search(window, WINDOW // 2 + 8)
    return window[first.start() if first else 0 : last.start() if last else None]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _has_utf8(line: bytes) -> bool:
    """Whether a line has a character outside ASCII in UTF-8."""
    return any(c > "\x7f" for c in line.decode("utf-8", "ignore"))


def _likelihood(scores: Scores) -> tuple[float, float]:
    """Log-likelihood of lines in a mixture of languages, and share of foreign characters."""
    weights = np.full(len(LANGUAGES), 1.0 / len(LANGUAGES))
    for _ in range(3):
        joint = scores.lines + np.log(weights)
        top = joint.max(axis=1, keepdims=True)
        share = np.exp(joint - top)
        total = share.sum(axis=1, keepdims=True)
        weights = (share / total).sum(axis=0) + _PRIOR_LINES
        weights /= weights.sum()
    likelihood = float((top + np.log(total)).sum())
    language = joint.argmax(axis=1)
    n_foreign = float(scores.foreign[np.arange(len(language)), language].sum())
    return likelihood, n_foreign / max(scores.n_foreign_total, 1)
