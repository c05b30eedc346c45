"""Decoding of bytes to text: UTF-8 first, then a guessed encoding; binary data is refused."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from charset_normalizer import from_bytes

from ..utils.errors import InputError
from .guesses import Guess

# UTF-32 comes first because its little-endian mark begins with the mark of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encodings that are still common in text files without a mark. A longer list makes short texts
# resemble a rare encoding.
CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r"),
    *("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
]
# Bytes on which a guess is based; more bytes take longer and give the same result.
SAMPLE_BYTES = 20_000
# With fewer bytes outside ASCII, a guess is worse than the most common encoding.
MIN_NON_ASCII = 8
# UTF-8 text that was cut or edited has one broken character among many valid ones.
GOOD_PER_BROKEN = 20
# Old mail and terminal logs contain a few control characters; more of them indicate binary data.
MAX_CONTROL_SHARE = 0.02

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_ASCII = bytes(range(128))


def decode(
    data: bytes, name: str, encoding: str | None = None, guesses: list[Guess] | None = None
) -> str:
    """Decode the bytes of a text file, as ``encoding`` only if it is given.

    The encoding is appended to ``guesses``, with the reason for it. Raises InputError if the bytes
    are not text, or not in the given encoding or any known one; the message names the file
    ``name``.
    """
    noted = [] if guesses is None else guesses
    if encoding is not None:
        text = _decode_as(data, name, encoding)
        noted.append(Guess("encoding", encoding, "", "encoding"))
        return text
    for mark, marked_encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = _decode_as(data, name, marked_encoding)
            reason = "the file begins with its mark"
            noted.append(Guess("encoding", marked_encoding, reason, "encoding"))
            return text
    if b"\0" in data:
        raise InputError(
            f"{name} holds binary data, not text; save it as plain text in UTF-8, "
            "or name its encoding if it is UTF-16 or UTF-32"
        )
    text, found, reason = _decode_unmarked(data)
    if not is_plausible(text):
        raise InputError(
            f"{name} is not text in any encoding we recognise; save it as UTF-8, "
            "or name its encoding"
        )
    noted.append(Guess("encoding", found, reason, "encoding"))
    return text


def is_plausible(text: str) -> bool:
    """Whether a decoded text has as few control characters as real texts."""
    return len(_CONTROL.findall(text)) <= max(1, MAX_CONTROL_SHARE * len(text))


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


def _decode_unmarked(data: bytes) -> tuple[str, str, str]:
    """Text, its encoding, and the reason for this encoding."""
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8"), "utf-8", "every character is valid"
    patched = data.decode("utf-8", "replace")
    n_broken = patched.count("\ufffd")
    if n_broken * GOOD_PER_BROKEN <= len(_NOT_ASCII.findall(patched)) - n_broken:
        return patched, "utf-8", f"all but {n_broken:,} characters are valid"
    for encoding in (_guess(data), "cp1252"):
        with suppress(UnicodeDecodeError):
            if encoding is not None:
                return data.decode(encoding), encoding, "guessed from the letters"
    return data.decode("latin-1"), "latin-1", "no other encoding fits"


def _guess(data: bytes) -> str | None:
    """Guess the encoding from the lines that are not plain ASCII; None if they are too short."""
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    sample = b"\n".join(lines)[:SAMPLE_BYTES]
    if len(sample.translate(None, _ASCII)) < MIN_NON_ASCII:
        return None
    matches = from_bytes(sample, cp_isolation=CANDIDATES)
    best = matches.best()
    if best is None:
        return None
    # The detector often rates Central and Western European equally; Western European is likelier.
    ties = (m for m in matches if (m.chaos, m.coherence) == (best.chaos, best.coherence))
    return next((match.encoding for match in ties if match.encoding == "cp1252"), best.encoding)
