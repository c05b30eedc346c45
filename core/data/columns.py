"""Roles of the columns of a table: text, id, label, title and date.

`COLUMN_NAMES` is the only list of the names by which columns are recognised. The imports of the
command and of the app use it, and so do pages that show the columns of a stored corpus.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import Int32Array
from .dates import (
    DATE_NAME,
    UNKNOWN,
    date_guess,
    looks_like_dates,
    ordered_dates,
    read_dates,
)
from .encodings import storable_text
from .guesses import Guess
from .header_rows import QUESTION_CODE
from .word_patterns import SPACELESS

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Common names of the columns of each role, the most specific first.
COLUMN_NAMES = {
    "text": (
        # A column "text" beside these is shortened.
        *("full_text", "fulltext"),
        *("text", "body", "content", "contents", "abstract", "document", "message", "review"),
        *("texts", "tweet"),
        # "text" in other languages.
        *("texto", "texte", "testo", "tekst", "teksti", "szöveg", "metin", "matn", "văn bản"),
        *("текст", "κείμενο", "טקסט", "نص", "النص", "متن", "पाठ", "文本", "正文", "内容", "本文"),
        *("テキスト", "텍스트", "본문", "내용", "ข้อความ"),
    ),
    "id": ("id", "doc_id", "document_id", "docid", "uid", "key"),
    "label": ("label", "category", "class", "topic", "theme", "target", "section", "group"),
    "title": (
        *("title", "headline", "heading", "subject", "caption"),
        # "title" and "subject" in German, French and Spanish.
        *("titel", "betreff", "titre", "objet", "título", "asunto"),
    ),
    "date": ("year", "date", "published", "created", "time", "timestamp"),
}

# A column without a common name is guessed to be the text if its cells have at least this mean
# number of words …
MIN_MEAN_WORDS = 3.0
# Share of the cells of a column of codes that are codes.
MIN_CODES = 0.8
# Code: a name of a file, an address, a checksum, or one short word with a digit or a sign that
# words do not have. The words of a script without spaces are no codes; a text in Tibetan has spaces
# between sentences only.
_CODE = re.compile(
    r"\S+\.[A-Za-z][A-Za-z\d]{1,4}|"
    rf"(?!.*(?:{SPACELESS}|[\u0f00-\u0fff]))(?=.*(?:[\d_\\]|^/|/.*/))\S{{1,30}}|"
    r"(?=\D*\d)[\da-fA-F-]{8,}|\w+://\S+"
)
# Codes of several words, which differ from row to row; "Top 10" occurs again.
_LONG_CODE = re.compile(
    r"\S{1,12} [#№]?\d+|"
    r".{1,200}\.(?:txt|docx?|odt|rtf|pdf|html?|xml|json|csv|tsv|xlsx?|eml|msg|jpe?g|png|gif|tiff?|"
    r"mp3|mp4|wav|md)",
    re.IGNORECASE,
)
# … and at least this many times as many as the cells of any other column.
CLEARLY_LONGER = 1.5
# Mean number of words of the filled cells of a shorter text, if it is the only such column.
MIN_SHORT_WORDS = 2.0
# A column with few distinct values is guessed to be the label.
MAX_LABELS = 200
MIN_DOCUMENTS_PER_LABEL = 5
# Single words are labels, and no texts, if each occurs in this number of rows on average.
MIN_ROWS_PER_WORD = 10
# A column with only these values names the part of a split, and is not a label.
SPLIT_NAMES = frozenset({"train", "test", "val", "valid", "validation", "dev"})
MIN_ROWS_OF_IDS = 20
# Cell of an id column: one word that contains a digit and is not a decimal number.
ID_CELL = re.compile(r"(?!-?\d+[.,]\d+$)(?=.*\d)\S+")
_BIRTH = re.compile(
    r"birth|geburt|nacim|doğum|dogum|рожд|"
    r"(?<![^\W_])(?:(?:born|dob|geb|nac)(?![^\W_])|geboor|naiss|nasc|f[öø]d|urodz)"
)
# Names of columns of row numbers that R and pandas write.
_ROW_NUMBERS = re.compile(r"(?:column|unnamed:) \d+|x|rownames?|index")
# A column without a common name is guessed to be the title if there is a longer text column, nearly
# all its cells are distinct, and their mean number of words is in this range.
TITLE_WORDS, MIN_DIFFERENT = (1.5, 15.0), 0.9
# Otherwise a column of names is the title: single words with three letters in a row that are not
# addresses, codes of capitals and digits, or hexadecimal checksums.
NAME_CELL = re.compile(
    r"(?=.*[^\W\d_]{3})(?!(?=.*\d)[A-Z\d_-]+$)(?![\da-fA-F-]{16,}$)[^\s@/:]{3,40}"
)
MIN_NAMES = 0.75
# Column names in an error message; a longer list would not be read.
LISTED_NAMES = 20
# Possible labels in a reason.
LISTED_LABELS = 5
# Rows on which a guess is based.
SAMPLE_ROWS = 2_000
# Separator of the parts of a document whose text is in several columns.
BETWEEN_PARTS = "\n\n"

STANDARD = ("id", "text", "label")
# Start and end of a passage in the text of its document, in characters; see `core.data.passages`.
POSITIONS = ("passage_start", "passage_end")


@dataclass(frozen=True)
class ColumnChoice:
    """Names of the columns that hold the text, the id and the label.

    None means that the column is guessed, and the empty string that there is no such column. The
    text is required; if it is in several columns, ``text`` is the tuple of their names, in order.
    A given date or title column is renamed to ``date`` or ``title``. If it is not given, all
    columns keep their names, and pages look for a date and a title among them.
    """

    text: str | tuple[str, ...] | None = None
    id: str | None = None
    label: str | None = None
    date: str | None = None
    title: str | None = None


def guess_columns(table: pd.DataFrame, *, has_text: bool = False) -> ColumnChoice:
    """Guess the roles of the columns of a file from their names, then from their values.

    A role that cannot be guessed is None. If the text is in a column that is not in the table
    (``has_text``), none of the columns is guessed to be the text.
    """
    text = None if has_text else _text_column(table)
    names = [name for name in table.columns if name != text]
    suffixed = (str(name) for name in names if str(name).lower().endswith("_id"))
    identifier = named_column(table[names], "id") or next(suffixed, None)
    if identifier is not None and not table[identifier].map(as_text).is_unique:
        identifier = None
    dates = columns_of_dates(table[names])
    names = [name for name in names if name not in dates]
    named = named_column(table[names], "label")
    identifier = identifier or _id_column(table[[name for name in names if name != named]])
    names = [name for name in names if name != identifier]
    label = named or _label_column(table[names])
    names = [name for name in names if name != label]
    title = named_column(table[names], "title") or _title_column(table[names])
    free = [name for name in dates if name not in (identifier, label) and not _is_birth(name)]
    title = title if text or has_text else None
    return ColumnChoice(text, identifier, label, free[0] if free else None, title)


def _text_column(table: pd.DataFrame) -> str | None:
    """Column with a name for texts, unless it has codes or labels beside much longer texts."""
    named = named_column(table, "text")
    if named is None:
        return _longest_column(table)
    sample = table.head(SAMPLE_ROWS)
    # The other columns are read only beside codes, because a table may have thousands.
    if not _has_codes(sample[named]):
        return named
    words = max(float(_word_counts(sample[named]).mean()), MIN_MEAN_WORDS)
    longer = [
        name
        for name in table.columns
        if _word_counts(sample[name]).mean() >= CLEARLY_LONGER * words
        and not looks_like_dates(sample[name], str(name))
    ]
    return (_text_column(table[longer]) if longer else None) or named


def _has_codes(column: pd.Series) -> bool:
    """Whether most of the filled cells are codes, names of files, or a few single words."""
    cells = [cell for cell in column.map(as_text).str.strip() if cell]
    n_different = len(set(cells))
    if cells and n_different * MIN_ROWS_PER_WORD <= len(cells):
        return not any(" " in cell or re.search(SPACELESS, cell) for cell in cells)
    is_varied = n_different >= MIN_DIFFERENT * len(cells)
    n_codes = sum(
        bool(_CODE.fullmatch(cell) or (is_varied and _LONG_CODE.fullmatch(cell))) for cell in cells
    )
    return bool(cells) and n_codes >= MIN_CODES * len(cells)


def _word_counts(column: pd.Series) -> pd.Series:
    """Number of words of each cell."""
    return column.map(lambda cell: len(as_text(cell).split()))


def named_column(table: pd.DataFrame, role: str) -> str | None:
    """Name of the column with one of the `COLUMN_NAMES` of a role; None without one.

    The column ``body.text`` of a nested object is found as ``text`` if no other column is.
    """
    by_lower_name = {str(name).strip().lower(): str(name) for name in reversed(table.columns)}
    nested = {name.rpartition(".")[2]: given for name, given in by_lower_name.items()}
    by_lower_name = {**nested, **by_lower_name}
    names = COLUMN_NAMES[role]
    return next((by_lower_name[name] for name in names if name in by_lower_name), None)


def date_columns(documents: pd.DataFrame) -> list[str]:
    """Names of the date columns of a corpus, the most likely first.

    Columns with a common name for dates come before others, and the label comes last, because a
    corpus may be labelled by year. If a column ``date`` is empty, the corpus has no dates. Births
    are no dates of documents.
    """
    return [name for name in _columns_like_dates(documents) if not _is_birth(name)]


def _columns_like_dates(documents: pd.DataFrame) -> list[str]:
    """Names as from `date_columns`, and columns of births."""
    if "date" in documents and documents["date"].isna().all():
        return []
    names = [str(name) for name in documents.columns if name not in (*STANDARD, *POSITIONS)]
    names += ["label"] if "label" in documents else []
    found = [name for name in names if looks_like_dates(documents[name], name)]
    return sorted(found, key=_unlikelihood_of_date)


def with_ordered_dates(documents: pd.DataFrame, order: str) -> pd.DataFrame:
    """Documents whose date columns are written as 2019-03-05, read in an order of `DATE_ORDERS`.

    Raises InputError for an unknown order, or if there is no date column.
    """
    names = [name for name in date_columns(documents) if name != "label"]
    if not names:
        raise InputError("the source has no date column; leave out --date-order")
    return documents.assign(**{name: ordered_dates(documents[name], order) for name in names})


def _unlikelihood_of_date(name: str) -> int:
    lower, names = name.strip().lower(), COLUMN_NAMES["date"]
    if lower in names:
        return names.index(lower)
    return len(names) + (2 if name == "label" else DATE_NAME.search(lower) is None)


def _is_birth(name: str) -> bool:
    """Whether a column has the births of authors, by which texts are rarely grouped."""
    return _BIRTH.search(name.lower()) is not None


def columns_of_dates(table: pd.DataFrame) -> list[str]:
    """Names of the date columns of a table that is not yet imported, the most likely first.

    They include the births, which get no other role.
    """
    sample = table.iloc[:: max(len(table) // SAMPLE_ROWS, 1)]
    found = pd.DataFrame({str(name): _storable(sample[name]) for name in sample})
    return _columns_like_dates(found)


def trained_columns(names: Iterable[str], trained: tuple[str, ...]) -> tuple[str, ...]:
    """Text columns of the training documents if new documents have them all, otherwise none."""
    return trained if {*trained} <= {*names} else ()


def resolve_columns(table: pd.DataFrame, choice: ColumnChoice, source: str) -> ColumnChoice:
    """Complete a choice of columns: guess the text, id and label that are not given.

    Raises InputError if a column is missing or named twice, the chosen date column holds no dates,
    or the text column cannot be guessed.

    Parameters
    ----------
    choice : ColumnChoice
        If ``text`` is not the name of a column, it is a list of names separated by commas. The
        code of a question stands for its column, if only one has it: Q1 for "Q1 Your opinion".
    source : str
        Name of the table in an error message.

    Returns
    -------
    ColumnChoice
        The text as a tuple of names; the empty string if there is no id or no label.
    """
    if choice.text is not None and not all(_names_of(choice.text)):
        raise InputError(f"the text column of {source} has no name; name it with --text-column")
    choice = _with_questions(table, choice)
    texts = _text_columns(table, choice)
    taken = (*texts, choice.id, choice.label, choice.date, choice.title)
    for name in taken:
        if name and name not in table.columns:
            raise InputError(f"{source} has no column {name!r}; its columns are {_listed(table)}")
    if choice.date and not looks_like_dates(_storable(table[choice.date]), "date"):
        raise InputError(
            f"the column {choice.date!r} of {source} holds no dates; name another with "
            "--date-column, or '' for none"
        )
    repeated = [name for name in texts if texts.count(name) > 1]
    if repeated:
        raise InputError(f"the text column {repeated[0]!r} is named twice; name it once")
    if None not in (choice.text, choice.id, choice.label):
        return replace(choice, text=texts)
    rest = table[[name for name in table.columns if name not in taken]]
    guess = guess_columns(rest, has_text=bool(texts))
    texts = texts or _names_of(guess.text)
    if not texts:
        raise InputError(
            f"cannot tell which column of {source} holds the text; its columns are "
            f"{_listed(table)}; name one with --text-column"
        )
    identifier = guess.id if choice.id is None else choice.id
    label = guess.label if choice.label is None else choice.label
    return replace(choice, text=texts, id=identifier or "", label=label or "")


def arrange_columns(table: pd.DataFrame, choice: ColumnChoice, source: str) -> pd.DataFrame:
    """Convert a table to the form of ``RawDocuments.table``.

    Several text columns are joined with blank lines. All of them but the longest are also kept as
    columns of their own, for example a title, by which documents are listed. A column whose choice
    is None is guessed. Without an id column, ids are the row numbers of the table's index; without
    a label column, labels are None. ``source`` is the name of the table in an error message. Raises
    InputError if `resolve_columns` raises it, or an id occurs twice.
    """
    resolved = resolve_columns(table, choice, source)
    texts = _names_of(resolved.text)
    identifier, label = resolved.id or None, resolved.label or None
    parts = {name: table[name].map(_plain_parts).map(as_text) for name in texts}
    arranged = pd.DataFrame({"text": _joined(parts)})
    # The index also counts rows that were skipped.
    numbers = table.index.astype(str)
    arranged["id"] = numbers if identifier is None else _ids(table[identifier])
    arranged["label"] = None if label is None else table[label].map(as_text).str.strip()
    repeated = arranged["id"][arranged["id"].duplicated()]
    if len(repeated):
        raise InputError(
            f"the id {repeated.iloc[0]!r} occurs twice in column {identifier!r} of {source}; "
            "choose a column whose values are all different, or none"
        )
    longest = max(texts, key=lambda name: int(parts[name].str.len().sum()))
    given = {"date": resolved.date, "title": resolved.title}
    # A title column that is also the text becomes empty.
    roles = {role: "" if n == longest else n for role, n in given.items() if n is not None}
    for role, name in roles.items():
        arranged[role] = _storable(table[name]) if name else None
    # A column named "year" would take precedence over the chosen date column.
    reserved = {*STANDARD, *roles, *(["year"] if roles.get("date") else [])}
    for number, name in enumerate(table.columns, start=1):
        if name not in (longest, identifier, label, *roles.values()):
            kept = f"{name} (column)" if name in reserved else name
            while kept in arranged:
                kept += f" ({number})"
            arranged[kept] = _storable(table[name])
    return normal_table(arranged)


def _ids(column: pd.Series) -> pd.Series:
    """Ids as text, without spaces around them unless these distinguish two ids."""
    given = column.map(as_text)
    stripped = given.str.strip()
    return stripped.mask(stripped.duplicated(keep=False), given)


def explain_columns(
    table: pd.DataFrame,
    resolved: ColumnChoice,
    choice: ColumnChoice,
    date_order: str | None = None,
) -> list[Guess]:
    """Roles of the columns and the reasons, for the report.

    ``choice`` and ``date_order`` are what the user gave.
    """
    texts = _names_of(resolved.text)
    reasons = {
        "id": "its cells are all different",
        "label": "its cells are a few words that occur again and again",
        "date": "its cells are dates",
        "title": "its cells are short and nearly all different",
    }
    # The Corpus page gives the columns that were guessed, which are guesses nevertheless.
    guessed = guess_columns(table)
    taken = [name for name in (*texts, resolved.id, resolved.label) if name]
    others = table[[name for name in table.columns if name not in taken]]
    dates = columns_of_dates(others)
    rest = others[[name for name in others.columns if name not in dates]]
    title = named_column(rest, "title") or _title_column(rest)
    others_than_births = (name for name in dates if not _is_birth(name))
    date = next(others_than_births, None) if choice.date is None else resolved.date
    named = title if choice.title is None else resolved.title
    found = {
        "id": (resolved.id, "row numbers"),
        "label": (resolved.label, "none"),
        "date": (date, "none"),
        "title": (named, "none"),
    }
    joined = " and ".join(f"“{name}”" for name in texts)
    is_given = choice.text is not None and texts != _names_of(guessed.text)
    reason = "" if is_given else why_text(table, texts[0])
    explained = [Guess("text", joined, reason, "text_column")]
    of_objects = [name for name in texts if pd.api.types.is_object_dtype(table[name])]
    n_lists = sum(_is_joined(cell) for name in of_objects for cell in table[name])
    if n_lists:
        explained.append(Guess("lists", f"joined to one text in {n_lists:,} rows"))
    for role, (name, without) in found.items():
        is_given = getattr(choice, role) not in (None, getattr(guessed, role))
        reason = _reason(table, role, name, reasons[role]) if name and not is_given else ""
        if role == "id" and not name and choice.id is None:
            reason = _why_no_id(others)
        if role == "label" and not (name or guessed.label):
            reason = _why_no_label(rest[[name for name in rest.columns if name != named]])
        value = f"“{name}”" if name else without
        explained.append(Guess(role, value, reason, f"{role}_column"))
        if role == "date" and name:
            explained += [found for found in [date_guess(table[name], name, date_order)] if found]
            more = [other for other in dates if other != name and not _is_birth(other)]
            year = read_dates(table[name], date_order).year if more else np.empty(0, np.int32)
            explained += [
                _other_dates(table[name], year, table[other], date_order) for other in more[:2]
            ]
    return explained


def _other_dates(chosen: pd.Series, year: Int32Array, other: pd.Series, order: str | None) -> Guess:
    """Report of a second column of dates, with rows whose year differs from the chosen one."""
    other_year = read_dates(other, order).year
    is_known = (year != UNKNOWN) & (other_year != UNKNOWN)
    differs = np.flatnonzero(is_known & (year != other_year))
    value = f"“{other.name}” has dates too"
    if not len(differs):
        reason = f"of the same years as “{chosen.name}”"
        if not is_known.any():
            reason = f"no row has a date in both “{chosen.name}” and “{other.name}”"
        return Guess("other dates", value, reason, "date_column")
    examples: dict[str, None] = {}
    for row in differs.tolist():
        examples[f"“{as_text(chosen.iloc[row])}” and “{as_text(other.iloc[row])}”"] = None
        if len(examples) == 2:
            break
    rows = f"{len(differs):,} of {int(is_known.sum()):,} rows"
    reason = f"its year differs from “{chosen.name}” in {rows}, such as {', '.join(examples)}"
    return Guess("other dates", value, reason, "date_column")


def why_text(table: pd.DataFrame, name: str) -> str:
    """Reason for the guess of the text column."""
    return _reason(table, "text", name, "its cells are the longest texts")


def _reason(table: pd.DataFrame, role: str, name: str, by_values: str) -> str:
    """Reason for a guess: the name of a column, or its values."""
    if len(table.columns) == 1:
        return "the only column"
    last = name.strip().lower().rpartition(".")[2]
    is_named = last in COLUMN_NAMES[role] or (role == "id" and last.endswith("_id"))
    return "by its name" if is_named else by_values


def _why_no_id(others: pd.DataFrame) -> str:
    """Reason why a column with a name for ids is not used; empty without such a column."""
    suffixed = (str(name) for name in others if str(name).lower().endswith("_id"))
    named = named_column(others, "id") or next(suffixed, None)
    if named is None or others[named].map(as_text).is_unique:
        return ""
    return f"“{named}” has the same value in several rows"


def refuse_columns(source: str, choice: ColumnChoice) -> None:
    """Refuse a choice of columns for a source without columns.

    Raises InputError if a column is given; the message names its option.
    """
    for role, name in asdict(choice).items():
        if name is not None:
            raise InputError(f"{source} has no columns; leave out --{role}-column")


def normal_table(table: pd.DataFrame) -> pd.DataFrame:
    """Move id, text and label to the front, as str, str, and str or None."""
    label = table["label"].astype(object)
    result = pd.DataFrame(
        {
            "id": table["id"].astype("str"),
            "text": table["text"].astype("str"),
            "label": pd.Series(
                [None if pd.isna(value) or value == "" else str(value) for value in label],
                index=table.index,
                dtype=object,
            ),
        }
    )
    others = [name for name in table.columns if name not in STANDARD]
    return pd.concat([result, table[others]], axis=1).reset_index(drop=True)


def default_ids(n_documents: int) -> list[str]:
    """Ids of documents without an id column: 0-based positions in the source."""
    return [str(position) for position in range(n_documents)]


def as_text(value: Any) -> str:
    """Return a cell as text; a missing cell becomes the empty string."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    elif isinstance(value, dict | list | np.ndarray):
        value = json.dumps(value, ensure_ascii=False, default=_plain)
    elif not isinstance(value, str):
        value = "" if pd.api.types.is_scalar(value) and pd.isna(value) else str(value)
    return storable_text(value)


