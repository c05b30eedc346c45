"""Long documents divided into passages, each of which becomes a document with its position.

A rule is ``paragraphs``, ``sentences:N``, ``turns`` or ``marker:TEXT``. A passage is the part
``text[start:end]`` of the text of its document, in characters. It inherits the columns of its
document; a turn of a transcript has its speaker as the label. A turn of an exported chat, where a
date and a time begin each message, has them as its date.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.parsing import read_whole_number
from ..utils.types import Int64Array
from .columns import POSITIONS, normal_table
from .dates import date_guess
from .guesses import Guess

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Column with the id of the document of a passage.
DOCUMENT = "document"
# Column with the label of the document where the label of a passage is its speaker.
DOCUMENT_LABEL = "document_label"
NONE, PARAGRAPHS, SENTENCES, TURNS, MARKER = "none", "paragraphs", "sentences", "turns", "marker"
KINDS = (NONE, PARAGRAPHS, SENTENCES, TURNS, MARKER)
DEFAULT_SENTENCES = 10
# Words from which a document is long, and the share of long documents from which passages are
# offered.
LONG_WORDS, MANY_LONG = 1_000, 0.5
# Turns in a transcript, turns of each speaker on average, and the share of non-blank lines that
# are, or belong to, a turn with a known speaker.
MIN_TURNS, TURNS_PER_SPEAKER, MIN_SHARE = 4, 2.0, 0.3
# Messages that begin with a stamp (a date and a time), and their share of the lines that could
# begin a turn, from which a text is an exported chat.
MIN_STAMPED, SHARE_STAMPED = 2, 0.5
# Documents on which a guess is based, and characters of each.
SAMPLE_DOCUMENTS, SAMPLE_LETTERS = 50, 200_000
MAX_SPEAKERS = 50
# Speakers named in the report, the most frequent first.
SPEAKERS_LISTED = 10

_BLANK_LINES = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*")
_LINE_END = re.compile(r"\r\n|\r|\n")
# The end of a sentence, with quotation marks that close it. Scripts without capitals need no space.
_SENTENCE_END = re.compile(
    r"[.!?…؟۔।॥]+[\"'”»’)\]]*(?=\s+[^\s\W_a-zà-ÿ]|\s+[\"'“„«(¿¡])|[。！？]+[」』”]?"
)
# A time, with the date before it in an exported chat.
_TIME = (
    r"[\[(<]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ \t]+)?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?"
    r"(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?[\])>]?"
)
# Elements of HTML, which are no names in a chat.
_ELEMENTS = (
    "a|abbr|address|article|aside|b|big|blockquote|body|br|caption|center|cite|code|dd|del|div|dl|"
    "dt|em|figure|font|footer|form|h[1-6]|head|header|hr|html|i|img|input|ins|kbd|label|li|link|"
    "main|mark|meta|nav|ol|option|p|pre|q|s|section|small|span|strike|strong|sub|sup|table|tbody|"
    "td|tfoot|th|thead|title|tr|tt|u|ul|video"
)
# ``[00:01:02] Speaker 1: …``, ``Speaker 1 (00:01): …``, ``Speaker 1: …``, or on a line of its own
# ``Speaker 1  00:01``; ``<speaker> …`` of a chat, and ``**Speaker:** …``. Nothing after the latter
# makes it the heading of a list.
_NAME = rf"[^\W\d_][\w.'’&/-]{{0,29}}(?: (?!{_TIME})[\w.'’&/()-]{{1,20}}){{0,3}}"
_TURN = re.compile(
    rf"(?![ \t]*\*\*[^*\r\n]*(?::\*\*|\*\*:)[ \t]*(?:[\r\n]|\Z))"
    rf"[ \t]*(?:\*\*)?(?:{_TIME}[ \t]*(?:[-–—][ \t]*)?)?"
    rf"(?P<speaker>{_NAME})(?:\*\*)?[ \t]*(?:{_TIME})?[ \t]*"
    rf"(?::(?=\s|\*\*|\Z)|\uff1a)(?:\*\*)?[ \t]*"
    rf"|[ \t]*(?P<alone>{_NAME})[ \t]+{_TIME}[ \t]*(?=[\r\n]|\Z)"
    rf"|[ \t]*(?:{_TIME}[ \t]*)?<[ @+]?(?!(?i:{_ELEMENTS})>)(?P<nick>[^\s<>/]{{1,30}})>[ \t]+"
)
# Characters that are not visible, such as the marks of direction that an iPhone writes.
_INVISIBLE = "\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"
# Stamp of a message in an exported chat: ``12/01/2024, 21:40 - Ann: …`` or
# ``[12.01.24, 21:40:05] Ann: …``. A name may be a telephone number. A line without a name is a
# notice of the program; it may quote a colon. Lines with ``<speaker>`` are not of this form.
_WORD_OF_NAME, _GAP = r"[^\s:\"“”„«»]{1,40}", r"[^\S\r\n]"
_STAMPED = re.compile(
    rf"(?:{_GAP}|[{_INVISIBLE}])*(?P<bracket>\[)?"
    rf"(?P<stamp>\d{{1,4}}(?P<mark>[./-])\d{{1,2}}(?P=mark)\d{{1,4}}\.?,?{_GAP}+"
    rf"(?:[^\W\d_]{{1,4}}\.?{_GAP}*)?\d{{1,2}}[:.]\d\d(?:[:.]\d\d)?"
    rf"(?:{_GAP}?[AaPp]\.?{_GAP}?[Mm]\b\.?)?)"
    rf"(?(bracket)\]|{_GAP}+[-–—]{_GAP}){_GAP}*(?!<[^\s<>/]{{1,30}}>\s)"
    rf"(?:(?P<speaker>{_WORD_OF_NAME}(?:{_GAP}{_WORD_OF_NAME}){{0,5}}):(?=\s|\Z)[ \t]*)?"
)


class Span(NamedTuple):
    """Part of a text, in characters; ``speaker`` and ``stamp`` are "" unless they are known."""

    start: int
    end: int
    speaker: str = ""
    stamp: str = ""


class _TurnStart(NamedTuple):
    """Start of a turn, start of its words, its speaker, and its date and time."""

    start: int
    words: int
    speaker: str
    stamp: str = ""


def check_rule(rule: str) -> str:
    """Return a rule in its full form.

    Raises InputError if it has an unknown kind, or no number or marker where one is needed.
    """
    kind, colon, value = rule.partition(":")
    kind = kind.strip().lower()
    if kind == SENTENCES:
        number = read_whole_number(value.strip()) if colon else DEFAULT_SENTENCES
        if not number or number >= 10**6:
            raise InputError(
                f"passages of {value!r} sentences cannot be made; give a number: sentences:10"
            )
        return f"{SENTENCES}:{number}"
    if kind == MARKER:
        if not value.strip():
            raise InputError("passages need the text of the marker; give it as in marker:***")
        return f"{MARKER}:{value.strip()}"
    if kind not in KINDS or colon:
        raise InputError(
            f"passages cannot be made by {rule!r}; give paragraphs, sentences:10, turns, "
            "marker:TEXT or none"
        )
    return kind


def passage_spans(text: str, rule: str) -> list[Span]:
    """Passages of a text by a rule, in order, without white space at their ends.

    They do not overlap. Markers and the names of speakers are in no passage.
    """
    kind, _, value = rule.partition(":")
    if kind == PARAGRAPHS:
        spans = _between(text, _BLANK_LINES)
    elif kind == SENTENCES:
        spans = _sentences(text, int(value))
    elif kind == TURNS:
        spans = _turns(text)
    elif kind == MARKER:
        spans = _marked(text, value)
    else:
        spans = iter([Span(0, len(text))])
    return [span for span in (_trimmed(text, span) for span in spans) if span.start < span.end]


def divide(table: pd.DataFrame, rule: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Documents of passages, and the whole text of each of their documents by its id.

    Parameters
    ----------
    table : pandas.DataFrame
        Documents, as in `RawDocuments.table`. Columns with the names of new ones are renamed,
        except ``date``, which is kept in place of the dates of messages.
    """
    new = {DOCUMENT, *POSITIONS, DOCUMENT_LABEL}
    table = table.rename(columns={name: f"{name} (column)" for name in table if name in new})
    texts = table["text"].tolist()
    found = [passage_spans(text, rule) for text in texts]
    sizes = [len(spans) for spans in found]
    passages = table.iloc[np.repeat(np.arange(len(table)), sizes)].reset_index(drop=True)
    spans = [span for of_document in found for span in of_document]
    passages[DOCUMENT] = passages["id"]
    numbers = [number for size in sizes for number in range(1, size + 1)]
    passages["id"] = [
        f"{name}-{number}" for name, number in zip(passages["id"], numbers, strict=True)
    ]
    rows = [row for row, size in enumerate(sizes) for _ in range(size)]
    passages["text"] = [
        texts[row][span.start : span.end] for row, span in zip(rows, spans, strict=True)
    ]
    for column, place in zip(POSITIONS, ("start", "end"), strict=True):
        passages[column] = np.array([getattr(span, place) for span in spans], np.int64)
    if rule == TURNS:
        if table["label"].notna().any():
            passages[DOCUMENT_LABEL] = passages["label"]
        passages["label"] = [span.speaker or None for span in spans]
        if "date" not in passages and any(span.stamp for span in spans):
            passages["date"] = [span.stamp or None for span in spans]
    whole = dict(zip(table["id"], texts, strict=True))
    return normal_table(passages), whole


