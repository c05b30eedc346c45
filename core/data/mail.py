"""Posts and mail as texts: the header and quotations are removed, the subject is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.parser import HeaderParser
from itertools import pairwise

from .markup import without_markup
from .recipe import Recipe
from .table_rows import with_plain_ends

# Header fields of posts and mail.
_FIELD_NAMES = (
    "approved archive-name article-i.d. bcc cc content-transfer-encoding content-type date "
    "delivered-to disclaimer distribution expires followup-to from in-reply-to keywords lines "
    "message-id mime-version news-software newsgroups nntp-posting-host organisation "
    "organization originator path received references reply-to return-path sender sent subject "
    "summary supersedes to user-agent x-mailer x-newsreader xref"
)
FIELDS = frozenset(_FIELD_NAMES.split())
# Fields that minutes, records and abstracts have too: such a header has also one of the others.
_COMMON_NAMES = (
    "approved date disclaimer distribution keywords lines organisation organization path received "
    "references sender sent subject summary to"
)
COMMON_FIELDS = frozenset(_COMMON_NAMES.split())
# Number of header fields: "From: the sea" may begin a poem, but two such lines in a row do not.
MIN_FIELDS = 2
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9.-]*):(?:[ \t]|$)")
# Fields of a header in German and in French: the sender and the subject first. Times and trips have
# "Von:" and "An:" too, so a header has both of the first.
_TRANSLATED = (
    {"von": "From", "betreff": "Subject", "gesendet": "Sent", "an": "To", "datum": "Date"}
    | {"kopie": "Cc", "cc": "Cc", "bcc": "Bcc", "antwort an": "Reply-To"},
    {"de": "From", "objet": "Subject", "envoyé": "Sent", "à": "To", "a": "To", "date": "Date"}
    | {"copie": "Cc", "cc": "Cc", "cci": "Bcc", "répondre à": "Reply-To"},
)
# In French, a space is before the colon.
_FIELD_OF_ANY = re.compile(
    r"(?P<name>[^\W\d_]+(?:[ -][^\W\d_]+)?)[ \t\u00a0\u202f]?:(?:[ \t\u00a0\u202f]+|$)"
)
# Line before the header of each mail in an mbox file.
_ENVELOPE = re.compile(r"From \S+ .*\d\d:\d\d")

# Quoted lines belong to another document.
_QUOTED = re.compile(r"[ \t]*(?:[>|:}]|[A-Za-z]{1,4}>)")
_ATTRIBUTION = re.compile(
    r".*\b(?:wrote|writes|said|says|schrieb|écrit|escribió|scrive|scritto|escreveu)\s?:?[ \t]*$|"
    r".*\b(?:schrieb|schreef|skrev)\b.{0,80}:[ \t]*$"
)
# Only such lines count as quotations of mail; “:”, “|” and “}” also begin lines of tables.
_CITED = re.compile(r"[ \t]*>")
# “My teacher said:” introduces a quotation of mail only with a date or an address.
_SAID = re.compile(r"[^\d@]*\b(?:said|says)\s?:?[ \t]*$")
# Two hyphens and a space; most mail programs drop the space.
_SIGNATURE = re.compile(r"--[ \t]*$")
# Lines; a signature is short, and two hyphens farther from the end are a ruler.
MAX_SIGNATURE = 15

# Share of texts that quote other mails, from which it is offered to leave the quotations out.
MIN_QUOTING = 0.1
# Documents that are examined, evenly spaced; more of them give the same result.
SAMPLE_DOCUMENTS = 400


def begin_with_headers(texts: Sequence[str]) -> bool:
    """Whether most of the texts begin with the header of a post or mail, and have a body.

    A header has a field that only posts and mail have, and ends with an empty line; without these
    conditions, records with lines such as "Date: …" and "Subject: …" would lose their content.
    """
    seen = texts[:: max(len(texts) // SAMPLE_DOCUMENTS, 1)]
    return 2 * sum(map(_is_mail, seen)) > len(seen)


def _is_mail(text: str) -> bool:
    header, _, body = _from_the_header(text).partition("\n\n")
    lines = [line for line in header.split("\n") if not line.startswith((" ", "\t"))]
    found = [match[1].lower() for line in lines if (match := _FIELD.match(line))]
    return (
        has_header(text)
        and len(found) == len(lines)
        and bool(FIELDS.difference(COMMON_FIELDS).intersection(found))
        and bool(body.strip())
    )


def default_recipe(texts: Sequence[str]) -> Recipe:
    """Return the recipe for texts where none is given.

    If most of the texts begin with the header of a post or mail, headers, quotations and signatures
    are left out: their words, such as names of computers and senders, would become topics.
    """
    are_mails = begin_with_headers(texts)
    return Recipe(strip_headers=are_mails, strip_quotes=are_mails)


def share_with_quotations(texts: Sequence[str]) -> float:
    """Share of the texts that quote another mail, after a line such as "Anna wrote:"."""
    seen = texts[:: max(len(texts) // SAMPLE_DOCUMENTS, 1)]
    return sum(map(_quotes_a_mail, seen)) / len(seen) if len(seen) else 0.0


def _quotes_a_mail(text: str) -> bool:
    lines = [line for line in with_plain_ends(text).split("\n") if line.strip()]
    return any(
        _CITED.match(after) and _ATTRIBUTION.match(line) and not _SAID.match(line)
        for line, after in pairwise(lines)
    )


def stripped(text: str, recipe: Recipe) -> str:
    """Remove the parts of a text that the recipe excludes: header, quotations, markup."""
    if recipe.strip_headers:
        text = without_header(text)
    if recipe.strip_quotes:
        text = without_quotes(text)
    return without_markup(text) if recipe.strip_markup else text


def has_header(text: str) -> bool:
    """Whether a text begins with at least two header lines such as ``From: …``, ``Subject: …``."""
    known = 0
    for line in _from_the_header(text).split("\n"):
        if not _FIELD.match(line) and not line.startswith((" ", "\t")):
            break
        field = _FIELD.match(line)
        known += field is not None and field[1].lower() in FIELDS
        if known >= MIN_FIELDS:
            return True
    return False


def without_header(text: str) -> str:
    """Subject and body of a post or mail; any other text is not changed."""
    if not has_header(text):
        return text
    text = _from_the_header(text)
    post = HeaderParser().parsestr(text)
    body = str(post.get_payload()).lstrip("\n")
    # On one line, decoded from the form in which mail is sent.
    subject = " ".join(str(post.get("Subject", "")).split())
    with suppress(HeaderParseError, LookupError, UnicodeError, ValueError):
        subject = str(make_header(decode_header(subject)))
    return "\n\n".join(part for part in (subject, body) if part.strip())


def without_quotes(text: str) -> str:
    """Remove quoted lines, the lines that name their authors, and a signature at the end."""
    lines = with_plain_ends(text).split("\n")
    for start in range(max(len(lines) - MAX_SIGNATURE, 1), len(lines)):
        if _SIGNATURE.match(lines[start]):
            lines = lines[:start]
            break
    kept = []
    # From the end: whether the next line that is not blank is quoted.
    quotation_follows = False
    for line in reversed(lines):
        is_quoted = _QUOTED.match(line) is not None
        # "… writes:" introduces a quotation only if a quoted line follows.
        if not is_quoted and not (quotation_follows and _ATTRIBUTION.match(line)):
            kept.append(line)
        if line.strip():
            quotation_follows = is_quoted
    return "\n".join(reversed(kept))


def _from_the_header(text: str) -> str:
    """Text from the first line of the header on, with plain line ends."""
    text = with_plain_ends(text.lstrip("\ufeff \t\r\n"))
    first, _, rest = text.partition("\n")
    return _in_english(rest if _ENVELOPE.match(first) else text)


def _in_english(text: str) -> str:
    """Text with English names of the fields of a German or French header."""
    if not _FIELD_OF_ANY.match(text):
        return text
    header, gap, body = text.partition("\n\n")
    found = [(line, _FIELD_OF_ANY.match(line)) for line in header.split("\n")]
    names = {field["name"].lower() for _, field in found if field}
    for english in _TRANSLATED:
        if names.issuperset(list(english)[:2]):
            lines = [
                f"{english[name]}: {line[field.end() :]}"
                if field and (name := field["name"].lower()) in english
                else line
                for line, field in found
            ]
            return "\n".join(lines) + gap + body
    return text
