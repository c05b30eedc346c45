"""``orrery import``: read texts or a matrix from files and store them as a corpus."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.data.recipe import Recipe


RECIPE_OPTIONS = (
    "min_df",
    "max_df",
    "max_vocabulary",
    "phrases",
    "strip_headers",
    "strip_quotes",
    "segmenter",
    "join_line_ends",
    "strip_markup",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("source", metavar="SOURCE", type=_source, help="file or folder to read")
    parser.add_argument("--out", required=True, type=Path, metavar="CORPUS", help="new folder")
    parser.add_argument(
        "--text-column",
        action="append",
        metavar="NAME[,NAME…]",
        help="text column, or several columns to join (the option may be repeated); default: "
        "detected",
    )
    for name in ("id", "label"):
        parser.add_argument(
            f"--{name}-column",
            metavar="NAME",
            help=f"{name} column; default: detected; '' for none",
        )
    parser.add_argument(
        "--title-column",
        metavar="NAME",
        help="column with the title, by which the app lists documents; default: a column with a "
        "name such as title, headline or subject; '' for none",
    )
    parser.add_argument(
        "--date-column",
        metavar="NAME",
        help="date column; default: the most likely column with dates; '' for none",
    )
    parser.add_argument(
        "--date-order",
        choices=("dmy", "mdy", "ymd"),
        help="order of day, month and year in dates such as 5/3/21; default: detected for each "
        "column",
    )
    options.add_reading(parser)
    parser.add_argument(
        "--passages",
        metavar="RULE",
        help="divide documents into passages, each of which becomes a document: paragraphs, "
        "sentences:N, turns (of the speakers in a transcript), marker:TEXT (at lines that begin "
        "with TEXT) or none; default: none, but a file that is a single document is divided",
    )
    parser.add_argument(
        "--min-df",
        type=_limit,
        metavar="N",
        help="minimum document frequency of a word, as a number or a share",
    )
    parser.add_argument(
        "--max-df",
        type=_limit,
        metavar="N",
        help="maximum document frequency of a word, as a number or a share",
    )
    parser.add_argument(
        "--max-vocabulary", type=options.positive, metavar="N", help="maximum number of words"
    )
    parser.add_argument(
        "--tokens",
        choices=("words", "characters"),
        type=_token_choice,
        help="characters is for Chinese and Japanese, where --phrases joins them to words; "
        "default: words",
    )
    parser.add_argument(
        "--phrases",
        action=argparse.BooleanOptionalAction,
        help="join frequent phrases to one word",
    )
    parser.add_argument(
        "--strip-headers",
        action=argparse.BooleanOptionalAction,
        help="keep only the subject from the header of a post or mail; default: where most texts "
        "begin with a header",
    )
    parser.add_argument(
        "--strip-quotes",
        action=argparse.BooleanOptionalAction,
        help="leave out the quoted lines and the signature of a post or mail; default: where most "
        "texts begin with a header",
    )
    parser.add_argument(
        "--languages",
        metavar="LANGUAGE[,…]|auto|none",
        help="rules of capitals (Turkish İ and I) and elision (French l'examen); default: the "
        "language of --stop-words, or the detected languages",
    )
    parser.add_argument(
        "--segmenter",
        choices=("auto", "icu", "none"),
        help="divide Thai, Lao, Khmer, Burmese, Chinese and Japanese into words; needs "
        "orrery[segmentation]; default: auto, where it is installed and there are no blanks",
    )
    parser.add_argument(
        "--join-line-ends",
        action=argparse.BooleanOptionalAction,
        help="join words that are divided by a hyphen at the end of a line, if they occur "
        "undivided; default: yes",
    )
    parser.add_argument(
        "--strip-markup",
        action="store_true",
        default=None,
        help="leave out tags, web addresses and user names, and read codes such as &amp; and "
        "(cid:12) as their characters",
    )
    parser.add_argument(
        "--lemmas",
        metavar="LANGUAGE[,…]|auto",
        help="replace word forms by their lemma, such as stars by star; needs orrery[lemmas]",
    )
    parser.add_argument(
        "--stop-words",
        metavar="LANGUAGE[,…]|auto|none|FILE",
        help="words to leave out: the list of a language such as german or de, the lists of the "
        "detected languages (auto), none, or the words in a file; default: english",
    )
    options.add_json(parser)


def _source(text: str) -> Path:
    # Path("") is the current folder.
    if not text.strip():
        raise argparse.ArgumentTypeError("name a file or a folder")
    return Path(text)


def _limit(text: str) -> int | float:
    """Number of documents, or a share of them if the text has a decimal point."""
    try:
        limit = float(text) if "." in text else int(text)
    except ValueError:
        limit = -1
    if not (0 <= limit <= 1 if isinstance(limit, float) else limit >= 1):
        raise argparse.ArgumentTypeError(
            f"got {text!r}, expected a whole number of documents from 1, or a share such as 0.5"
        )
    return limit


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Read the source, build and store the corpus, and print its size."""
    from ...core.data.corpus import build_corpus
    from ...core.data.limits import check_name
    from ...core.data.raw import RawMatrix
    from ...core.data.readers import read_documents
    from ...core.data.recipe import matrix_recipe
    from ...core.data.report import remarks, skipped_line_messages, summary
    from ...core.storage.atomic import check_free
    from ...core.storage.corpora import save_corpus

    check_name(chosen.out)
    # Saving checks again, but reading may take minutes.
    check_free(chosen.out)
    raw = read_documents(
        chosen.source,
        text_column=None if chosen.text_column is None else tuple(chosen.text_column),
        id_column=chosen.id_column,
        label_column=chosen.label_column,
        title_column=chosen.title_column,
        date_column=chosen.date_column,
        encoding=chosen.encoding,
        **{name: getattr(chosen, name) for name in options.TABLE_OPTIONS},
        date_order=chosen.date_order,
        sheet=chosen.sheet,
        passages=chosen.passages,
    )
    if isinstance(raw, RawMatrix):
        _refuse_recipe(chosen)
        recipe, hints = matrix_recipe(), list[str]()
    else:
        recipe, hints = _recipe(chosen, raw.table["text"].tolist())
    corpus, report = build_corpus(raw, recipe)
    save_corpus(corpus, chosen.out, report)
    if not chosen.json:
        print(f"{chosen.out}: {summary(report)}")
        said = skipped_line_messages(report.as_dict()) if report.how_it_was_read else []
        for line in (*remarks(report, corpus.recipe), *hints):
            if line not in said:
                print(f"  {line}")
        options.print_guesses(report.how_it_was_read, "import")
    return report.as_dict()