def turns_guesses(passages: pd.DataFrame, order: str | None, *, dated: bool) -> list[Guess]:
    """Report the speakers of turns with their numbers of turns, and the dates of messages.

    Parameters
    ----------
    order : str, optional
        Order of the numbers of a date, if the user set it.
    dated : bool
        Whether the column ``date`` contains the dates of messages.
    """
    counts = passages["label"].value_counts()
    listed = [f"{name} ({count:,})" for name, count in counts.head(SPEAKERS_LISTED).items()]
    if len(counts) > SPEAKERS_LISTED:
        listed.append(f"and {len(counts) - SPEAKERS_LISTED:,} more")
    reasons = ["each line with a date, a time and a name begins a turn"] if dated else []
    without = int(passages["label"].isna().sum())
    if without:
        reasons.append(f"{without:,} passage{'s have' if without > 1 else ' has'} no speaker")
    guesses = [Guess("speakers", ", ".join(listed), "; ".join(reasons))]
    dates = date_guess(passages["date"], "date", order) if dated else None
    return [*guesses, dates] if dates else guesses


def document_of_passage(documents: pd.DataFrame) -> Int64Array | None:
    """Index of the document of each passage, shape (n_passages,); None unless rows are passages.

    Documents are numbered in the order of their first passage.
    """
    if DOCUMENT not in documents or not set(POSITIONS) <= set(documents.columns):
        return None
    if not all(pd.api.types.is_integer_dtype(documents[name]) for name in POSITIONS):
        return None
    return pd.factorize(documents[DOCUMENT].astype(str))[0].astype(np.int64)


