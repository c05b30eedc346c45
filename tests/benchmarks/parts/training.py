"""Where the processor seconds of a training run with default settings go."""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from orrery.app.workspace.catalog import SAMPLE_DATA
from orrery.core.data.corpus import Corpus
from orrery.core.runs import recorder, runner
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.training import structure_learning, upper_layers
from orrery.core.training.options import TrainingOptions
from tests.benchmarks.corpora import news20
from tests.benchmarks.data import UnknownName
from tests.benchmarks.machine import measure_pace
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

CORPORA: dict[str, Callable[[], Corpus]] = {
    "sample": lambda: load_corpus(SAMPLE_DATA / "corpus"),
    "news20": news20,
}
QUICK_EPOCHS = 2
# Functions of each part of a run, as (module, name). The seconds of a function do not include the
# listed functions that it calls.
STEPS, ELSE = "training steps", "everything else"
PARTS: dict[str, tuple[tuple[Any, str], ...]] = {
    STEPS: ((structure_learning, "step"),),
    "evaluation on the validation set": ((structure_learning, "remembering_bounds"),),
    "points of the chart": ((recorder, "remembering_bounds"),),
    "belief propagation for the structure": (
        (structure_learning, "infer_activations"),
        (upper_layers, "infer_activations"),
    ),
    "Monte Carlo EM of upper layers": ((upper_layers, "_learn_layer"),),
    "sampled states, growing, merging": (
        (structure_learning, "posterior_states"),
        (upper_layers, "posterior_states"),
        (structure_learning, "inverse_probability"),
        (structure_learning, "grow"),
        (structure_learning, "merge_alike"),
    ),
    "first graph": ((runner, "prepare"),),
    "final evaluation": ((runner, "evaluate"),),
    "topics of all documents": ((runner, "corpus_activations"),),
}


class Stopwatch:
    """Processor seconds of this process in named functions, without what they call themselves."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inside: list[float] = []

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose seconds count for a part."""

        def measured(*arguments: Any, **named: Any) -> Any:
            self._inside.append(0.0)
            begun = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                spent = time.process_time() - begun
                self.seconds[part] += spent - self._inside.pop()
                if self._inside:
                    self._inside[-1] += spent

        return measured


def measured_run(corpus: Path, folder: Path, options: TrainingOptions) -> dict[str, Any]:
    """Seconds of one training run by part, and its bound on the test set."""
    watch = Stopwatch()
    with ExitStack() as patches:
        for part, functions in PARTS.items():
            for module, name in functions:
                timed = watch.timed(part, getattr(module, name))
                patches.enter_context(patch.object(module, name, timed))
        run = watch.timed(ELSE, runner.start_run)
        summary = run(folder, RunSettings(str(corpus), options), Session(threads=1))
    held_out = summary["held_out"]
    return {"seconds": dict(watch.seconds), "bound": held_out["exact_bound"]}


def run(settings: Settings) -> Figures:
    """Train on each corpus and for each seed, after a short run that compiles the kernels.

    Raises
    ------
    UnknownName
        If a set is not in `CORPORA`.
    """
    names = settings.sets or settings.pick(tuple(CORPORA), ("sample",))
    for name in names:
        if name not in CORPORA:
            raise UnknownName(f"there is no corpus {name}; choose among {', '.join(CORPORA)}")
    rows = []
    epochs = settings.pick(TrainingOptions().epochs, QUICK_EPOCHS)
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            corpus = CORPORA[name]()
            place = Path(scratch, name)
            save_corpus(corpus, place)
            short = TrainingOptions(structure="learned", epochs=1)
            measured_run(place, Path(scratch, f"{name}-compiling"), short)
            for seed in settings.splits[: settings.pick(3, 1)]:
                options = TrainingOptions(structure="learned", epochs=epochs, seed=seed)
                found = measured_run(place, Path(scratch, f"{name}-{seed}"), options)
                log.info("%s, seed %d: %s", name, seed, found)
                rows.append(
                    {"corpus": name, "seed": seed, "documents": corpus.n_documents, **found}
                )
    return {"rows": rows, "pace": measure_pace()}


def show(figures: Figures) -> str:
    """A column for each run, a line for each part."""
    rows = figures["rows"]
    header = ["processor seconds", *(f"{row['corpus']}, seed {row['seed']}" for row in rows)]
    whole = [sum(row["seconds"].values()) for row in rows]
    lines = [["documents", *(number(row["documents"], 0) for row in rows)]]
    lines += [
        [part, *(number(row["seconds"].get(part, 0.0), 1) for row in rows)]
        for part in (*PARTS, ELSE)
    ]
    lines.append(["**all**", *(f"**{number(seconds, 1)}**" for seconds in whole)])
    lines.append(["exact bound on the test set, nats", *(number(row["bound"], 3) for row in rows)])
    return "\n\n".join(
        [
            "One run of `orrery train` with default settings on one thread. All kernels are "
            "compiled before, and imports are left out. A seed also chooses the test set, so "
            "bounds of different seeds are not comparable.",
            table(header, lines),
        ]
    )


PART = Part("training", "A training run by part", 40, run, show)