def _refuse_recipe(chosen: argparse.Namespace) -> None:
    """Raise an InputError for options on the processing of texts: a matrix has no texts."""
    for name in (*RECIPE_OPTIONS, "tokens", "lemmas", "stop_words", "languages"):
        value = getattr(chosen, name)
        if value is not None:
            option = f"--{'no-' if value is False else ''}{name.replace('_', '-')}"
            raise InputError(
                f"{chosen.source.name} is a ready-made matrix, which keeps its words as they are; "
                f"leave out {option}"
            )


def _recipe(chosen: argparse.Namespace, texts: list[str]) -> tuple[Recipe, list[str]]:
    """Recipe from the options, and hints on options that suit the texts."""
    from ...core.data.mail import default_recipe, without_header
    from ...core.data.recipe import Recipe
    from ...core.data.stop_words import find_languages
    from ...core.data.word_patterns import PATTERNS

    usual = default_recipe(texts)
    given: dict[str, Any] = {
        "strip_headers": usual.strip_headers,
        "strip_quotes": usual.strip_quotes,
    }
    chosen_values = {name: getattr(chosen, name) for name in RECIPE_OPTIONS}
    given |= {name: value for name, value in chosen_values.items() if value is not None}
    if given["strip_headers"]:
        # Their words are English, whatever the language of the texts.
        texts = [without_header(text) for text in texts]
    stop_words, hints = _stop_words(chosen.stop_words, texts)
    named = find_languages(chosen.stop_words or "")
    if chosen.languages is not None:
        languages = ",".join(find_languages(chosen.languages)) or chosen.languages
        given["languages"] = "" if languages == "none" else languages
    elif named:
        given["languages"] = ",".join(named)
    if chosen.lemmas is not None:
        given["lemmas"], more = _lemmas(chosen.lemmas, texts)
        hints += more
    if chosen.tokens is not None:
        given["token_pattern"] = PATTERNS[chosen.tokens]
    return Recipe(stop_words=stop_words, **given), hints


def _lemmas(choice: str, texts: list[str]) -> tuple[str, list[str]]:
    """Languages to lemmatise, and hints on them."""
    from ...core.data.languages import languages_of, resolve_lemmas

    if choice != "auto":
        return resolve_lemmas(choice), []
    found = languages_of(texts)
    if not found:
        return "", ["no language was recognised, so that no lemmas were read"]
    return resolve_lemmas(",".join(found)), [f"lemmas of the language found: {','.join(found)}"]


def _stop_words(choice: str | None, texts: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Stop words, with a hint if the texts are in another language."""
    from ...core.data.languages import languages_of
    from ...core.data.stop_words import resolve_stop_words

    if choice not in (None, "auto"):
        return resolve_stop_words(str(choice)), []
    found = languages_of(texts)
    named = ",".join(found)
    if choice is None:
        is_other = found and "english" not in found
        hints = [f"the texts read as {named}: --stop-words {named} leaves out its common words"]
        return resolve_stop_words("english"), hints if is_other else []
    if not found:
        return (), ["no language was recognised, so that no stop words were left out"]
    return resolve_stop_words(named), [f"stop words of the language found: {named}"]


def _token_choice(name: str) -> str:
    """Value of ``--tokens``; earlier versions used "signs" for "characters"."""
    return "characters" if name == "signs" else name
