"""Command line: run parts of the reproduction, keep their figures, write the page of them all."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from tests.benchmarks.code_state import UNKNOWN, Origin, closure, merged, origin_of, recorded
from tests.benchmarks.data import MissingData, UnknownName
from tests.benchmarks.machine import describe_machine, measure_pace
from tests.benchmarks.page import age, render_page
from tests.benchmarks.part import SPLITS, Figures, Part, Settings, log
from tests.benchmarks.parts import PAGES
from tests.benchmarks.quick_runs import compare_older_parts
from tests.benchmarks.results import RESULTS, Result, load_results, save_result
from tests.benchmarks.subjects import SUBJECTS

HERE = Path(__file__).parent
LOG_FORMAT = "%(asctime)s %(message)s"


def main(arguments: list[str]) -> None:
    """Run what is asked for; a part whose data is absent is passed over with the reason."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.page == "stale":
        mark_stale()
        return
    if chosen.page == "compare":
        logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, datefmt="%H:%M:%S")
        compare_older_parts(chosen.only)
        mark_stale()
        return
    # The models of the posterior are the same in all its parts.
    if chosen.sets and len(chosen.only) != 1 and chosen.page != "posterior":
        parser.error("--sets is of one part; name it with --only")
    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, datefmt="%H:%M:%S")
    page = PAGES[chosen.page]
    settings = Settings(
        chosen.splits, chosen.quick, chosen.sets, page.name, tuple(chosen.run), chosen.share
    )
    # Quick figures are for looking whether a part runs, so they never replace real ones.
    results = RESULTS / "quick" if chosen.quick else RESULTS
    place = (results if chosen.quick else HERE) / page.file

    def store(result: Result) -> None:
        save_result(results, result)
        place.write_text(render_page(page, load_results(results)), encoding="utf-8")

    for name in chosen.only:
        log.info("%s, about %s minutes on two cores", name, page.parts[name].minutes)
        try:
            store(_run(page.parts[name], settings, results, store))
        except MissingData as missing:
            log.warning("%s is left out: %s", name, missing)
        except UnknownName as unknown:
            parser.error(str(unknown))


def mark_stale(results: Path = RESULTS, pages: Path = HERE) -> None:
    """Print the parts whose code has changed since they were run, and mark them on their pages."""
    loaded = load_results(results)
    for page in PAGES.values():
        for name in page.parts:
            # A part that was never run has no figures that could be old.
            for sentence in age(loaded[name]) if name in loaded else ():
                sys.stdout.write(f"{page.name} {name}: {sentence}\n")
        (pages / page.file).write_text(render_page(page, loaded), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.set_defaults(splits=SPLITS, sets=(), run=(), share=1.0)
    commands = parser.add_subparsers(dest="page", required=True)
    for page in PAGES.values():
        command = commands.add_parser(page.name, help=page.summary)
        command.add_argument(
            "--only",
            type=partial(_names, page.parts),
            default=tuple(page.parts),
            metavar=",".join(page.parts),
            help="default: all",
        )
        command.add_argument(
            "--quick", action="store_true", help="tiny pieces of all, into results/quick"
        )
    commands.add_parser(
        "stale", help="print the parts whose code has changed since, and mark them on the pages"
    )
    compare = commands.add_parser(
        "compare",
        help="run older parts on tiny data with the code of their figures and with today's, "
        "and note on their pages where both give the same",
    )
    compare.add_argument(
        "--only",
        type=partial(_names, [name for page in PAGES.values() for name in page.parts]),
        default=(),
        metavar="PART,…",
        help="default: all but those of times and of trials",
    )
    for name in ("paper", "graphs", "speed"):
        splits = commands.choices[name]
        splits.add_argument("--splits", type=_numbers, default=SPLITS, metavar="0,1,2,3,4")
    for name, sets in (
        ("paper", "density sets"),
        ("graphs", "corpora of structures"),
        ("evidence", "sets, with the number of topics,"),
        ("speed", "shapes of web, texts of scale"),
        ("posterior", "models"),
        ("rivals", "density sets"),
    ):
        commands.choices[name].add_argument(
            "--sets",
            type=lambda text: tuple(text.split(",")),
            default=(),
            metavar="NAME,…",
            help=f"{sets} to run anew; the figures of the others stay; default: all",
        )
    commands.choices["trust"].add_argument(
        "--share", type=float, default=1.0, metavar="X", help="of the whole size; default: 1"
    )
    commands.choices["posterior"].add_argument(
        "--run",
        type=_named_run,
        action="append",
        default=[],
        metavar="MODEL=RUN",
        help="a finished run to take for a model instead of training it; may be repeated",
    )
    return parser


def _named_run(text: str) -> tuple[str, Path]:
    name, separator, place = text.partition("=")
    if not separator or name not in SUBJECTS:
        raise argparse.ArgumentTypeError(
            f"{text!r} names no run; write MODEL=RUN with a model of {', '.join(SUBJECTS)}"
        )
    return name, Path(place)


def _names(known: Collection[str], text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"there is no part {name!r}")
    return names


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _run(
    part: Part,
    settings: Settings,
    results: Path,
    store: Callable[[Result], None] = lambda result: None,
) -> Result:
    """Run a part; a long one has its figures so far stored, too."""
    pace, begin = measure_pace(), time.perf_counter()

    def made(figures: Figures) -> Result:
        return Result(
            part=part.name,
            command=settings.command(part.name),
            minutes=(time.perf_counter() - begin) / 60,
            machine=describe_machine(),
            quick=settings.quick,
            figures=figures,
            pace=pace,
        )

    def with_origin(result: Result, origin: Origin) -> Result:
        # Read late: another process may have run other sets meanwhile.
        earlier = load_results(results).get(part.name)
        # Without a record, the sets that were not run now have an unknown origin.
        before = earlier.origins or (UNKNOWN,) if earlier else ()
        return replace(result, origins=merged(before, origin, result.sets))

    measured: tuple[str, ...] = ()

    def keep(figures: Figures, sets: tuple[str, ...]) -> None:
        nonlocal measured
        measured = sets
        store(with_origin(made(figures), origin_of(sets, closure(part.run.__module__))))

    with recorded(part.run.__module__, settings.sets) as origins:
        result = made(part.run(replace(settings, keep=keep)))
    result = replace(result, pace=(pace + measure_pace()) / 2)
    sets = settings.sets
    if measured:
        # Sets that were asked for but left out keep their earlier figures and origins.
        sets = () if set(measured) == set(result.sets) else measured
    return with_origin(result, replace(origins[0], sets=sets))


if __name__ == "__main__":
    main(sys.argv[1:])
