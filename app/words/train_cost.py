"""Words about what a run may cost: time and memory."""

from __future__ import annotations

from orrery.app.words.common import counted
from orrery.app.words.train import duration

ESTIMATE_HELP = (
    "Time: passes × documents × (50 + words of a document × edges ÷ vocabulary) × the seconds that "
    "each link took in earlier runs on this machine, on corpora nearest to this one in size, give "
    "or take half; and, by what they took there, starting, laying out the graph, compiling code "
    "(most at the first run) and judging the model. That is all there is to wait for before the "
    "model can be asked. Memory: 320 MB for the program, plus what the words, the texts, the pairs "
    "of words and the edges need."
)


def takes(epochs: tuple[int, int], seconds: tuple[float, float], memory: float, runs: int) -> str:
    """Say what a run may take before it is started: epochs asked for, and passes in all."""
    span = _from_to(*(_roughly(value) for value in seconds))
    source = "no earlier run to measure by" if not runs else "measured on earlier runs here"
    asked, passes = epochs
    more = f" (+ {passes - asked} to learn the graph)" if passes > asked else ""
    return (
        f"{counted(asked, 'epoch')}{more}: about {span} from start to model and "
        f"{gigabytes(memory)} of memory ({source})."
    )


def too_large(memory: float, available: float) -> str:
    """Warn of a run that does not fit."""
    return (
        f"It may need {gigabytes(memory)} of memory, but only {gigabytes(available)} are free: "
        "choose fewer topics."
    )


def gigabytes(size: float) -> str:
    """Write a size of memory with two significant digits."""
    return f"{size / 1e9:.1f} GB" if size >= 9.5e8 else f"{round(size / 1e7) * 10} MB"


def _from_to(low: str, high: str) -> str:
    if low == high:
        return low
    value, _, unit = low.partition(" ")
    shared = high.partition(" ")[2] == unit
    return f"{value} to {high}" if shared else f"{low} to {high}"


def _roughly(seconds: float) -> str:
    """Write a time with as many digits as an estimate has."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    if seconds < 60:
        return f"{round(seconds / 10) * 10} s".replace("60 s", "1 min")
    return duration(round(seconds / 60) * 60).removesuffix(" 00 s").removesuffix(" 00 min")
