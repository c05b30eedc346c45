"""Controls of the Corpus page: encoding, columns, recipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from ....core.data.columns import ColumnChoice
from ....core.data.dates import ORDER_NAMES
from ....core.data.folders import FOLDER, USABLE_OPTIONS
from ....core.data.languages import MISSING, can_lemmatize
from ....core.data.markup import describe_markup
from ....core.data.office import SHEET_SUFFIXES
from ....core.data.passages import check_rule
from ....core.data.readers import ColumnPreview
from ....core.data.recipe import AUTO, Recipe, matrix_recipe
from ....core.data.stop_words import LANGUAGES, resolve_stop_words
from ....core.data.tables import TABLE_SUFFIXES, TableOptions
from ....core.data.word_patterns import PATTERNS
from ...shared import strings as shared_strings
from ...shell import memory
from . import strings

UPLOAD_ROUND = "corpus-upload-round"
ENCODINGS = ["utf-8", "latin-1", "cp1252", "utf-16", "shift_jis", "gb18030", "koi8_r"]


@dataclass(frozen=True)
class Found:
    """Languages, headers, quotations and markup (the share of the texts by kind) of the texts.

    Headers of posts and mail are disregarded for all but ``markup_with_headers``. ``passages`` is
    the rule that suits whole documents with the share of the documents that it suits, or None.
    ``n_words`` is the number of words of a few documents, 0 for many. ``have_dates`` is whether
    turns begin with dates.
    """

    languages: tuple[str, ...]
    have_headers: bool
    have_quotations: bool
    markup: dict[str, float] = field(default_factory=dict)
    markup_with_headers: dict[str, float] = field(default_factory=dict)
    passages: tuple[str, float] | None = None
    n_words: int = 0
    have_dates: bool = False


def key_of(name: str) -> str:
    """Key of a control; the next import has others."""
    return f"{name}-{memory.recall(UPLOAD_ROUND, 0)}"


def lasting(name: str) -> dict[str, Any]:
    """Arguments of a control that keeps its value until the end of the import."""
    return memory.lasting(key_of(name))


def choose_encoding() -> str | None:
    """Encoding of the files; None to detect it."""
    chosen = st.selectbox(
        strings.ENCODING,
        [strings.ENCODING_AUTO, *ENCODINGS],
        **lasting("corpus-encoding"),
        accept_new_options=True,
        help=strings.ENCODING_HELP,
    )
    return None if chosen in (None, strings.ENCODING_AUTO) else chosen


def takes_encoding(path: Path) -> bool:
    """Whether a chosen encoding has an effect on a source."""
    kind = FOLDER if path.is_dir() else path.suffix.lower()
    return "encoding" in USABLE_OPTIONS.get(kind, ("encoding",))


def choose_table(path: Path) -> TableOptions:
    """How to read a table; only what its kind of file leaves open is asked."""
    suffix = path.suffix.lower()
    if suffix not in (*TABLE_SUFFIXES, *SHEET_SUFFIXES, ".txt", ".zip"):
        return TableOptions()
    usable = USABLE_OPTIONS.get(suffix, ("header", "delimiter"))
    header = delimiter = ""
    with st.expander(strings.TABLE):
        if "header" in usable:
            header = _choose_one(strings.HEADER, strings.HEADER_CHOICES, "corpus-header", True)
        if "delimiter" in usable:
            delimiter = _choose_one(
                strings.DELIMITER, strings.DELIMITER_CHOICES, "corpus-delimiter", False
            )
        missing = st.text_input(
            strings.MISSING,
            placeholder=strings.MISSING_HINT,
            **lasting("corpus-missing"),
            help=strings.MISSING_HELP,
        )
    return TableOptions(header or None, delimiter or None, missing.strip() or None)


def _choose_one(label: str, choices: dict[str, str], key: str, is_open: bool) -> str:
    """One of the choices, or, if it is open, another value that is typed."""
    chosen: str | None = st.selectbox(
        label,
        list(choices),
        format_func=lambda name: choices.get(name, name),
        **lasting(key),
        accept_new_options=is_open,
        help=strings.HEADER_HELP if is_open else None,
    )
    return (chosen or "").strip()


def choose_sheet(path: Path) -> str | None:
    """Sheet of a spreadsheet; None to detect it, and for other files."""
    if path.suffix.lower() not in SHEET_SUFFIXES:
        return None
    typed = st.text_input(
        strings.SHEET,
        placeholder=strings.SHEET_AUTO,
        **lasting("corpus-sheet"),
        help=strings.SHEET_HELP,
    )
    return typed.strip() or None


def choose_passages() -> str | None:
    """Rule of passages; None for the default."""
    chosen = st.selectbox(
        strings.PASSAGES,
        ["", *strings.PASSAGE_CHOICES],
        format_func=lambda rule: strings.PASSAGE_CHOICES.get(rule, rule) or strings.PASSAGES_AUTO,
        **lasting("corpus-passages"),
        accept_new_options=True,
        help=strings.PASSAGES_HELP,
    )
    return check_rule(chosen) if chosen else None


def choose_columns(preview: ColumnPreview, source: str) -> ColumnChoice:
    """Columns of text, id, label, date and title; the defaults are detected.

    ``source`` is the fingerprint of the file, since a changed file may have other columns.
    """
    if not preview.columns:
        return ColumnChoice()
    st.subheader(strings.COLUMNS, anchor=False)
    names, guess = list(preview.columns), preview.guess
    text = st.multiselect(
        strings.TEXT_COLUMN,
        names,
        default=[guess.text] if guess.text else [],
        **lasting(f"corpus-text-{source}"),
        help=shared_strings.TEXT_HELP,
        placeholder=shared_strings.TEXT_HINT,
    )
    others = [name for name in names if name not in text]
    with st.container(horizontal=True):
        identifier = _optional("id", others, guess.id, source)
        others = [name for name in others if name != identifier]
        label = _optional("label", others, guess.label, source)
        others = [name for name in others if name != label]
        dates = [name for name in preview.dates if name in others]
        date = _optional("date", dates, guess.date, source) if dates else None
        parts = text if len(text) > 1 else []
        titles = [*parts, *(name for name in others if name != date)]
        title = _optional("title", titles, guess.title, source)
    # An empty title excludes the detected column, so it is only needed if one was detected.
    is_needed = bool(title or guess.title)
    return ColumnChoice(tuple(text) or None, identifier, label, date, title if is_needed else None)


def choose_date_order() -> str | None:
    """Order of the numbers of a date; None to detect it."""
    chosen: str = st.selectbox(
        strings.DATE_ORDER,
        ["", *ORDER_NAMES],
        format_func=lambda order: ORDER_NAMES.get(order, strings.DATE_ORDER_AUTO),
        **lasting("corpus-date-order"),
        help=strings.DATE_ORDER_HELP,
    )
    return chosen or None


def _optional(role: str, names: list[str], guess: str | None, source: str) -> str:
    """Optional column; "" for none."""
    # None would let the readers detect a column; "" does not.
    options = ["", *names]
    title, none, explained = strings.ROLES[role]
    chosen: str = st.selectbox(
        title,
        options,
        index=options.index(guess) if guess in options else 0,
        format_func=lambda name: name or none,
        **lasting(f"corpus-{title}-{source}-{guess in names}"),
        help=explained,
        width=142,
    )
    return chosen


def choose_recipe(found: Found | None) -> Recipe:
    """Recipe that turns texts into words; a fixed one for a ready-made matrix (``found`` None)."""
    st.subheader(strings.RECIPE, anchor=False)
    if found is None:
        st.caption(strings.MATRIX_RECIPE)
        return matrix_recipe()
    standard = Recipe()
    with st.container(horizontal=True):
        lowercase = st.checkbox(strings.LOWERCASE, standard.lowercase, **lasting("recipe-lower"))
        phrases = st.checkbox(
            strings.PHRASES,
            standard.phrases,
            **lasting("recipe-phrases"),
            help=strings.PHRASES_HELP,
        )
    tokens = st.segmented_control(
        strings.TOKENS,
        list(strings.TOKEN_CHOICES),
        default="words",
        format_func=strings.TOKEN_CHOICES.__getitem__,
        required=True,
        **lasting("recipe-tokens"),
        help=strings.TOKENS_HELP,
    )
    strip_headers, strip_quotes = _choose_headers(found)
    stop_words, languages = _choose_stop_words(found.languages)
    strip_markup = _choose_markup(found.markup if strip_headers else found.markup_with_headers)
    lemmas = _choose_lemmas(found.languages)
    min_df = st.number_input(
        strings.MIN_DF,
        *(1, None, int(standard.min_df)),
        **lasting("recipe-min"),
        help=strings.MIN_DF_HELP,
    )
    max_df = st.number_input(
        strings.MAX_DF,
        *(1, 100, round(100 * standard.max_df)),
        **lasting("recipe-max"),
        help=strings.MAX_DF_HELP,
    )
    limit = st.number_input(
        strings.VOCABULARY,
        *(1, None, standard.max_vocabulary),
        step=1000,
        **lasting("recipe-vocabulary"),
        help=strings.VOCABULARY_HELP,
    )
    return Recipe(
        lowercase=lowercase,
        token_pattern=PATTERNS[str(tokens)],
        stop_words=stop_words,
        languages=languages,
        phrases=phrases,
        min_df=int(min_df),
        max_df=max_df / 100,
        max_vocabulary=int(limit),
        lemmas=lemmas,
        strip_headers=strip_headers,
        strip_quotes=strip_quotes,
        strip_markup=strip_markup,
    )


def _choose_lemmas(languages: tuple[str, ...]) -> str:
    """Languages to lemmatise; "" for none."""
    is_installed = can_lemmatize()
    choice = st.selectbox(
        strings.LEMMAS,
        ["", "auto", *sorted(LANGUAGES)],
        format_func=lambda name: strings.LEMMA_CHOICES.get(name, name.capitalize()),
        **lasting("recipe-lemmas"),
        help=strings.LEMMAS_HELP if is_installed else MISSING.capitalize(),
        disabled=not is_installed,
    )
    if choice == "auto":
        st.caption(strings.lemmas_found(languages))
        return ",".join(languages)
    return choice or ""


def _choose_headers(found: Found) -> tuple[bool, bool]:
    """Whether to leave out headers and quotations of posts and emails, if the texts have any."""
    headers = False
    if found.have_headers:
        st.caption(strings.HEADERS_FOUND)
        headers = st.checkbox(
            strings.HEADERS, True, **lasting("recipe-headers"), help=strings.HEADERS_HELP
        )
    elif found.have_quotations:
        st.caption(strings.QUOTES_FOUND)
    else:
        return False, False
    quotes = st.checkbox(
        strings.QUOTES, found.have_headers, **lasting("recipe-quotes"), help=strings.QUOTES_HELP
    )
    return headers, quotes


def _choose_markup(markup: dict[str, float]) -> bool:
    """Whether to leave out markup; asked only if the texts contain any."""
    if not markup:
        return False
    st.caption(strings.MARKUP_FOUND.format(kinds=describe_markup(markup)))
    chosen: bool = st.checkbox(strings.MARKUP, **lasting("recipe-markup"), help=strings.MARKUP_HELP)
    return chosen


def _choose_stop_words(languages: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Stop words, and the language whose rules apply: the chosen one, or the detected ones."""
    others = sorted(set(LANGUAGES) - {"english"})
    choice = st.selectbox(
        strings.STOP_WORDS,
        ["english", "auto", "none", "own", *others],
        format_func=lambda name: strings.STOP_CHOICES.get(name, name.capitalize()),
        **lasting("recipe-stop"),
        help=strings.STOP_HELP,
    )
    if choice == "auto":
        st.caption(strings.languages_found(languages))
        return resolve_stop_words(",".join(languages) or "none"), AUTO
    if choice not in ("none", "own") and set(languages) - {choice}:
        st.caption(strings.other_languages(languages))
    if choice != "own":
        return resolve_stop_words(str(choice)), str(choice) if choice in others else AUTO
    typed = st.text_area(
        strings.STOP_LIST,
        " ".join(resolve_stop_words("english")),
        **lasting("recipe-stop-list"),
        help=strings.STOP_LIST_HELP,
        height=160,
    )
    return tuple(sorted(set(typed.lower().split()))), AUTO
