"""Markup in texts: tags and entities of HTML, BBCode, web addresses, user names of posts, codes.

Codes such as "(cid:12)" replace characters in the output of some readers of PDF.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence

# Texts that are examined, evenly spaced; more of them give the same result.
SAMPLE_TEXTS = 400
# Share of the texts with markup from which its removal is offered: its words would enter the
# vocabulary, which needs a few documents.
MIN_SHARE = 0.02

# Tags within a line of text, whose removal joins what is around them, and other tags of HTML.
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
_BLOCK = frozenset(
    [
        "address",
        "applet",
        "area",
        "article",
        "aside",
        "audio",
        "base",
        "basefont",
        "blink",
        "blockquote",
        "body",
        "br",
        "button",
        "canvas",
        "caption",
        "center",
        "col",
        "colgroup",
        "dd",
        "details",
        "dir",
        "div",
        "dl",
        "dt",
        "embed",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frame",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hgroup",
        "hr",
        "html",
        "iframe",
        "img",
        "input",
        "isindex",
        "label",
        "legend",
        "li",
        "link",
        "main",
        "map",
        "marquee",
        "menu",
        "meta",
        "nav",
        "noframes",
        "noscript",
        "object",
        "ol",
        "optgroup",
        "option",
        "output",
        "p",
        "param",
        "picture",
        "pre",
        "progress",
        "rp",
        "rt",
        "ruby",
        "section",
        "select",
        "source",
        "summary",
        "svg",
        "table",
        "tbody",
        "td",
        "template",
        "textarea",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "track",
        "ul",
        "video",
    ]
)
# Elements whose content is no text.
_HIDDEN = ("script", "style")
# A tag ends at ">" or, if the text was cut, at its end; it never contains another tag.
_TAG = re.compile(
    r"<(/?)([A-Za-z][\w:-]*)(?=[\s/>])(?:(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>|[^<>]*(?:>|$))"
)
_COMMENT_BEGINS, _COMMENT_ENDS = "<!--", "-->"
_DECLARATION = re.compile(r"<!(?:DOCTYPE|doctype)[^<>]*>|<\?xml[^<>]*>|<!\[CDATA\[|\]\]>")
_BBCODE = re.compile(
    r"\[/?(?:b|i|u|s|url|img|quote|code|list|size|color|center|spoiler|\*)(?:=[^\[\]\n]{0,200})?\]",
    re.IGNORECASE,
)
_ENTITY = re.compile(
    r"&(?:#\d{1,7};|#[xX][0-9A-Fa-f]{1,6};|[A-Za-z][A-Za-z\d]{1,31};|(?:amp|lt|gt|quot|nbsp)\b)"
)
# Addresses end at a space, or at a letter of a script that is written without spaces.
_IN_ADDRESS = r"[^\s<>\"\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]"
_ADDRESS = re.compile(
    rf"(?<![A-Za-z\d])(?:(?:https?|ftp)(?::/{{1,2}}{_IN_ADDRESS}*|…|\.\.\.)"
    rf"|www\.{_IN_ADDRESS}+"
    r"|(?:pic\.twitter\.com|t\.co|bit\.ly|goo\.gl|youtu\.be|ow\.ly|tinyurl\.com|fb\.me|lnkd\.in"
    rf"|buff\.ly|dlvr\.it|wp\.me|instagr\.am)/{_IN_ADDRESS}+"
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+)",
    re.IGNORECASE,
)
_REPOST = re.compile(r"(?<!\S)(?:RT|MT)(?=\s*[@:\uff20])")
_USER = re.compile(r"(?<![\w@/])[@\uff20]\w{1,50}(?:@[\w.-]{1,100}\w)?:?")
_SOFT_HYPHEN = "\u00ad"
# Some readers of PDF write the number of a character in its font where they know no character, as
# in "(cid:12)". These are the soft hyphen, with the end of its line, and the ligatures of TeX.
_CODE = re.compile(r"\(cid:(\d{1,5})\)")
_DIVIDED = re.compile(r"(?<=[^\W\d_])\(cid:173\)\s*(?=[^\W\d_])")
_LIGATURES = {"11": "ff", "12": "fi", "13": "fl", "14": "ffi", "15": "ffl"}
_BESIDE_LETTER = re.compile(
    r"(?<=[^\W\d_])\(cid:(1[1-5])\)|\(cid:(1[1-5])\)(?=(?:\(cid:173\)\s*)?[^\W\d_])"
)


def find_markup(texts: Sequence[str]) -> dict[str, float]:
    """Share of the texts with each kind of markup, if it is worth removing; otherwise empty.

    The kinds are "tags", "entities", "addresses", "user names" and "codes such as (cid:12)".
    """
    seen = texts[:: max(len(texts) // SAMPLE_TEXTS, 1)]
    found: Counter[str] = Counter()
    n_any = 0
    for text in seen:
        kinds = _kinds(text)
        found.update(kinds)
        n_any += bool(kinds)
    if n_any < 2 or n_any < MIN_SHARE * len(seen):
        return {}
    return {kind: count / len(seen) for kind, count in found.most_common()}


def describe_markup(found: dict[str, float]) -> str:
    """Kinds of markup with their shares: "tags in 80% of the texts, addresses in 5%"."""
    first, *others = (f"{kind} in {max(share, 0.01):.0%}" for kind, share in found.items())
    return ", ".join([f"{first} of the texts", *others])


def _kinds(text: str) -> list[str]:
    kinds = []
    has_tags = "<" in text and not _names_of_tags(text).isdisjoint(_names_in(text))
    if has_tags or ("[/" in text and _BBCODE.search(text)):
        kinds.append("tags")
    if any(html.unescape(entity) != entity for entity in _ENTITY.findall(text)):
        kinds.append("entities")
    if _ADDRESS.search(text):
        kinds.append("addresses")
    if ("@" in text or "\uff20" in text) and _USER.search(text):
        kinds.append("user names")
    if "(cid:" in text and _CODE.search(text):
        kinds.append("codes such as (cid:12)")
    return kinds


def without_markup(text: str) -> str:
    """Remove tags, addresses, user names and "RT"; entities become their characters.

    Codes such as "(cid:12)" become characters too, if they divide a word or are ligatures of TeX;
    others are removed. Hashtags stay, since they are words. A "<" that begins no tag stays.
    """
    text = _without_codes(_without_tags(text))
    # Pages that were escaped twice contain "&amp;nbsp;" or "&lt;p&gt;".
    for _ in range(2):
        if "&" not in text:
            break
        unescaped = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
        if unescaped == text:
            break
        text = _without_tags(unescaped.replace(_SOFT_HYPHEN, ""))
    if "[" in text:
        text = _BBCODE.sub(" ", text)
    # User names first: "@name@server" contains an address of mail.
    text = _USER.sub(" ", _REPOST.sub(" ", text))
    return _ADDRESS.sub(" ", text)


def _without_codes(text: str) -> str:
    if "(cid:" not in text:
        return text
    with_ligatures = _BESIDE_LETTER.sub(lambda code: _LIGATURES[code[1] or code[2]], text)
    return _CODE.sub(" ", _DIVIDED.sub("", with_ligatures))


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    text = _without_elements(text)
    names = _names_of_tags(text)

    def in_place_of(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if name in _INLINE:
            return ""
        return " " if name in names else tag[0]

    return _TAG.sub(in_place_of, _DECLARATION.sub(" ", text))


def _names_in(text: str) -> set[str]:
    return {tag[2].lower() for tag in _TAG.finditer(text)}


def _names_of_tags(text: str) -> frozenset[str]:
    """Names of the elements of HTML, and of elements of XML that the text closes."""
    closed = {tag[2].lower() for tag in _TAG.finditer(text) if tag[1]}
    return _INLINE | _BLOCK | frozenset(_HIDDEN) | closed


def _without_elements(text: str) -> str:
    """Remove comments, and scripts and styles with their content, in linear time."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = text
    pairs = [(_COMMENT_BEGINS, _COMMENT_ENDS)]
    pairs += [(f"<{name}", f"</{name}>") for name in _HIDDEN]
    for begins, ends in pairs:
        parts, place = [], 0
        while (begin := lower.find(begins, place)) >= 0:
            end = lower.find(ends, begin)
            if end < 0:
                break
            parts.append(text[place:begin])
            place = end + len(ends)
        if parts:
            text = " ".join([*parts, text[place:]])
            lower = text.lower() if len(text.lower()) == len(text) else text
    return text
