"""Command line: run parts of the reproduction, keep their figures, write the page of them all."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from pathlib import Path

from tests.benchmarks.data import MissingData
from tests.benchmarks.machine import describe_machine
from tests.benchmarks.page import render_page
from tests.benchmarks.part import SPLITS, Settings, log
from tests.benchmarks.parts import PARTS
from tests.benchmarks.results import RESULTS, Result, load_results, save_result

HERE = Path(__file__).parent


def main(arguments: list[str]) -> None:
    """Run what is asked for; a part whose data is absent is passed over with the reason."""
    chosen = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    settings = Settings(chosen.splits, chosen.quick, chosen.sets)
    # Quick figures are for looking whether a part runs, so they never replace real ones.
    results = RESULTS / "quick" if chosen.quick else RESULTS
    page = results / "PAPER.md" if chosen.quick else HERE / "PAPER.md"
    for name in chosen.only:
        log.info("%s, about %s minutes on two cores", name, PARTS[name].minutes)
        try:
            save_result(results, _run(name, settings))
        except MissingData as missing:
            log.warning("%s is left out: %s", name, missing)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(render_page(PARTS, load_results(results)), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    commands = parser.add_subparsers(required=True)
    paper = commands.add_parser("paper", help="the experiments of Ji et al. (2019) and more")
    paper.add_argument(
        "--only", type=_names, default=tuple(PARTS), metavar=",".join(PARTS), help="default: all"
    )
    paper.add_argument("--splits", type=_numbers, default=SPLITS, metavar="0,1,2,3,4")
    paper.add_argument(
        "--sets",
        type=lambda text: tuple(text.split(",")),
        default=(),
        metavar="NAME,…",
        help="density sets to run anew; the figures of the others stay; default: all",
    )
    paper.add_argument(
        "--quick", action="store_true", help="tiny pieces of all, into results/quick"
    )
    return parser


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in PARTS:
            raise argparse.ArgumentTypeError(f"there is no part {name!r}")
    return names


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _run(name: str, settings: Settings) -> Result:
    begin = time.perf_counter()
    figures = PARTS[name].run(settings)
    return Result(
        part=name,
        command=settings.command(name),
        minutes=(time.perf_counter() - begin) / 60,
        machine=describe_machine(),
        quick=settings.quick,
        figures=figures,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
