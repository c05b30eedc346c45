"""Topic names by a language model: the prompt, which the user copies, and its answer.

Nothing is sent. An answer may be lines, JSON, a Markdown table or CSV.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..data.corpus import Corpus
from ..inference.nearest import topic_keywords, typical_documents
from ..model.overlay import checked_label
from ..model.topic_model import TopicModel
from ..storage.activations import Activations
from ..utils.errors import InputError
from .table import top_words

# Top words and texts for each topic; a text is cut to this number of characters.
N_WORDS = 12
N_TEXTS, MAX_TEXT = 3, 240
# Topics in one prompt, about 6,000 tokens. Longer prompts get incomplete answers and exceed the
# context of some models.
MAX_TOPICS = 25

HEAD = """Below are {count} of a collection of texts, found by a topic model. For each one you see \
its id, its top words and, where there are any, the beginnings of its most typical texts.

Give each topic a short name, of one to five words, in the language of the texts. The name states \
what the words and texts have in common, and how the topic differs from the others. Do not list \
words.

Answer with one line for each topic and nothing else: its id, a colon, its name.
"""


def topic_texts(
    model: TopicModel, topic: int, corpus: Corpus | None, stored: Activations | None
) -> list[str]:
    """Beginnings of the documents that are most typical of a topic, each on one line.

    ``corpus`` is the training corpus with the vocabulary of the model, ``stored`` the topic
    probabilities of its documents; without either, there are no texts.
    """
    if corpus is None or stored is None or not len(stored.rows):
        return []
    if stored.rows[-1] >= corpus.n_documents or corpus.vocabulary != model.vocabulary:
        return []
    probability = np.zeros(corpus.n_documents)
    probability[stored.rows] = stored.probability[:, [topic]].toarray().ravel()
    words = topic_keywords(model, topic)
    # Four times the number, because the texts of some documents are empty or equal.
    rows = typical_documents(corpus, probability, words, 4 * N_TEXTS)
    texts = (shortened(str(corpus.documents["text"].iat[row])) for row in rows)
    return list(dict.fromkeys(text for text in texts if text))[:N_TEXTS]


def shortened(text: str, limit: int = MAX_TEXT) -> str:
    """Beginning of a text on one line, cut between words if possible."""
    line = " ".join(text[: 4 * limit].split())
    if len(line) <= limit:
        return line
    space = line.rfind(" ", limit // 2, limit)
    return line[: space if space > 0 else limit - 1].rstrip() + "…"


def prompt_parts(topics: Sequence[int]) -> list[list[int]]:
    """Distribute topics evenly over as few prompts as possible."""
    n_parts = -(-len(topics) // MAX_TOPICS)
    bounds = [part * len(topics) // max(n_parts, 1) for part in range(n_parts + 1)]
    return [list(topics[begin:end]) for begin, end in pairwise(bounds)]


def naming_prompt(
    model: TopicModel, topics: Sequence[int], corpus: Corpus | None, stored: Activations | None
) -> str:
    """Prompt for names of some topics, with the top words and typical texts of each."""
    count = f"{len(topics)} topics" if len(topics) != 1 else "1 topic"
    lines = [HEAD.format(count=count)]
    for topic in topics:
        texts = topic_texts(model, topic, corpus, stored)
        lines += [
            f"id: {model.network.graph.topic_ids[topic]}",
            f"words: {', '.join(top_words(model, topic, N_WORDS))}",
            *(f"text: {text}" for text in texts),
            "",
        ]
    return "\n".join(lines)


UNKNOWN, NO_NAME = "it names no topic of this model", "it gives no name"
AGAIN = "another name for this topic stands above"
ID_COLUMNS, NAME_COLUMNS = ("id", "topic", "topic id"), ("name", "label", "title", "topic name")
# Separators between an id and its name on a line; the first one after an id is used.
_BETWEEN = re.compile(r":|=|→|->|–|—|\t|,|;|(?<=\s)-\s")
# Between the cells of a table.
DELIMITERS = "|\t;,"
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,5}[.)])\s+")
_RULE = re.compile(r"^[\s|:+\-–—=_*`]*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_AROUND = " \t*`_\"'“”„«»‘’"
# Characters; a longer line is no name and is not searched for an id.
MAX_LINE = 2_000


class Miss(NamedTuple):
    """Line that could not be read; ``line`` counts from 1 and is 0 for a single JSON value."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class Answer:
    """Names found in an answer, by the ids of the topics, and the lines that could not be read."""

    names: dict[str, str]
    misses: tuple[Miss, ...]


class _Columns(NamedTuple):
    topic: int
    name: int
    total: int


class _Found(NamedTuple):
    line: int
    text: str
    topic: str
    name: str


def read_answer(text: str, topic_ids: Iterable[str]) -> Answer:
    """Find the names that a text gives to the topics with these ids.

    Each line is read separately, as ``id: name``, as a row of a table in Markdown or CSV, or as a
    JSON object; or the whole text is one JSON value. All other lines, and those whose names are
    not allowed, are listed in ``misses``.
    """
    known = frozenset(topic_ids)
    found = _of_json(text, known)
    if found is None:
        found = list(_of_lines(text, known))
    names: dict[str, str] = {}
    misses = []
    for line, source, topic, name in found:
        reason = "" if topic in known else UNKNOWN
        try:
            name = checked_label(name.strip(_AROUND))
        except InputError as error:
            reason = reason or str(error)
        reason = reason or ("" if name else NO_NAME)
        if not reason and names.setdefault(topic, name) != name:
            reason = AGAIN
        if reason:
            misses.append(Miss(line, source, reason))
    return Answer(names, tuple(misses))


