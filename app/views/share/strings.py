"""Strings of the Share page."""

from __future__ import annotations

TITLE = "Share"
SENTENCE = "Take the model with you: as a page, a picture or data. Each file is made when you ask."
EMPTY = "Here you will download a trained model as a page, a picture or data."

# Section of each purpose of a format.
PURPOSES = {"look": "To look at", "work": "To work with"}
RUN_CARD = "Run card"
RUN_CARD_HELP = "What it takes to repeat the run; the report has all of it."

WITH_TEXTS_HELP = (
    "The beginnings of the documents that are most telling of each topic go along. Whoever has the "
    "file can read them."
)
DOWNLOAD = "Download"
PNG, PNG_TITLE = "PNG", "Picture to print, as PNG"
NO_PNG = "This browser cannot draw the picture; take the drawing instead."


def download(title: str) -> str:
    """Say what a button downloads, for screen readers."""
    return f"{DOWNLOAD} {title}"


def hidden(count: int) -> str:
    """Say what happens to hidden topics."""
    topics = "topic is" if count == 1 else "topics are"
    return f"{count} hidden {topics} left out of pictures and kept, marked, in JSON and GraphML."


DATA_OUT_TITLE = "Tables"
DATA_OUT_SENTENCE = (
    "As CSV for spreadsheets, or Parquet for pandas, R and the like. In CSV, texts that begin "
    "with =, +, - or @ stand behind an apostrophe, so that none is taken for a formula."
)
WIDE = "A column for each topic"
WIDE_HELP = "Else a row for each topic of each document, which is smaller."
ERRORS = "With standard errors"
ERRORS_HELP = (
    "The posterior of every document by sums or draws, which takes some hundredths of a second "
    "for each; else by messages, which have no errors and take a tenth of that."
)
NO_TRAINING = "This model was not trained here."
LARGE = (
    "{count:,} documents take a while here; the command writes them to disk as they come: {command}"
)


def command(run: str) -> str:
    """The command line that writes the table of documents."""
    return f"orrery export {run} --format documents --out documents.csv"
