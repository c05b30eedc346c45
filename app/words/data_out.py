"""Words of the tables that the Share page gives out."""

from __future__ import annotations

TITLE = "Tables"
SENTENCE = (
    "As CSV for spreadsheets, or Parquet for pandas, R and the like. In CSV, texts that begin "
    "with =, +, - or @ stand behind an apostrophe, so that none is taken for a formula."
)
# Title and sentence of each table.
TABLES = {
    "documents": (
        "Documents by topics",
        "Which topics are on in which documents of the corpus, with probabilities.",
    ),
    "words": (
        "Topics by words",
        "Which words each topic brings: weight of the link, probability, and lift.",
    ),
    "training": ("Training", "What was measured while the model was trained, step by step."),
}
WIDE = "A column for each topic"
WIDE_HELP = "Else a row for each topic of each document, which is smaller."
ERRORS = "With standard errors"
ERRORS_HELP = (
    "The posterior of every document by sums or draws, which takes some hundredths of a second "
    "for each; else by messages, which have no errors and take a tenth of that."
)
NO_TRAINING = "This model was not trained here."
FORMATS = {".csv": "CSV", ".parquet": "Parquet"}
LARGE = (
    "{count:,} documents take a while here; the command writes them to disk as they come: {command}"
)


def command(run: str) -> str:
    """The command line that writes the table of documents."""
    return f"orrery export {run} --format documents --out documents.csv"
