"""Mail as files: ``.eml`` with one message, and ``.mbox`` with many."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from typing import NamedTuple

from ..utils.errors import InputError
from .encodings import Encoding, decode, encoding_of, storable_text
from .guesses import Guess
from .limits import refusing_damage
from .rich_text import plain_text

# Line before each message of a mailbox, which names the sender and the time.
_ENVELOPE = re.compile(rb"^From \S+ .*\d\d:\d\d.*\r?\n", re.MULTILINE)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
# Parts in one message; each part inside another one costs time.
MAX_PARTS = 1_000


class Mail(NamedTuple):
    """One message: its subject and text, and the fields of its header."""

    text: str  # the subject, a blank line, and the body
    title: str  # the subject
    date: str  # such as 2021-03-05; "" without one
    sender: str  # address without the name


def read_mailbox(
    name: str, data: bytes, encoding: str | None = None, guesses: list[Guess] | None = None
) -> list[Mail]:
    """Messages of a mailbox that have a text, in order (InputError without one).

    ``encoding`` and ``guesses`` as in `read_mail`; all messages give one guess.
    """
    starts = [found.end() for found in _ENVELOPE.finditer(data)]
    ends = [found.start() for found in _ENVELOPE.finditer(data)][1:]
    if not starts:
        raise InputError(f"{name} is not a mailbox; its first line begins with “From ”")
    of_messages: list[Guess] = []
    messages = [
        read_mail(name, _ESCAPED.sub(rb"\1", data[start:end]), encoding, of_messages)
        for start, end in zip(starts, [*ends, len(data)], strict=True)
    ]
    found = [mail for mail in messages if mail.text.strip()]
    if not found:
        raise InputError(f"{name} has no message with a text; export the mailbox again")
    if guesses is not None:
        guesses += _joined(of_messages)
    return found


def read_mail(
    name: str, data: bytes, encoding: str | None = None, guesses: list[Guess] | None = None
) -> Mail:
    """Read a message of the file ``name``; attachments are not opened.

    A part that declares no valid encoding is decoded in ``encoding``, or in a guessed one, which
    is appended to ``guesses``.
    """
    found: list[Guess] = []
    with refusing_damage(f"{name} is not a mail or is damaged; export it again"):
        message = message_from_bytes(data)
        body = _body(message, name, encoding, found).strip()
        # A header without a declared encoding is decoded like its text.
        codec = encoding or (encoding_of(found[0]).name if found else "utf-8")
        title = " ".join(_field(message, "Subject", codec).split())
        date = ""
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            date = parsedate_to_datetime(_field(message, "Date")).date().isoformat()
        sender = parseaddr(_field(message, "From"))[1].lower()
        text = "\n\n".join(part for part in (title, body) if part)
    if guesses is not None:
        guesses += _joined(found)
    return Mail(*map(storable_text, (text, title, date, sender)))


def _joined(guesses: list[Guess]) -> list[Guess]:
    """One guess on the encodings of several texts, the most frequent first."""
    if not guesses:
        return []
    encodings = [encoding_of(guess) for guess in guesses]
    names = Counter(encoding.name for encoding in encodings)
    unsure = [encoding for encoding in encodings if not encoding.is_certain]
    joined = ", ".join(name for name, _ in names.most_common())
    return [Encoding(joined, not unsure, (unsure or encodings)[0].reason).as_guess()]


def _field(message: Message, name: str, codec: str = "utf-8") -> str:
    """Field of the header, decoded if its form is valid; raw bytes are decoded as ``codec``."""
    value = next((text for key, text in message.raw_items() if key.lower() == name.lower()), "")
    value = str(value)
    if not value.isascii():
        data = value.encode("utf-8", "surrogateescape")
        with suppress(LookupError, UnicodeError):
            return data.decode(codec)
        with suppress(InputError):
            return decode(data, name)
    with suppress(HeaderParseError, LookupError, UnicodeError, ValueError):
        value = str(make_header(decode_header(value)))
    return value


def _body(message: Message, name: str, encoding: str | None, guesses: list[Guess]) -> str:
    """Text of a message: its plain text, otherwise the text of its HTML."""
    html = ""
    for number, part in enumerate(message.walk()):
        if number > MAX_PARTS:
            break
        if part.is_multipart() or part.get_content_maintype() != "text":
            continue
        if part.get_content_disposition() == "attachment":
            continue
        if part.get_content_subtype() == "plain":
            return _content(part, name, encoding, guesses)
        if part.get_content_subtype() == "html" and not html:
            html = _content(part, name, encoding, guesses)
    return plain_text(html)


def _content(part: Message, name: str, encoding: str | None, guesses: list[Guess]) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    text: str | None = None
    with suppress(LookupError, UnicodeDecodeError, ValueError):
        text = data.decode(part.get_content_charset(""))
    if text is None:
        try:
            text = decode(data, name, encoding, guesses)
        except InputError:
            if encoding is not None:
                raise
            # One message of a mailbox that is not text must not hide the others.
            text = data.decode("utf-8", "replace")
            guesses.append(Encoding("UTF-8", False, "a text has other bytes").as_guess())
    return text.replace("\r\n", "\n")
