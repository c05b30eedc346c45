"""Strings of the Share page."""

from __future__ import annotations

TITLE = "Share"
SENTENCE = "Download the model as a page, a picture or data."
EMPTY = "Here you will download a trained model as a page, a picture or data."

# Section of each purpose of a format.
PURPOSES = {"look": "To look at", "work": "To work with"}
RUN_CARD = "Run card"
RUN_CARD_HELP = "Details to reproduce the run; the report contains all of them."

WITH_TEXTS_HELP = (
    "The file then contains the beginnings of the most typical documents of each topic. Everyone "
    "who has the file can read them."
)
DOWNLOAD = "Download"
PNG, PNG_TITLE = "PNG", "Picture to print, as PNG"
NO_PNG = "This browser cannot draw the picture; download the SVG instead."


def download(title: str) -> str:
    """Label of a download button for screen readers."""
    return f"{DOWNLOAD} {title}"


def hidden(count: int) -> str:
    """Note on hidden topics."""
    topics = "topic is" if count == 1 else "topics are"
    return (
        f"{count} hidden {topics} left out of pictures, and marked as hidden in JSON and GraphML."
    )


DATA_OUT_TITLE = "Tables"
DATA_OUT_SENTENCE = (
    "CSV for spreadsheets, or Parquet for pandas, R and similar tools. In CSV, cells that begin "
    "with =, +, - or @ get an apostrophe, so that no spreadsheet reads them as a formula."
)
WIDE = "A column for each topic"
WIDE_HELP = (
    "Otherwise the table has a row for each topic of each document, which is smaller. Here the "
    "columns have the ids of the topics; “Topics by words” has their names."
)
ERRORS = "With standard errors"
ERRORS_HELP = (
    "Exact inference or importance sampling for every document, which takes some hundredths of a "
    "second for each. Otherwise belief propagation, which has no standard errors and takes a tenth "
    "of that time."
)
NO_TRAINING = "This model was not trained here."
LARGE = (
    "{count:,} documents take a while here; this command writes them directly to disk: {command}"
)
COMMAND = "orrery export {run} --format documents --out documents.csv"
