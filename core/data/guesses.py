"""Guesses of an import, and the option that overrides each guess.

A reader appends to a list of guesses as it reads; the list travels with the source (``RawTable``,
``RawDocuments``, ``RawMatrix``) to the report of the import (``ImportReport.how_it_was_read``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Guess:
    """One fact about how a source was read.

    Attributes
    ----------
    what : str
        Name of the decision, a short noun phrase in plain words: "encoding", "id column".
    value : str
        Result in plain words: "UTF-8", "line 1", "“respondent”".
    reason : str
        Reason for the result, a clause without a full stop; empty if the user set the value.
    option : str
        Name of the argument of `read_documents`, or of the field of the recipe, that overrides the
        guess, such as "encoding" or "strip_headers", with ``no_`` before one that is to be turned
        off; otherwise empty. The command spells it ``--no-strip-headers``, Python
        ``recipe=Recipe(strip_headers=False)``, and the Corpus page shows the label of its control.
    """

    what: str
    value: str
    reason: str = ""
    option: str = ""


# Options that the command calls by another name.
COMMAND_NAMES = {"token_pattern": "tokens"}


def command_option(option: str) -> str:
    """Spelling of an option in the command: ``text_column`` becomes ``--text-column``."""
    return f"--{COMMAND_NAMES.get(option, option).replace('_', '-')}"


def python_option(option: str) -> str:
    """Spelling in Python: ``text_column=…``, or ``recipe=Recipe(strip_headers=False)``."""
    # The modules that a recipe is made of have guesses themselves.
    from .recipe import Recipe

    name = option.removeprefix("no_")
    value = f"{name}={'…' if name == option else 'False'}"
    return f"recipe=Recipe({value})" if name in Recipe.__dataclass_fields__ else value


def guess_lines(
    guesses: Iterable[Guess], spelling: Callable[[str], str] = command_option
) -> list[str]:
    """Plain lines such as ``header: line 1 (…)  [--header]``."""
    return [
        f"{guess.what}: {guess.value}"
        + (f" ({guess.reason})" if guess.reason else "")
        + (f"  [{spelling(guess.option)}]" if guess.option else "")
        for guess in guesses
    ]


def stored_guesses(report: Mapping[str, Any]) -> list[Guess]:
    """Guesses in a report that was stored as JSON; none in reports of earlier versions."""
    fields = ("what", "value", "reason", "option")
    stored = report.get("how_it_was_read") or []
    return [Guess(*(str(entry.get(name, "")) for name in fields)) for entry in stored]
