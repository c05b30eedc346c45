"""``orrery apply``: write the topics of new documents as a table."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.data.corpus import Corpus
    from ...core.data.raw import RawDocuments, RawMatrix
    from ...core.export.applied import Applied
    from ...core.model.topic_model import Run


# Unknown words that are printed.
N_WORDS = 8
# Options of this command that a guess may name.
GUESS_OPTIONS = (*options.TABLE_OPTIONS, "sheet", "encoding", "text_column", "id_column")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "texts",
        metavar="TEXTS",
        type=Path,
        help="new documents: a file or folder that orrery import reads",
    )
    parser.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="FILE",
        help="table to write: .csv or .parquet; its column fits_worse is the share of the training "
        "documents of a similar length that resemble the other training documents less than this "
        "document does, and its column marked tells whether that share is below 1 %%",
    )
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.add_argument(
        "--text-column",
        action="append",
        metavar="NAME[,NAME…]",
        help="text column, or several columns to join; default: those of the training documents "
        "if the file has them, else detected",
    )
    parser.add_argument(
        "--id-column", metavar="NAME", help="id column; default: detected; '' for none"
    )
    options.add_reading(parser)
    parser.add_argument(
        "--errors",
        action="store_true",
        help="add the error of every probability, by exact inference or importance sampling, which "
        "takes about 0.1 s per document; without it, the error is measured on a few documents and "
        "printed",
    )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Write the table, and print what it shows."""
    from ...core.export.applied import write_applied
    from ...core.export.formats import check_extension
    from ...core.storage.atomic import replacing
    from ...core.storage.runs import load_run
    from .progress import ShareProgress

    options.check_place(chosen.out)
    check_extension(chosen.out.suffix.lower())
    options.check_free(chosen.out, chosen.force)
    model = load_run(chosen.run)
    trained_on, problem = _training_corpus(model)
    raw = _read(chosen, model)
    with ShareProgress("applied") as progress, replacing(chosen.out) as file:
        found = write_applied(
            model,
            raw,
            file,
            chosen.out.suffix.lower(),
            trained_on=trained_on,
            errors=chosen.errors,
            progress=progress.report,
        )
    if not chosen.json:
        print(f"{chosen.out}: {found.n_documents:,} documents")
        for line in (*_missing_columns(chosen, model, raw), *_remarks(found, problem)):
            print(f"  {line}")
        guesses = [
            guess if guess.option in GUESS_OPTIONS else replace(guess, option="")
            for guess in raw.guesses
        ]
        options.print_guesses(guesses, "apply")
    return {"file": str(chosen.out), **asdict(found)}


def _read(chosen: argparse.Namespace, model: Run) -> RawDocuments | RawMatrix:
    """Read the new documents as ``orrery import`` does."""
    from ...core.data.columns import ColumnChoice, refuse_columns, trained_columns
    from ...core.data.raw import RawTable
    from ...core.data.readers import documents_of, open_source
    from ...core.data.tables import TableOptions

    text = None if chosen.text_column is None else tuple(chosen.text_column)
    opened = open_source(
        chosen.texts,
        encoding=chosen.encoding,
        sheet=chosen.sheet,
        options=TableOptions(**{name: getattr(chosen, name) for name in options.TABLE_OPTIONS}),
    )
    if not isinstance(opened, RawTable):
        refuse_columns(chosen.texts.name, ColumnChoice(text, chosen.id_column))
    elif text is None:
        names = map(str, opened.table.columns)
        text = trained_columns(names, model.recipe.text_columns) or None
    return documents_of(opened, ColumnChoice(text, chosen.id_column))


def _missing_columns(
    chosen: argparse.Namespace, model: Run, raw: RawDocuments | RawMatrix
) -> list[str]:
    """Remark on text columns of the training documents that a table lacks."""
    used: tuple[str, ...] = getattr(raw, "text_columns", ())
    missing = [f"“{name}”" for name in model.recipe.text_columns if name not in used]
    if chosen.text_column is not None or not used or not missing:
        return []
    joined = " and ".join(f"“{name}”" for name in used)
    return [
        f"the training texts are of the columns {', '.join(missing)}, which the file lacks; these "
        f"are of {joined}: name others with --text-column"
    ]


def _training_corpus(model: Run) -> tuple[Corpus | None, str]:
    """Training documents of a run, or None and the reason."""
    from ...core.storage.corpora import is_trained_on, load_corpus

    try:
        corpus = load_corpus(model.corpus_path)
    except InputError as error:
        return None, str(error)
    if not is_trained_on(model.folder, corpus):
        return None, f"{model.corpus_path} has changed since the training"
    return corpus, ""


def _remarks(found: Applied, problem: str) -> list[str]:
    from ...core.export.applied import CHECKED_SHARE
    from ...core.model.terms import counted

    lines = [f"the model explains {1.0 - found.unexplained:.0%} of their words by topics"]
    if found.n_checked:
        lines.append(
            f"{CHECKED_SHARE:.0%} of the probabilities are accurate to ± {found.error:.3f}, "
            "measured on a few of the documents"
        )
    if found.is_compared:
        one, several = "is marked: it resembles", "are marked: they resemble"
        lines.append(
            f"{counted(f'{found.n_marked:,}', one, several)} the training documents less than 99 % "
            "of these resemble each other"
        )
    else:
        lines.append(f"none is compared with the training documents: {problem or 'too few'}")
    if found.n_without_words:
        without = counted(f"{found.n_without_words:,}", "has no word", "have no word")
        lines.append(f"{without} that the model knows")
    if found.unknown_words:
        words = ", ".join(f"{word} ({count:,})" for word, count in found.unknown_words[:N_WORDS])
        lines.append(f"words that the model does not know, with their documents: {words}")
    return lines
