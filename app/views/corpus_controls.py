"""The controls of the Corpus page: encoding, columns, recipe."""

from __future__ import annotations

import streamlit as st

from app import state
from app.words import corpus as words
from core.text.columns import ColumnChoice
from core.text.readers import ColumnPreview
from core.text.recipe import PATTERNS, Recipe, matrix_recipe
from core.text.stop_words import resolve_stop_words

UPLOAD_ROUND = "corpus-upload-round"
ENCODINGS = ["utf-8", "latin-1", "cp1252", "utf-16", "shift_jis", "gb18030", "koi8_r"]


def key_of(name: str) -> str:
    """Key of a control, which keeps what was chosen until this import ends, and no longer."""
    return f"{name}-{state.recall(UPLOAD_ROUND, 0)}"


def choose_encoding() -> str | None:
    """Ask for the encoding; None where it is to be found out."""
    chosen = st.selectbox(
        words.ENCODING,
        [words.ENCODING_AUTO, *ENCODINGS],
        key=key_of("corpus-encoding"),
        persist_state="session",
        accept_new_options=True,
        help=words.ENCODING_HELP,
    )
    return None if chosen in (None, words.ENCODING_AUTO) else chosen


def choose_columns(preview: ColumnPreview, source: str) -> ColumnChoice:
    """Ask which columns hold text, id and label, with the guesses filled in.

    ``source`` is the fingerprint of the file, which may change and have other columns.
    """
    if not preview.columns:
        return ColumnChoice()
    st.subheader(words.COLUMNS, anchor=False)
    names, guess = list(preview.columns), preview.guess
    text = st.multiselect(
        words.TEXT_COLUMN,
        names,
        default=[guess.text] if guess.text else [],
        key=key_of(f"corpus-text-{source}"),
        persist_state="session",
        help=words.TEXT_HELP,
        placeholder=words.TEXT_HINT,
    )
    others = [name for name in names if name not in text]
    with st.container(horizontal=True):
        identifier = _optional(words.ID_COLUMN, others, guess.id, words.NO_ID, source)
        label = _optional(
            words.LABEL_COLUMN,
            [name for name in others if name != identifier],
            guess.label,
            words.NO_LABEL,
            source,
        )
    return ColumnChoice(tuple(text) or None, identifier, label)


def _optional(title: str, names: list[str], guess: str | None, none: str, source: str) -> str:
    """Ask for a column that there need not be; the empty name where there is to be none."""
    # Without a name the readers would guess; the empty one they take at its word.
    options = ["", *names]
    return st.selectbox(
        title,
        options,
        index=options.index(guess) if guess in options else 0,
        format_func=lambda name: name or none,
        key=key_of(f"corpus-{title}-{source}-{guess in names}"),
        persist_state="session",
        help=words.LABEL_HELP if title == words.LABEL_COLUMN else None,
        width=142,
    )


def choose_recipe(is_matrix: bool) -> Recipe:
    """Ask how texts become words."""
    st.subheader(words.RECIPE, anchor=False)
    if is_matrix:
        st.caption(words.MATRIX_RECIPE)
        return matrix_recipe()
    standard = Recipe()
    with st.container(horizontal=True):
        lowercase = st.checkbox(
            words.LOWERCASE, standard.lowercase, key=key_of("recipe-lower"), persist_state="session"
        )
        phrases = st.checkbox(
            words.PHRASES,
            standard.phrases,
            key=key_of("recipe-phrases"),
            persist_state="session",
            help=words.PHRASES_HELP,
        )
    tokens = st.segmented_control(
        words.TOKENS,
        list(words.TOKEN_CHOICES),
        default="words",
        format_func=words.TOKEN_CHOICES.__getitem__,
        required=True,
        key=key_of("recipe-tokens"),
        persist_state="session",
        help=words.TOKENS_HELP,
    )
    stop_words = _choose_stop_words()
    min_df = st.number_input(
        words.MIN_DF,
        *(1, None, int(standard.min_df)),
        key=key_of("recipe-min"),
        persist_state="session",
        help=words.MIN_DF_HELP,
    )
    max_df = st.number_input(
        words.MAX_DF,
        *(1, 100, round(100 * standard.max_df)),
        key=key_of("recipe-max"),
        persist_state="session",
        help=words.MAX_DF_HELP,
    )
    limit = st.number_input(
        words.VOCABULARY,
        *(1, None, standard.max_vocabulary),
        step=1000,
        key=key_of("recipe-vocabulary"),
        persist_state="session",
        help=words.VOCABULARY_HELP,
    )
    return Recipe(
        lowercase=lowercase,
        token_pattern=PATTERNS[str(tokens)],
        stop_words=stop_words,
        phrases=phrases,
        min_df=int(min_df),
        max_df=max_df / 100,
        max_vocabulary=int(limit),
    )


def _choose_stop_words() -> tuple[str, ...]:
    choice = st.segmented_control(
        words.STOP_WORDS,
        list(words.STOP_CHOICES),
        default="english",
        format_func=words.STOP_CHOICES.__getitem__,
        required=True,
        key=key_of("recipe-stop"),
        persist_state="session",
    )
    if choice != "own":
        return resolve_stop_words(str(choice))
    typed = st.text_area(
        words.STOP_LIST,
        " ".join(resolve_stop_words("english")),
        key=key_of("recipe-stop-list"),
        persist_state="session",
        help=words.STOP_LIST_HELP,
        height=160,
    )
    return tuple(sorted(set(typed.lower().split())))
