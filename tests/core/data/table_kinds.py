"""Random tables of the kinds that people export, with and without a header."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

WORDS = [
    *("garden", "kitchen", "bicycle", "library", "hedge", "reading", "fertilizer", "greenhouse"),
    *("shade", "watering", "mulch", "pastry", "dough", "broth", "onion", "butter", "recipe"),
    *("garlic", "spice", "pump", "puncture", "chain", "pedal", "frame", "lane", "archive"),
    *("novel", "poetry", "bookmark", "catalogue", "manuscript", "shelf", "saddle", "helmet"),
]
NAMES = ("Anna", "Bert", "Chloé", "Dmitri", "Eva", "Farid", "Greta", "Hugo", "Ines", "Jan")


def sentence(random_: random.Random, low: int = 5, high: int = 20) -> str:
    return " ".join(random_.choices(WORDS, k=random_.randint(low, high)))


def prose(random_: random.Random) -> str:
    return sentence(random_).capitalize() + random_.choice([".", ".", "!", "?"])


# Values of a column, as a function of the row.
Column = Callable[[random.Random, int], str]
TEXTS: dict[str, Column] = {
    "lower texts": lambda random_, row: sentence(random_),
    "prose": lambda random_, row: prose(random_),
    "short and long": lambda random_, row: (
        sentence(random_, 1, 2) if random_.random() < 0.2 else prose(random_)
    ),
}
OTHERS: dict[str, Column] = {
    "row number": lambda random_, row: str(row),
    "score": lambda random_, row: str(random_.randint(1, 5)),
    "amount": lambda random_, row: f"{random_.uniform(0, 900):.2f}",
    "date": lambda random_, row: f"20{random_.randint(10, 24)}-0{random_.randint(1, 9)}-1{row % 9}",
    "moment": lambda random_, row: f"{row % 12 + 1}/{row % 28 + 1}/2023 18:{row % 60:02}:00",
    "code": lambda random_, row: f"R_{row:05}x",
    "label": lambda random_, row: random_.choice(["garden", "kitchen", "bicycle"]),
    "spam": lambda random_, row: random_.choice(["ham", "ham", "spam"]),
    "yes": lambda random_, row: random_.choice(["TRUE", "FALSE"]),
    "missing": lambda random_, row: random_.choice(["NA", "red", "blue", "green"]),
    "address": lambda random_, row: f"{random_.choice(NAMES).lower()}{row}@example.org",
}
NAMES_OF_TEXTS = (
    "text",
    "Comments",
    "full_text",
    "What did you like most about the course and what would you change about it next year?",
    "Bitte beschreiben Sie in eigenen Worten, was Ihnen im Verein am besten gefallen hat",
    "Q12",
    "Kommentar",
    "review body",
)
NAMES_OF_OTHERS = (
    "Nr",
    "created_at",
    "party",
    "Kurs",
    "Q3",
    "Please rate us from 1 to 5",
    "lang",
    "x",
)


@dataclass
class Kind:
    """A table: its names, or none, and its rows."""

    names: list[str] | None
    rows: list[list[str]]
    place_of_text: int


def random_table(seed: int, *, has_header: bool, n_rows: int = 40) -> Kind:
    """Table of one column of texts and up to four others."""
    random_ = random.Random(seed)
    others = random_.sample(sorted(OTHERS), random_.randint(1, 4))
    kinds = [OTHERS[name] for name in others]
    place = random_.randint(0, len(kinds))
    kinds.insert(place, TEXTS[random_.choice(sorted(TEXTS))])
    rows = [[kind(random_, row) for kind in kinds] for row in range(n_rows)]
    names = None
    if has_header:
        names = random_.sample(NAMES_OF_OTHERS, len(kinds))
        if random_.random() < 0.2:
            names = [str(2019 + number) for number in range(len(kinds))]
        names[place] = random_.choice(NAMES_OF_TEXTS)
    elif random_.random() < 0.5:
        # A first text that is shorter than the others looks like a name.
        rows[0][place] = random_.choice(["ok soil", "good", "Great shelf"])
    return Kind(names, rows, place)