def is_transcript(text: str) -> bool:
    """Whether a text consists mostly of the turns of speakers who speak repeatedly."""
    text = text[:SAMPLE_LETTERS]
    counts = Counter(turn.speaker for turn in _turn_starts(text) if turn.speaker)
    turns = counts.total()
    lines = sum(1 for line in _LINE_END.split(text) if line.strip())
    return (
        turns >= MIN_TURNS
        and len(counts) >= 2
        and turns >= TURNS_PER_SPEAKER * len(counts)
        and turns >= MIN_SHARE * lines
    )


def needs_whole_file(rule: str, text: str) -> bool:
    """Whether a text file is one document for this rule, and not one document a line.

    Turns and markers span lines. So do paragraphs and sentences in a file with blank lines.
    """
    kind = rule.partition(":")[0]
    return kind in (TURNS, MARKER) or (kind != NONE and bool(_BLANK_LINES.search(text.strip())))


def rule_for_one(text: str) -> str:
    """Rule for a source with only one document: its turns or its paragraphs."""
    return TURNS if is_transcript(text) else PARAGRAPHS


def have_dated_turns(texts: Iterable[str]) -> bool:
    """Whether any turn of some texts begins with a date and a time."""
    return any(turn.stamp for text in texts for turn in _turn_starts(text))


