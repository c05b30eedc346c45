"""Checkpoints: the state of a training on disk, from which it continues bit for bit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.graph import Graph
from core.network import build_network
from core.storage.atomic import write_npz
from core.storage.models import graph_arrays, graph_from_arrays
from core.storage.reading import damaged, read_npz
from core.training import Moments, TrainingState

# One older checkpoint is kept, should the newest turn out unreadable.
CHECKPOINTS_KEPT = 2


@dataclass(frozen=True)
class Split:
    """Documents of a corpus to train on and held out, as ascending rows."""

    train: npt.NDArray[np.int64]
    held_out: npt.NDArray[np.int64]


def save_start(folder: Path, graph: Graph, split: Split) -> None:
    """Write what a run never changes: its graph and its split."""
    rows = {"train": split.train, "held_out": split.held_out}
    write_npz(folder / "start.npz", {**graph_arrays(graph), **rows})


def load_start(folder: Path) -> tuple[Graph, Split]:
    """Read the graph and the split of a run.

    Raises
    ------
    InputError
        If the file is missing or damaged.
    """
    arrays = read_npz(folder / "start.npz")
    try:
        return graph_from_arrays(arrays), Split(arrays["train"], arrays["held_out"])
    except (KeyError, ValueError, TypeError):
        raise damaged(folder / "start.npz") from None


def save_checkpoint(folder: Path, state: TrainingState, seconds: float) -> None:
    """Write a checkpoint, then remove all but the newest few."""
    arrays = {
        "weight": state.network.weight,
        "leak": state.network.leak,
        "first": state.moments.first,
        "second": state.moments.second,
        "step": np.array(state.step, np.int64),
        "seconds": np.array(seconds, np.float64),
    }
    write_npz(folder / f"checkpoint-{state.step:08d}.npz", arrays)
    for old in sorted(folder.glob("checkpoint-*.npz"))[:-CHECKPOINTS_KEPT]:
        old.unlink()


def load_checkpoint(folder: Path, graph: Graph) -> tuple[TrainingState, float] | None:
    """Newest checkpoint that can be read, with the seconds trained so far; None if there is none.

    Raises
    ------
    InputError
        If there are checkpoints and none can be read.
    """
    paths = sorted(folder.glob("checkpoint-*.npz"), reverse=True)
    for path in paths:
        try:
            arrays = read_npz(path)
            network = build_network(graph, arrays["weight"], arrays["leak"])
            moments = Moments(arrays["first"], arrays["second"])
            state = TrainingState(network, moments, int(arrays["step"]))
            return state, float(arrays["seconds"])
        except (KeyError, ValueError, TypeError):
            continue
    if paths:
        raise InputError(f"no checkpoint of {folder} can be read; start the run anew")
    return None