def _plain_parts(value: Any) -> Any:
    """Text of a list of texts, of objects with a text as in exported chats, or of both."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list):
        return value
    # An image among the parts has no text; in Parquet, its text is None.
    texts = [text for text in map(_text_of_part, value) if text is not None]
    if all(part is None for part in value):
        return ""
    kinds = {isinstance(part, dict) for part in value if part is not None}
    between = "" if len(kinds) > 1 else "\n"
    found = [text for text in texts if isinstance(text, str)]
    return between.join(found) if found and len(found) == len(texts) else value


def _text_of_part(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    given = (part.get(name) for name in COLUMN_NAMES["text"])
    return next((text for text in given if text is not None), None)


def _is_joined(cell: Any) -> bool:
    return isinstance(cell, list | np.ndarray) and isinstance(_plain_parts(cell), str)


def _plain(value: Any) -> Any:
    """Convert a value in a nested Parquet column that JSON cannot represent."""
    return value.tolist() if isinstance(value, np.ndarray) else as_text(value)


def _longest_column(table: pd.DataFrame) -> str | None:
    """Column with by far the most words per cell, or the only one of several words per cell."""
    if len(table.columns) == 1:
        return str(table.columns[0])
    sample = table.head(SAMPLE_ROWS)
    # Words of a date are no sentence.
    others = [name for name in table.columns if not looks_like_dates(sample[name], str(name))]
    counts = {str(name): _word_counts(sample[name]) for name in others}
    words = sorted((float(count.mean()), name) for name, count in counts.items())
    if not words:
        return None
    longest, second = words[-1], words[-2] if len(words) > 1 else (0.0, "")
    if longest[0] >= MIN_MEAN_WORDS:
        return longest[1] if longest[0] >= CLEARLY_LONGER * second[0] else None
    # Short answers, and none at all in many rows, beside dates and columns of single words.
    of_words = [
        name for name, count in counts.items() if count[count > 0].mean() >= MIN_SHORT_WORDS
    ]
    return of_words[0] if len(of_words) == 1 else None


def _id_column(table: pd.DataFrame) -> str | None:
    """First column with only distinct ids; None for a table of few rows."""
    if len(table) < MIN_ROWS_OF_IDS:
        return None
    # A column without a name in front holds the row numbers that R and pandas write.
    last = [name for name in table.columns if _ROW_NUMBERS.fullmatch(str(name).lower())]
    for name in (*(name for name in table.columns if name not in last), *last):
        if str(name).strip().lower() in COLUMN_NAMES["date"] or _is_birth(str(name)):
            continue
        sample = table[name].head(SAMPLE_ROWS).map(as_text)
        if sample.map(lambda cell: bool(ID_CELL.fullmatch(cell))).all() and (
            table[name].map(as_text).is_unique
        ):
            return str(name)
    return None


def _title_column(table: pd.DataFrame) -> str | None:
    """First column of titles, otherwise of names, in which nearly all cells are distinct."""
    names = []
    for name in table.columns:
        sample = table[name].head(SAMPLE_ROWS).map(as_text)
        if sample.nunique() < MIN_DIFFERENT * len(sample):
            continue
        length = float(sample.map(lambda cell: len(cell.split())).mean())
        if TITLE_WORDS[0] <= length <= TITLE_WORDS[1]:
            return str(name)
        if sample.str.fullmatch(NAME_CELL).mean() >= MIN_NAMES:
            names.append(str(name))
    return names[0] if names else None


def _label_column(table: pd.DataFrame) -> str | None:
    found = _label_columns(table)
    return found[0] if len(found) == 1 else None


def _label_columns(table: pd.DataFrame) -> list[str]:
    """Columns with few distinct values, each of which can be the label."""
    found = []
    for name in table.columns:
        values = {as_text(cell) for cell in table[name].head(SAMPLE_ROWS)}
        most = min(MAX_LABELS, len(table) // MIN_DOCUMENTS_PER_LABEL)
        if 2 <= len(values) <= most and not values <= SPLIT_NAMES:
            found.append(str(name))
    return found


def _why_no_label(table: pd.DataFrame) -> str:
    """Reason why none of several possible labels is used; empty without any."""
    *firsts, last = [f"“{name}”" for name in _label_columns(table)[: LISTED_LABELS + 1]] or [""]
    if not firsts:
        return ""
    if len(firsts) == LISTED_LABELS:
        last = "others"
    return f"{', '.join(firsts)} and {last} could be; name one"


def _with_questions(table: pd.DataFrame, choice: ColumnChoice) -> ColumnChoice:
    """Choice in which the code of a question stands for its column: Q1 for “Q1 Your opinion”."""

    def whole(name: str) -> str:
        found = [str(column) for column in table if str(column).startswith(f"{name} ")]
        is_code = name not in table.columns and QUESTION_CODE.fullmatch(name) is not None
        return found[0] if is_code and len(found) == 1 else name

    texts = tuple(map(whole, _text_columns(table, choice)))
    roles = {"id": choice.id, "label": choice.label, "date": choice.date, "title": choice.title}
    given = {role: whole(name) for role, name in roles.items() if name}
    return replace(choice, text=texts or choice.text, **given)


def _names_of(text: str | tuple[str, ...] | None) -> tuple[str, ...]:
    if text is None:
        return ()
    return (text,) if isinstance(text, str) else text


def _text_columns(table: pd.DataFrame, choice: ColumnChoice) -> tuple[str, ...]:
    """Names of the chosen columns, separated by commas that are not part of a column name."""
    names: list[str] = []
    for name in _names_of(choice.text):
        parts = [name] if name in table.columns else name.split(",")
        names += [part.strip() or name for part in parts] if len(parts) > 1 else parts
    return tuple(names)


def _joined(parts: dict[str, pd.Series]) -> pd.Series:
    """Parts of each document joined into one text, without blank parts."""
    first, *others = parts.values()
    if not others:
        return first
    rows = zip(first, *others, strict=True)
    joined = [BETWEEN_PARTS.join(part for part in row if part.strip()) for row in rows]
    return pd.Series(joined, index=first.index, dtype=object)


def _listed(table: pd.DataFrame) -> str:
    names = [repr(str(name)) for name in table.columns]
    more = [f"and {len(names) - LISTED_NAMES} more"] if len(names) > LISTED_NAMES else []
    return ", ".join(names[:LISTED_NAMES] + more)


def _storable(column: pd.Series) -> pd.Series:
    """Return a column of numbers, dates or booleans unchanged, and any other as text."""
    kept = (
        pd.api.types.is_numeric_dtype(column)
        or pd.api.types.is_datetime64_any_dtype(column)
        or pd.api.types.is_bool_dtype(column)
    )
    return column if kept else column.map(as_text).astype("str")
