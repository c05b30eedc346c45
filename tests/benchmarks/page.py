"""The page of all results: the paper's figures and ours, side by side."""

from __future__ import annotations

from collections.abc import Mapping

from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Part
from tests.benchmarks.results import Result

HEAD = """# The paper's experiments, run again

Ji et al., *Variational Training for Large-Scale Noisy-OR Bayesian Networks*, UAI 2019, and some
that are not in it. This page is written by `python -m tests.benchmarks paper` from the figures in
`results/`; change the parts, not the page.

Bounds and likelihoods are nats per document, higher is better, and a document without tokens counts
like any other. *a ± b* is the mean over the splits ± two standard deviations. The splits of tiny20
are those of seeds 0–4: they differ by more than the methods do, so the log-likelihood of
independent words, trained and tested on the same documents, stands beside every result. The
paper's own splits are not known. **ours** marks what this project measured, – what is not there.
"""
QUICK = "**A quick run on tiny pieces: it shows that the part runs and nothing else.**"


def render_page(parts: Mapping[str, Part], results: Mapping[str, Result]) -> str:
    """Markdown of the parts that have results, in the order of the parts."""
    done = [(parts[name], results[name]) for name in parts if name in results]
    return "\n".join([HEAD, _overview(done), *[_section(*pair) for pair in done]])


def _overview(done: list[tuple[Part, Result]]) -> str:
    rows = [
        [f"[{part.title}](#{part.name})", str(part.minutes), number(result.minutes, 1)]
        for part, result in done
    ]
    return table(["part", "expected minutes", "took"], rows) + "\n"


def _section(part: Part, result: Result) -> str:
    lines = [
        f'<a id="{part.name}"></a>\n\n## {part.title}\n',
        part.show(result.figures) + "\n",
        f"`{result.command}` · {number(result.minutes, 1)} minutes on {result.machine}\n",
    ]
    if result.quick:
        lines.insert(1, QUICK + "\n")
    return "\n".join(lines)
