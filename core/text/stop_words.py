"""Words too common to tell topics apart: the English list, none, or a file of one's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.text.encodings import decode
from core.text.limits import read_source

# scikit-learn's list was made for a tokenizer that splits at apostrophes; ours keeps them, so the
# contractions of its words are added ("'s" is cut off by the token pattern).
CONTRACTIONS = (
    "ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't "
    "needn't shouldn't wasn't weren't won't wouldn't i'd i'll i'm i've you'd you'll you're you've "
    "he'd he'll she'd she'll it'd it'll we'd we'll we're we've they'd they'll they're they've "
    "that'd that'll there'd there'll who'd who'll who've what'll what're what've could've "
    "should've would've might've must've"
)
# Nouns and verbs on scikit-learn's list that a topic may well be about; they stay.
TELLING_WORDS = (
    "amount bill bottom cry describe detail empty fill fire front interest mill mine move serious "
    "sincere system thick thin"
)


@cache
def english_stop_words() -> tuple[str, ...]:
    """Return scikit-learn's list with contractions and without telling words, alphabetically."""
    # Imported late: a query takes its stop words from the stored recipe and need not wait for it.
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    stop_words = {*ENGLISH_STOP_WORDS, *CONTRACTIONS.split()} - set(TELLING_WORDS.split())
    return tuple(sorted(stop_words))


def resolve_stop_words(choice: str) -> tuple[str, ...]:
    """Turn the choice ``english``, ``none`` or a file's path into the words themselves.

    Raises
    ------
    InputError
        If the file is missing or is not text.
    """
    if choice == "none":
        return ()
    if choice == "english":
        return english_stop_words()
    path = Path(choice)
    return tuple(sorted(set(decode(read_source(path), path.name).lower().split())))
