"""Words that every page shares: the rail, the names of the pages."""

from __future__ import annotations

APP = "Orrery"
PAGE_TITLES = {
    "home": "Home",
    "query": "Query",
    "graph": "Graph",
    "documents": "Documents",
    "corpus": "Corpus",
    "train": "Train",
    "evaluate": "Evaluate",
    "share": "Share",
}

RAIL_CORPUS = "Corpus"
RAIL_MODEL = "Model"
NONE_YET = "None yet"
SAMPLE = "Field notes"
SAMPLE_NOTE = "The sample that comes with Orrery; a copy of its model can be changed."

WARMING = "Getting ready for the first query. This happens once on a machine and takes seconds."

EMPTY_TITLE = "No model yet"
TO_CORPUS = "Add a corpus"
TO_TRAIN = "Train a model"

COPIED = "Copied from {name}; nothing was trained."


def counted(number: int | str, one: str) -> str:
    """Write a number with its noun: 1 epoch, 2 epochs, 0.5 of 1 epoch."""
    is_one = str(number).rpartition(" ")[2] == "1"
    return f"{number} {one}" + ("" if is_one else "s")


def sentence(text: str) -> str:
    """Return a message as a sentence: capital first, full stop last."""
    trimmed = text.strip()
    if not trimmed:
        return ""
    # Only a plain word is given a capital: a file's name must stay as it is written.
    first = trimmed.split()[0]
    if first.isalpha() and first.islower():
        trimmed = trimmed[0].upper() + trimmed[1:]
    return trimmed if trimmed[-1] in ".?…" else trimmed + "."
