"""Recognition of the header of a table by the evidence of each column.

Evidence is in nats, the logarithm of a likelihood ratio: how probable is the cell as a column name,
and how probable as one more value of the column below it? A name is unlike the dates, numbers or
codes below it, does not occur again among few values, and is shorter than the sentences
below it; but no property of the name alone decides. The probabilities of names are rough counts
from public tables, and the others are smoothed shares of the column.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, zip_longest

from ..utils.parsing import read_whole_number
from .missing import is_missing

# Rows below the header on which the evidence is based, and the share of them that have one type.
SAMPLE_ROWS, TYPE_SHARE = 1_000, 0.8
# Evidence before a row is seen: for a header of several columns or of one, and for another row of
# names below it.
PRIOR, PRIOR_OF_ONE, PRIOR_OF_MORE = 2.0, 1.0, -4.0
# Rows of names; survey programs write up to three.
MAX_HEADER_ROWS = 3
# Mean number of characters of a cell from which a column has texts rather than labels.
MIN_TEXT = 25
# Limits of the evidence of a column from the type, the repetition, and the form of its cells.
MAX_TYPE, MAX_REPEATED, MAX_FORM = 5.0, 7.0, 3.5
# Probability that a column name has the form of the values: dates and codes, one number of a
# sequence, and any other number.
P_SAME_SHAPE, P_SEQUENCE, P_NUMBER = 0.001, 0.03, 0.0005
P_MISSING, P_REPEATED, P_BLANK = 0.001, 0.001, 0.4
# Evidence of numbers that are far from those below them, such as years above scores.
FAR, YEARS = 2.0, range(1900, 2101)
# Upper limits of the numbers of words that are counted together, and shares of column names.
WORD_LIMITS, NAME_WORDS = (1, 2, 4, 9, 19), (0.5, 0.22, 0.14, 0.1, 0.03, 0.01)
NAME_BEGINS = {"upper": 0.5, "lower": 0.35, "digit": 0.05, "other": 0.1}
NAME_ENDS = {"word": 0.8, "?": 0.1, ".": 0.02, "other": 0.08}
# Evidence from a name that programs and people give to columns.
KNOWN_NAME, PROGRAM_NAME = 3.0, 1.5
KNOWN_NAMES = frozenset(
    [
        "abstract",
        "author",
        "authors",
        "body",
        "category",
        "class",
        "comment",
        "comments",
        "content",
        "contents",
        "country",
        "date",
        "description",
        "doc",
        "doc_id",
        "document",
        "document_id",
        "gender",
        "group",
        "headline",
        "id",
        "key",
        "label",
        "lang",
        "language",
        "message",
        "name",
        "no",
        "nr",
        "number",
        "rating",
        "response",
        "review",
        "score",
        "section",
        "sentiment",
        "source",
        "subject",
        "summary",
        "tags",
        "target",
        "text",
        "texts",
        "theme",
        "time",
        "timestamp",
        "title",
        "topic",
        "tweet",
        "type",
        "url",
        "user",
        "username",
        "year",
    ]
)
_PROGRAM_NAME = re.compile(r"[^\W\d]\w*(?:[_.]\w+)+|[a-z]+(?:[A-Z][a-z\d]+)+|[A-Z]{1,3}\d{1,3}")
_NUMBER = re.compile(r"[-+]?[\d.,'\u2019\u00a0]*\d(?:[eE][-+]?\d+)?\s?%?")
_DIGITS, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
# Code of a question, and cells below it that are no question: a type of answer, and JSON.
QUESTION_CODE = re.compile(r"[A-Za-z]{1,4}[_.]?\d+(?:[_.]\w+)*")
_NO_QUESTION = re.compile(r"\{.*\}|(?:open-ended )?response", re.IGNORECASE | re.DOTALL)
# Columns whose cells look like this have a type even without digits.
_ADDRESS = re.compile(r"\S+@\S+\.\S+|\w+://\S+|www\.\S+")


@dataclass
class Evidence:
    """Evidence in nats that a row contains names, and the reasons in plain words."""

    nats: float
    n_types: int = 0  # columns whose cell has another type than those below
    reasons: list[tuple[float, str]] = field(default_factory=list)

    def add(self, nats: float, reason: str) -> None:
        """Add the evidence of a column; ``reason`` is a clause about it."""
        self.nats += nats
        self.reasons.append((nats, reason))

    @property
    def reason(self) -> str:
        """The strongest reason in the direction of the result."""
        sign = 1 if self.nats > 0 else -1
        best = max(self.reasons, key=lambda pair: sign * pair[0], default=(0.0, ""))
        if sign * best[0] < 1:
            return "most tables have a header" if sign > 0 else "it looks like the rows below it"
        return best[1]


def count_header_rows(rows: Sequence[Sequence[str]]) -> tuple[int, str]:
    """Count the rows of column names at the beginning, and the reason in plain words.

    All rows have the same number of cells; `SAMPLE_ROWS` + `MAX_HEADER_ROWS` of them suffice.
    """
    if len(rows) < 2:
        names = [cell.strip() for cell in rows[0]] if rows else []
        is_data = any(_NUMBER.fullmatch(name) or _end(name) in ".?" for name in names if name)
        return int(any(names) and not is_data), "it is the only row"
    prior = PRIOR if len(rows[0]) > 1 else PRIOR_OF_ONE
    first = evidence_of_names(rows[0], rows[1:], prior)
    if first.nats <= 0 or not any(cell.strip() for cell in rows[0]):
        return 0, first.reason
    count = 1
    while count < min(MAX_HEADER_ROWS, len(rows) - 1):
        below = rows[count + 1 :]
        more = evidence_of_names(rows[count], below, PRIOR_OF_MORE, is_first=False)
        # A row that repeats the names, or several columns of another type; a single cell may be
        # an outlier in the first row of data.
        if not (more.nats > 0 and more.n_types > 1 and len(below) > 1):
            break
        count += 1
    return count, first.reason


def header_names(header: Sequence[Sequence[str]]) -> tuple[list[str], str]:
    """Name of each column in the rows of a header, and in plain words which rows it is from.

    A name is the first non-empty cell; the code of a question, such as ``Q1``, is followed by the
    question in the row below.
    """
    names, joined, added = list[str](), list[str](), list[str]()
    # A short row has no names for the last columns.
    columns = islice(zip_longest(*header, fillvalue=""), len(header[0]))
    for first, *others in columns:
        name = next((cell for cell in (first, *others) if cell.strip()), "")
        question = " ".join(others[0].split()) if others else ""
        if name and not first.strip():
            added.append(name)
        elif (
            question not in ("", first.strip())
            and QUESTION_CODE.fullmatch(first.strip())
            and not _NO_QUESTION.fullmatch(question)
        ):
            name = f"{first.strip()} {question}"
            joined.append(name)
        names.append(name)
    if joined:
        return names, f"a code and the question below it are one name, such as {_quoted(joined[0])}"
    where = "the names are in the first of them"
    return names, f"{where}, and {_quoted(added[0])} is in another" if added else where


def evidence_of_names(
    row: Sequence[str], below: Sequence[Sequence[str]], prior: float, *, is_first: bool = True
) -> Evidence:
    """Evidence that ``row`` contains names of the columns whose cells are in the rows ``below``."""
    evidence = Evidence(prior)
    names = [cell.strip() for cell in row]
    # Files that were put one below the other repeat the header; in a single column, the row may be
    # a frequent answer.
    other = [cells for cells in below[:SAMPLE_ROWS] if len(row) == 1 or [*cells] != [*row]]
    filled = [name for name in names if name]
    if len(filled) > len(set(filled)) and is_first:
        n_repeated = len(filled) - len(set(filled))
        evidence.add(-2.0 * n_repeated, "the same word stands in several of its cells")
    # Whether each number among the names is far from the numbers below it.
    numbers: list[bool] = []
    # Empty cells of one row depend on each other: a short answer leaves all others out.
    blank = 0.0
    for position, name in enumerate(names):
        cells = [cells[position].strip() for cells in other if position < len(cells)]
        values = [cell for cell in cells if cell and not is_missing(cell)]
        if not name:
            if not is_first and values:
                ratio = P_BLANK * (len(cells) + 1) / (len(cells) - len(values) + 0.5)
                blank = max(blank, _limited(math.log(ratio), MAX_FORM))
            continue
        if is_missing(name):
            share = (len(cells) - len(values) + 0.5) / (len(cells) + 1)
            nats = _limited(math.log(P_MISSING / share), MAX_FORM)
            evidence.add(nats, f"{_quoted(name)} marks a missing value")
            continue
        if is_first and _is_known(name):
            evidence.add(KNOWN_NAME, f"{_quoted(name)} is a usual name of a column")
        elif is_first and _PROGRAM_NAME.fullmatch(name) and _shape(name) not in map(_shape, values):
            evidence.add(PROGRAM_NAME, f"{_quoted(name)} has the form of a column name")
        if values:
            _add_column(evidence, name, values, numbers)
    if blank:
        evidence.add(blank, "a cell is empty above filled ones")
        evidence.n_types += blank > 1
    _add_numbers(evidence, names, numbers)
    return evidence


def _add_column(evidence: Evidence, name: str, values: list[str], numbers: list[bool]) -> None:
    """Add the evidence of a column; numbers are collected, since they depend on each other."""
    n_values = len(values)
    n_numbers = sum(_NUMBER.fullmatch(value) is not None for value in values)
    is_number = _NUMBER.fullmatch(name) is not None
    shapes = Counter(map(_shape, values))
    n_typed = sum(count for shape, count in shapes.items() if "9" in shape or "@" in shape)
    frequent = {shape for shape, count in shapes.items() if 20 * count >= n_values}
    if n_numbers >= TYPE_SHARE * n_values:
        if is_number:
            numbers.append(_is_far(name, values))
        else:
            nats = math.log((n_values + 1) / (n_values - n_numbers + 0.5))
            evidence.add(min(nats, MAX_TYPE), f"{_quoted(name)} stands above numbers")
            evidence.n_types += 1
        return
    if n_typed >= TYPE_SHARE * n_values and len(frequent) <= 5 and _share(shapes, frequent) > 0.6:
        if _shape(name) in frequent:
            nats = math.log(P_SAME_SHAPE / (shapes[_shape(name)] / n_values))
            evidence.add(nats, f"{_quoted(name)} has the form of the cells below it")
        else:
            n_unlike = sum(count for shape, count in shapes.items() if shape not in frequent)
            nats = math.log((n_values + 1) / (n_unlike + 0.5))
            reason = f"{_quoted(name)} stands above dates, codes or addresses"
            evidence.add(min(nats, MAX_TYPE), reason)
            evidence.n_types += 1
        return
    counts = Counter(values)
    n_single = sum(count == 1 for count in counts.values())
    if name in counts:
        nats = math.log(P_REPEATED / max((n_values - n_single) / n_values, 1 / n_values))
        evidence.add(max(nats, -MAX_REPEATED), f"{_quoted(name)} occurs again in its column")
        return
    # By the estimate of Good and Turing, the probability of a new value.
    new = math.log((n_values + 1) / (n_single + 1))
    form = _form_evidence(name, values)
    if sum(map(len, values)) > MIN_TEXT * n_values:
        # Texts that occur again are a weak sign; nearly every text is new.
        new = min(new, 1.0)
    if new > 1:
        evidence.add(min(new, MAX_TYPE), f"{_quoted(name)} is none of the few values below it")
        evidence.n_types += new > 2
    evidence.add(
        form,
        f"{_quoted(name)} is unlike the texts below it"
        if form > 0
        else (f"{_quoted(name)} reads like the texts below it"),
    )


def _form_evidence(name: str, values: list[str]) -> float:
    """Evidence from the number of words and the first and last characters of a text."""
    lengths = Counter(_words_class(value) for value in values)
    total = _ratio(NAME_WORDS[_words_class(name)], lengths[_words_class(name)], lengths, 6)
    begins = Counter(_begin(value) for value in values)
    begin = _ratio(NAME_BEGINS[_begin(name)], begins[_begin(name)], begins, 4)
    ends = Counter(_end(value) for value in values)
    end = _ratio(NAME_ENDS[_end(name)], ends[_end(name)], ends, 4)
    return _limited(total + _limited(begin, 1.5) + end, MAX_FORM)


def _ratio(p_name: float, count: int, counts: Counter[str] | Counter[int], n_kinds: int) -> float:
    """Logarithm of the probability among names by the smoothed share among the values."""
    return math.log(p_name * (counts.total() + 0.5 * n_kinds) / (count + 0.5))


def _add_numbers(evidence: Evidence, names: list[str], numbers: list[bool]) -> None:
    """Add the evidence of numbers above numbers: years and sequences may be column names."""
    if not numbers:
        return
    if all(numbers):
        evidence.add(FAR * min(len(numbers), 2), "its numbers are far from those below them")
        return
    numbers_read = map(read_whole_number, names)
    whole = [number for number in numbers_read if number is not None]
    steps = {after - before for before, after in pairwise(whole)}
    p_name = P_SEQUENCE if len(whole) == sum(map(bool, names)) > 1 and steps == {1} else P_NUMBER
    nats = math.log(p_name) + 0.35 * (1 - len(numbers))
    evidence.add(nats, "it contains numbers like the rows below it")


def _is_far(name: str, values: list[str]) -> bool:
    """Whether a number is outside the range of others by more than three times its width.

    So is a year above numbers that are not years.
    """
    found = [_number(value) for value in values]
    below = [value for value in found if value is not None]
    number = _number(name)
    if number is None or len(below) < 2:
        return False
    if number in YEARS and not any(value in YEARS for value in below):
        return True
    low, high = min(below), max(below)
    margin = 3 * max(high - low, 1.0)
    return not low - margin <= number <= high + margin


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".").rstrip("% "))
    except ValueError:
        return None


def _shape(text: str) -> str:
    """Text with each run of letters as ``a`` and each run of digits as ``9``."""
    if _ADDRESS.fullmatch(text):
        return "@"
    return _LETTERS.sub("a", _DIGITS.sub("9", text[:60]))


def _share(shapes: Counter[str], chosen: set[str]) -> float:
    return sum(shapes[shape] for shape in chosen) / shapes.total()


def _words_class(text: str) -> int:
    n_words = len(text[:2_000].split())
    return next((kind for kind, limit in enumerate(WORD_LIMITS) if n_words <= limit), 5)


def _begin(text: str) -> str:
    first = text[0]
    if first.isdigit():
        return "digit"
    return "upper" if first.isupper() else "lower" if first.islower() else "other"


def _end(text: str) -> str:
    last = text[-1]
    if last.isalnum():
        return "word"
    return "?" if last in "?？؟" else "." if last in ".!。…" else "other"


def _is_known(name: str) -> bool:
    return name.strip(" \t.:*#_").lower() in KNOWN_NAMES


def _limited(nats: float, most: float) -> float:
    return max(-most, min(most, nats))


def _quoted(name: str) -> str:
    shown = "".join(sign for sign in " ".join(name.split()) if sign.isprintable())
    return f"“{shown}”" if len(shown) <= 40 else f"“{shown[:39]}…”"
