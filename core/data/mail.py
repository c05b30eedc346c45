"""Posts and mail as texts: the header and what is quoted go, the words of the subject stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.parser import HeaderParser

from .recipe import Recipe

# Names of lines that only a post or a mail begins with.
_FIELD_NAMES = (
    "approved archive-name article-i.d. bcc cc content-transfer-encoding content-type date "
    "delivered-to disclaimer distribution expires followup-to from in-reply-to keywords lines "
    "message-id mime-version news-software newsgroups nntp-posting-host organisation "
    "organization originator path received references reply-to return-path sender sent subject "
    "summary supersedes to user-agent x-mailer x-newsreader xref"
)
FIELDS = frozenset(_FIELD_NAMES.split())
# "From: the sea" may begin a poem; two such lines, one under the other, do not.
FEWEST_FIELDS = 2
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9.-]*):(?:[ \t]|$)")
# An mbox has this before the header of each mail.
_ENVELOPE = re.compile(r"From \S+ .*\d\d:\d\d")

# What is said of these is said where it is quoted from.
_QUOTED = re.compile(r"[ \t]*(?:[>|:}]|[A-Za-z]{1,4}>)")
_SAYS_WHO = re.compile(r".*\b(?:wrote|writes|said|says|schrieb|écrit|escribió|scrive):?[ \t]*$")
# Two hyphens and a space, which most programs that send mail drop.
_SIGNATURE = re.compile(r"--[ \t]*$")
# A signature is short: two hyphens far from the end are a ruler.
MOST_SIGNATURE_LINES = 15

# So many documents, evenly spread, are looked at; more would tell the same.
LOOKED_AT = 400


def begin_with_headers(texts: Sequence[str]) -> bool:
    """Whether most of the texts begin with the header of a post or mail."""
    seen = texts[:: max(len(texts) // LOOKED_AT, 1)]
    return 2 * sum(map(has_header, seen)) > len(seen)


def stripped(text: str, recipe: Recipe) -> str:
    """The text without what a recipe leaves out of posts and mail."""
    if recipe.strip_headers:
        text = without_header(text)
    return without_quotes(text) if recipe.strip_quotes else text


def has_header(text: str) -> bool:
    """Whether a text begins with two lines or more such as ``From: …`` and ``Subject: …``."""
    known = 0
    for line in _header_lines(text):
        field = _FIELD.match(line)
        known += field is not None and field[1].lower() in FIELDS
        if known >= FEWEST_FIELDS:
            return True
    return False


def without_header(text: str) -> str:
    """The subject and what follows the header; a text without a header as it is."""
    if not has_header(text):
        return text
    text = _from_the_header(text)
    post = HeaderParser().parsestr(text)
    body = str(post.get_payload()).lstrip("\n")
    subject = _decoded(str(post.get("Subject", "")))
    return "\n\n".join(part for part in (subject, body) if part.strip())


def without_quotes(text: str) -> str:
    """The text without quoted lines, those that say of whom, and a signature at its end."""
    lines = text.split("\n")
    for place in range(max(len(lines) - MOST_SIGNATURE_LINES, 1), len(lines)):
        if _SIGNATURE.match(lines[place]):
            lines = lines[:place]
            break
    quoted = [_QUOTED.match(line) is not None for line in lines]
    kept = []
    for place, line in enumerate(lines):
        # "… writes:" is of a quotation only where one follows, after a blank line at most.
        following = (quoted[below] for below in _next_lines(lines, place))
        if not quoted[place] and not (_SAYS_WHO.match(line) and any(following)):
            kept.append(line)
    return "\n".join(kept)


def _next_lines(lines: list[str], place: int) -> Iterator[int]:
    """Number of the next line that is not blank, if there is one."""
    below = (number for number in range(place + 1, len(lines)) if lines[number].strip())
    return (number for number in [next(below, None)] if number is not None)


def _from_the_header(text: str) -> str:
    """The text from the first line of the header, with line ends of one kind."""
    text = text.lstrip("\ufeff \t\r\n").replace("\r\n", "\n").replace("\r", "\n")
    first, _, rest = text.partition("\n")
    return rest if _ENVELOPE.match(first) else text


def _header_lines(text: str) -> Iterator[str]:
    """Lines up to the first that belongs to no header."""
    for line in _from_the_header(text).split("\n"):
        if not _FIELD.match(line) and not line.startswith((" ", "\t")):
            return
        yield line


def _decoded(subject: str) -> str:
    """A subject on one line, with its letters as they were before they were sent."""
    unfolded = " ".join(subject.split())
    try:
        return str(make_header(decode_header(unfolded)))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return unfolded