def _of_json(text: str, known: frozenset[str]) -> list[_Found] | None:
    """Names in a JSON value, which may be surrounded by other lines; None without one."""
    begin = min((place for place in map(text.find, "{[") if place >= 0), default=-1)
    end = max(text.rfind("}"), text.rfind("]"))
    if not 0 <= begin < end:
        return None
    try:
        value = json.loads(text[begin : end + 1], object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    return [
        _Found(0, f"{topic}: {name}", topic, name) for topic, name in _pairs(value, known)
    ] or None


class _Pairs(list[tuple[str, Any]]):
    """Members of a JSON object, including repeated keys."""


def _pairs(value: Any, known: frozenset[str]) -> Iterator[tuple[str, str]]:
    if not isinstance(value, _Pairs):
        for part in value if isinstance(value, list) else ():
            yield from _pairs(part, known)
        return
    topic, name = _first(value, ID_COLUMNS, (str, int)), _first(value, NAME_COLUMNS)
    if topic is not None and name is not None:
        yield topic, name
        return
    for key, part in value:
        if isinstance(part, str):
            yield key, part
        elif key in known and isinstance(part, _Pairs):
            yield key, _first(part, NAME_COLUMNS) or ""
        else:
            yield from _pairs(part, known)


def _first(value: _Pairs, names: Sequence[str], kinds: tuple[type, ...] = (str,)) -> str | None:
    """Member of an object with the first of these names that has a value of these kinds."""
    members = {
        _column(key): str(part)
        for key, part in value
        if isinstance(part, kinds) and not isinstance(part, bool)
    }
    return next((members[name] for name in names if name in members), None)


def _column(text: str) -> str:
    """Name of a column or of a member as in `ID_COLUMNS` and `NAME_COLUMNS`."""
    return text.strip(_AROUND).lower().replace("_", " ")


def _of_lines(text: str, known: frozenset[str]) -> Iterator[_Found]:
    """Id and name on each line; lines without a topic have an empty id."""
    columns: dict[str, _Columns] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or _FENCE.match(line) or _RULE.match(line):
            continue
        stripped = line.strip()
        if len(line) > MAX_LINE:
            yield _Found(number, stripped, "", "")
            continue
        header = _header(line)
        if header:
            columns |= header
            continue
        found = _of_json(line, known) if stripped.startswith("{") else None
        pair = found[0][2:] if found else _of_line(line, known, columns)
        yield _Found(number, stripped, *(pair or ("", "")))


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        inside = line.strip().removeprefix("|").removesuffix("|")
        return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inside)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
    except (csv.Error, StopIteration):
        return []


def _header(line: str) -> dict[str, _Columns]:
    """Columns of the rows below, by their delimiter; empty if the line is not a header."""
    for delimiter in DELIMITERS:
        cells = [_column(cell) for cell in _cells(line, delimiter)]
        topic = next((cells.index(name) for name in ID_COLUMNS if name in cells), -1)
        name = next((cells.index(name) for name in NAME_COLUMNS if name in cells), -1)
        if topic >= 0 and name >= 0:
            return {delimiter: _Columns(topic, name, len(cells))}
    return {}


def _of_line(
    line: str, known: frozenset[str], columns: dict[str, _Columns]
) -> tuple[str, str] | None:
    """Id and name in a row below a header; without one, the longest id of any other form."""
    row = _of_row(line, known, columns)
    if row is not None:
        return row
    two_cells = dict.fromkeys(DELIMITERS, _Columns(0, 1, 2))
    found = filter(None, (_of_row(line, known, two_cells), _of_text(line, known)))
    return max(found, key=lambda pair: len(pair[0]), default=None)


def _of_row(
    line: str, known: frozenset[str], columns: dict[str, _Columns]
) -> tuple[str, str] | None:
    """Id and name from a table row with these columns, by the delimiter."""
    for delimiter, place in columns.items():
        cells = _cells(line, delimiter)
        # An unquoted name that contains the delimiter gives more cells.
        code = _known(cells[place.topic], known) if len(cells) == place.total else None
        if code is not None:
            return code, cells[place.name]
    return None


def _of_text(line: str, known: frozenset[str]) -> tuple[str, str] | None:
    """Id and name around a separator; of several possible ids, the longest one."""
    for clean in (line, _BULLET.sub("", line, count=1)):
        places = [(m.start(), m.end()) for m in _BETWEEN.finditer(clean)]
        for begin, end in reversed(places):
            code = _known(clean[:begin].rstrip(), known)
            if code is not None:
                name = clean[end:].strip()
                # A line copied from a JSON object ends in a comma.
                return code, name.removesuffix(",") if name.startswith('"') else name
    return None


def _known(text: str, known: frozenset[str]) -> str | None:
    """Topic id in a text, perhaps in quotation marks or brackets, or after the word "id"."""
    wrapping = _AROUND + "[]()"
    unlabelled = re.sub(r"(?i)^\W*(?:topic|id)\W+", "", text)
    forms = (text, text.strip(), text.strip(wrapping), unlabelled.strip(wrapping))
    return next((form for form in forms if form in known), None)
