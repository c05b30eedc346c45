"""Page of results: the main table, and every part with its command and machine."""

from __future__ import annotations

from collections.abc import Mapping

from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Page, Part
from tests.benchmarks.results import Result

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
        f"`{result.command}` · {number(result.minutes, 1)} minutes on {_machine(result)}\n",
    ]
    if result.quick:
        lines.insert(1, QUICK + "\n")
    return "\n".join(lines)


def _machine(result: Result) -> str:
    if result.pace is None:
        return result.machine
    pace = f"the sum of a million squares in plain Python took {number(result.pace, 0)} ms"
    return f"{result.machine}; {pace}"
