"""Page of results: the main table, and every part with its command, machine and commit.

A part whose code has changed since is marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tests.benchmarks.code_state import UNKNOWN, Origin
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Page, Part
from tests.benchmarks.results import Result

# Begins the line that marks a part. The line depends on the code of today, not on the results.
OLDER = "**Older than the code.**"
MAX_CHANGED = 6
K = TypeVar("K")
QUICK = "**Quick run on tiny data, which only shows that the part runs.**"


def render_page(page: Page, results: Mapping[str, Result]) -> str:
    """Markdown of the parts that have results, in the order of the parts."""
    done = [(part, results[name]) for name, part in page.parts.items() if name in results]
    top = [page.head, *([f"{main}\n"] if (main := page.main(results)) else []), _overview(done)]
    return "\n".join([*top, *[_section(*pair) for pair in done]])


def _overview(done: list[tuple[Part, Result]]) -> str:
    rows = [
        [f"[{part.title}](#{part.name})", str(part.minutes), number(result.minutes, 1)]
        for part, result in done
    ]
    return table(["part", "expected minutes", "minutes"], rows) + "\n"


def _section(part: Part, result: Result) -> str:
    lines = [
        f'<a id="{part.name}"></a>\n\n## {part.title}\n',
        part.show(result.figures) + "\n",
        f"`{result.command}` · {number(result.minutes, 1)} minutes on {_machine(result)}"
        f"{_commits(result)}\n",
    ]
    if result.quick:
        lines.insert(1, QUICK + "\n")
    elif reasons := age(result):
        lines.insert(1, f"{OLDER} {' '.join(reasons)}\n")
    return "\n".join(lines)


def age(result: Result) -> list[str]:
    """Sentences on what has changed since a result was made; empty if nothing has."""
    sentences = []
    origins = result.origins or (UNKNOWN,)
    for (date, is_recorded, changed, agreement), sets in _grouped(origins, _state).items():
        of_sets = f" of {', '.join(sets)}" if sets else ""
        if not is_recorded:
            others = " of the other sets" if len(origins) > 1 else of_sets
            unknown = f"The code that made the figures{others} was not recorded"
            sentences.append(f"{unknown}, so they count as older.")
        elif changed:
            names = ", ".join(f"`{name}`" for name in changed[:MAX_CHANGED])
            more = len(changed) - MAX_CHANGED
            also = f" and {more} more modules" if more > 0 else ""
            of_date = f", which are of {date}" if date else ""
            sentences.append(f"Changed since the figures{of_sets}{of_date}: {names}{also}.")
            if agreement:
                sentences.append(agreement)
    return sentences


def _state(origin: Origin) -> tuple[str, bool, tuple[str, ...], str]:
    """Day, whether the modules were recorded, which have changed, and what quick runs show."""
    agreement = ""
    if origin.agreed and origin.agrees():
        agreement = (
            f"Quick runs on tiny data give the same {origin.agreed.n_figures:,} figures, without "
            f"times, with the code of {origin.commit} and of {origin.agreed.commit}."
        )
    return origin.date, bool(origin.modules), tuple(origin.changed()), agreement


def _grouped(origins: Iterable[Origin], key: Callable[[Origin], K]) -> dict[K, list[str]]:
    """Names of the sets, by what the origins have in common."""
    groups: dict[K, list[str]] = {}
    for origin in origins:
        groups.setdefault(key(origin), []).extend(origin.sets)
    return groups


def without_ages(page: str) -> str:
    """Page without the lines that mark parts as older than the code."""
    return re.sub(rf"^{re.escape(OLDER)}[^\n]*\n\n", "", page, flags=re.MULTILINE)


def _commits(result: Result) -> str:
    commits = _grouped(result.origins, lambda origin: (origin.commit, origin.date))
    found = [
        f" · commit {commit} of {date}" + (f" ({', '.join(sets)})" if sets else "")
        for (commit, date), sets in commits.items()
        if commit
    ]
    return "".join(found)


def _machine(result: Result) -> str:
    if result.pace is None:
        return result.machine
    pace = f"the sum of a million squares in plain Python took {number(result.pace, 0)} ms"
    return f"{result.machine}; {pace}"