def suitable_rule(texts: Sequence[str]) -> tuple[str, float] | None:
    """Rule that suits whole documents, if any, and the share of a sample that it suits.

    It is ``turns`` for transcripts, and ``paragraphs`` for long texts.
    """
    sample = texts[:: max(len(texts) // SAMPLE_DOCUMENTS, 1)]
    # In a text file, every line of a transcript is a document.
    lines = "\n".join(text for text in texts[:1_000] if "\n" not in text)
    transcripts = sum(map(is_transcript, sample))
    if 2 * transcripts > len(sample) or is_transcript(lines):
        return TURNS, 1.0
    long = sum(len(text.split(maxsplit=LONG_WORDS)) > LONG_WORDS for text in sample)
    return (PARAGRAPHS, long / len(sample)) if long >= MANY_LONG * len(sample) > 0 else None


def offered(texts: Sequence[str]) -> Guess | None:
    """Report that documents are whole, if passages would suit them: transcripts and long texts."""
    suitable = suitable_rule(texts)
    if suitable is None:
        return None
    rule, share = suitable
    reason = (
        f"{share:.0%} of the documents have more than {LONG_WORDS:,} words; "
        "with “paragraphs” or “sentences:10”, parts of them are documents"
    )
    if rule == TURNS:
        reason = "they are a transcript; with “turns”, each turn of a speaker is a document"
    return Guess("passages", "none", reason, "passages")


def _trimmed(text: str, span: Span) -> Span:
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip())
    return span._replace(start=start, end=max(span.start + len(part.rstrip()), start))


def _between(text: str, separator: re.Pattern[str]) -> Iterator[Span]:
    place = 0
    for found in separator.finditer(text):
        yield Span(place, found.start())
        place = found.end()
    yield Span(place, len(text))


def _sentences(text: str, count: int) -> Iterator[Span]:
    """Runs of ``count`` sentences; a blank line ends a sentence, but not a run."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    ends += [found.start() for found in _BLANK_LINES.finditer(text) if found.start()]
    ends = sorted({*ends, len(text)})
    # The end before a blank line may be the end of a sentence already.
    distinct = [
        end for before, end in zip([0, *ends], ends, strict=False) if text[before:end].strip()
    ]
    place = 0
    for end in [*distinct[count - 1 :: count], len(text)]:
        yield Span(place, end)
        place = end


def _marked(text: str, marker: str) -> Iterator[Span]:
    """Parts that begin with a line that begins with the marker; the marker itself is left out."""
    lines = re.compile(rf"(?:^|(?<=[\r\n]))[^\S\r\n]*{re.escape(marker)}")
    yield from _between(text, lines)


def _turn_starts(text: str) -> list[_TurnStart]:
    """Starts of turns, and of the notices in an exported chat, which have no speaker.

    In an exported chat, only a line with a stamp begins a turn. In other texts, speakers who speak
    once do not count.
    """
    found: list[_TurnStart] = []
    stamped: list[_TurnStart] = []
    n_lines = place = 0
    while place < len(text):
        turn, stamp = _TURN.match(text, place), _STAMPED.match(text, place)
        if turn:
            speaker = turn["speaker"] or turn["alone"] or turn["nick"]
            found.append(_TurnStart(place, turn.end(), _visible(speaker)))
        if stamp:
            speaker = _visible(stamp["speaker"] or "")
            stamped.append(_TurnStart(place, stamp.end(), speaker, _visible(stamp["stamp"])))
        n_lines += bool(turn or stamp)
        line_end = _LINE_END.search(text, place)
        place = line_end.end() if line_end else len(text)
    n_named = sum(1 for turn in stamped if turn.speaker)
    if n_named >= MIN_STAMPED and len(stamped) >= SHARE_STAMPED * n_lines:
        return stamped
    counts = Counter(turn.speaker for turn in found)
    known = {name for name, count in counts.most_common(MAX_SPEAKERS) if count > 1}
    return [turn for turn in found if turn.speaker in known]


def _visible(name: str) -> str:
    """Return a name without invisible characters, and with single spaces."""
    return " ".join(re.sub(f"[{_INVISIBLE}]", "", name).split())


def _turns(text: str) -> Iterator[Span]:
    """Turns without times and speakers; the part before the first turn has no speaker."""
    before = _TurnStart(0, 0, "")
    for turn in _turn_starts(text):
        yield Span(before.words, turn.start, before.speaker, before.stamp)
        before = turn
    yield Span(before.words, len(text), before.speaker, before.stamp)
