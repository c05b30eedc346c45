"""Mail as files: ``.eml`` with one message, and ``.mbox`` with many."""

from __future__ import annotations

import re
from contextlib import suppress
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from typing import NamedTuple

from ..utils.errors import InputError
from .encodings import storable_text
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


def read_mailbox(name: str, data: bytes) -> list[Mail]:
    """Messages of a mailbox that have a text, in order (InputError without one)."""
    starts = [found.end() for found in _ENVELOPE.finditer(data)]
    ends = [found.start() for found in _ENVELOPE.finditer(data)][1:]
    if not starts:
        raise InputError(f"{name} is not a mailbox; its first line begins with “From ”")
    messages = [
        read_mail(name, _ESCAPED.sub(rb"\1", data[start:end]))
        for start, end in zip(starts, [*ends, len(data)], strict=True)
    ]
    found = [mail for mail in messages if mail.text.strip()]
    if not found:
        raise InputError(f"{name} has no message with a text; export the mailbox again")
    return found


def read_mail(name: str, data: bytes) -> Mail:
    """Read a message of the file ``name``; attachments are not opened."""
    with refusing_damage(f"{name} is not a mail or is damaged; export it again"):
        message = message_from_bytes(data)
        title = " ".join(_field(message, "Subject").split())
        date = ""
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            date = parsedate_to_datetime(_field(message, "Date")).date().isoformat()
        sender = parseaddr(_field(message, "From"))[1].lower()
        text = "\n\n".join(part for part in (title, _body(message).strip()) if part)
    return Mail(*map(storable_text, (text, title, date, sender)))


def _field(message: Message, name: str) -> str:
    """Field of the header, decoded if its form is valid."""
    value = str(message.get(name, ""))
    with suppress(HeaderParseError, LookupError, UnicodeError, ValueError):
        value = str(make_header(decode_header(value)))
    return value


def _body(message: Message) -> str:
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
            return _content(part)
        if part.get_content_subtype() == "html" and not html:
            html = _content(part)
    return plain_text(html)


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset = part.get_content_charset("utf-8")
    try:
        text = data.decode(charset)
    except (LookupError, UnicodeDecodeError, ValueError):
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n")
