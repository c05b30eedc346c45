"""Bytes to text: UTF-8 first, then what the bytes look like, and never junk."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from charset_normalizer import CharsetMatch, from_bytes

from ..utils.errors import InputError

# UTF-32 stands first because its little-endian mark begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The encodings that text files without a mark are still found in; a longer list makes short
# texts look like something rare.
CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r"),
    *("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
]
# Enough for a verdict; judging more only costs time.
SAMPLE_BYTES = 20_000
# Under this many bytes outside ASCII a guess is worse than the most common encoding.
FEWEST_TELLING_BYTES = 8
# A text in UTF-8 that was cut or patched somewhere has one broken character among many good ones.
GOOD_PER_BROKEN = 20
# Old mail and terminal logs hold a stray control character; text with more is not text.
LARGEST_CONTROL_SHARE = 0.02

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_ASCII = bytes(range(128))


def decode(data: bytes, name: str, encoding: str | None = None) -> str:
    """Decode the bytes of a text file.

    Parameters
    ----------
    data : bytes
    name : str
        What to call the file in an error.
    encoding : str, optional
        Use this encoding and no other.

    Raises
    ------
    InputError
        If the bytes are not text, not in the encoding that was named, or in none that we know.
    """
    if encoding is not None:
        return _decode_as(data, name, encoding)
    for mark, marked_encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data, name, marked_encoding)
    if b"\0" in data:
        raise InputError(
            f"{name} holds binary data, not text; save it as plain text in UTF-8, "
            "or name its encoding if it is UTF-16 or UTF-32"
        )
    text = _decode_unmarked(data)
    if not is_plausible(text):
        raise InputError(
            f"{name} is not text in any encoding we recognise; save it as UTF-8, "
            "or name its encoding"
        )
    return text


def is_plausible(text: str) -> bool:
    """Whether a decoded text has no more control characters than real texts have."""
    return len(_CONTROL.findall(text)) <= max(1, LARGEST_CONTROL_SHARE * len(text))


def storable_text(text: str) -> str:
    """Return the text with every half of a surrogate pair, which no file can hold, as ``?``."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _decode_as(data: bytes, name: str, encoding: str) -> str:
    try:
        # Looked up first because Python decodes no bytes at all by any name, known or not.
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


def _decode_unmarked(data: bytes) -> str:
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8")
    patched = data.decode("utf-8", "replace")
    n_broken = patched.count("\ufffd")
    if n_broken * GOOD_PER_BROKEN <= len(_NOT_ASCII.findall(patched)) - n_broken:
        return patched
    for encoding in (_guess(data), "cp1252"):
        with suppress(UnicodeDecodeError):
            if encoding is not None:
                return data.decode(encoding)
    return data.decode("latin-1")


def _guess(data: bytes) -> str | None:
    """Guess the encoding by the lines that are not plain ASCII; None if there is no telling."""
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    sample = b"\n".join(lines)[:SAMPLE_BYTES]
    if len(sample.translate(None, _ASCII)) < FEWEST_TELLING_BYTES:
        return None
    matches = from_bytes(sample, cp_isolation=CANDIDATES)
    best = matches.best()
    if best is None:
        return None
    # Central and western European texts often look alike to the detector; the west is likelier.
    ties = (match for match in matches if _marks(match) == _marks(best))
    return next((match.encoding for match in ties if match.encoding == "cp1252"), best.encoding)


def _marks(match: CharsetMatch) -> tuple[float, float]:
    return match.chaos, match.coherence
