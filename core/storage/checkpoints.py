"""Checkpoints: the state of a training run on disk, from which it continues bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..model.network import Network, StartValues, build_network
from ..training.gibbs import CauseCounts, Chains
from ..training.monte_carlo_em import Sampler
from ..training.optimizers import Moments
from ..training.state import LearningState, Remembered, Sound, TrainingState
from ..training.visits import Visits
from ..utils.errors import InputError
from ..utils.types import Int64Array
from .atomic import write_npz
from .corpora import corpus_fingerprint
from .models import graph_arrays, graph_from_arrays
from .reading import damaged, read_npz
from .runs import settings_seal

# One older checkpoint is kept in case the newest one cannot be read.
CHECKPOINTS_KEPT = 2
# Array that identifies the run to which a file belongs.
RUN = "run"


@dataclass(frozen=True, eq=False)
class Split:
    """Training set and held-out test set, as ascending rows of a corpus."""

    train: Int64Array
    held_out: Int64Array


def save_start(
    folder: Path, graph: Graph, split: Split, corpus: Corpus, given: StartValues | None = None
) -> None:
    """Write the constants of a run: graph, split, corpus fingerprint, and given start values."""
    arrays = graph_arrays(graph) | {
        "train": split.train,
        "held_out": split.held_out,
        "fingerprint": np.array(corpus_fingerprint(corpus)),
        RUN: np.array(settings_seal(folder)),
    }
    if given is not None:
        arrays |= {"weight": given.weight, "leak": given.leak}
    write_npz(folder / "start.npz", arrays)


def load_start(folder: Path, corpus: Corpus) -> tuple[Graph, Split]:
    """Read the graph and the split of a run.

    Raises InputError if the file is missing or damaged, or the corpus differs from that at the
    start of the run.
    """
    arrays = read_npz(folder / "start.npz")
    try:
        begun_with, split = str(arrays["fingerprint"]), Split(arrays["train"], arrays["held_out"])
        rows = np.sort(np.concatenate([split.train, split.held_out]))
        _check_run(folder, arrays)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise damaged(folder / "start.npz") from None
    if begun_with != corpus_fingerprint(corpus):
        raise InputError(
            f"the corpus of {folder} is not as it was when the run began; import it again as it "
            "was, or start a new run"
        )
    try:
        graph = graph_from_arrays(arrays, corpus.n_tokens)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise damaged(folder / "start.npz") from None
    # The kernels do not check these indices.
    if rows.dtype != np.int64 or not np.array_equal(rows, np.arange(corpus.n_documents)):
        raise damaged(folder / "start.npz")
    return graph, split


def load_given(folder: Path, graph: Graph) -> StartValues | None:
    """Read the given start values of weights and leaks; None without any.

    Raises InputError if the file is missing or damaged.
    """
    arrays = read_npz(folder / "start.npz")
    if "weight" not in arrays:
        return None
    given = StartValues(arrays["weight"], arrays.get("leak", np.empty(0)))
    for array, size in ((given.weight, graph.n_edges), (given.leak, graph.n_nodes)):
        # NaN is valid: training chooses that start value.
        is_valid = array.dtype == np.float64 and array.shape == (size,)
        if not is_valid or ((array < 0) | np.isinf(array)).any():
            raise damaged(folder / "start.npz")
    return given


def _check_run(folder: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Refuse a file of another run (InputError); earlier versions did not store the run."""
    if str(arrays.get(RUN, "")) not in ("", settings_seal(folder)):
        raise InputError("the file is of another run")


def save_checkpoint(folder: Path, state: TrainingState, seconds: float) -> None:
    """Write a checkpoint, then remove all but the newest ones."""
    # The graph is part of it, because pruning may have changed the initial graph.
    arrays = graph_arrays(state.network.graph) | {
        "weight": state.network.weight,
        "leak": state.network.leak,
        "first": state.moments.first,
        "second": state.moments.second,
        "updates": np.array(state.moments.count, np.int64),
        "step": np.array(state.step, np.int64),
        "seconds": np.array(seconds, np.float64),
        "rate_share": np.array(state.rate_share, np.float64),
        RUN: np.array(settings_seal(folder)),
    }
    if state.average is not None:
        arrays["average"] = state.average
    if state.sampler is not None:
        arrays |= _sampler_arrays(state.sampler)
    if state.search is not None:
        arrays |= _search_arrays(state.search)
    if state.sound is not None:
        arrays |= _sound_arrays(state.sound)
    remembered = (state.search.remembered if state.search else None, state.chart)
    for name, memory in zip(REMEMBERED, remembered, strict=True):
        # The next evaluation would not use the activations of an earlier graph.
        if memory is not None and memory.graph is state.network.graph:
            arrays[name] = memory.activation
    if state.visits is not None:
        visits = state.visits.merged()
        arrays |= {"visited": visits.is_visited, "visited_activation": visits.activation}
    # Not compressed, because training waits: compression takes ten times as long as writing and
    # saves a tenth of the size.
    write_npz(folder / f"checkpoint-{state.step:08d}.npz", arrays, compressed=False)
    for old in sorted(folder.glob("checkpoint-*.npz"))[:-CHECKPOINTS_KEPT]:
        old.unlink()


# Arrays of the activations of the validation set and of the documents of the chart.
REMEMBERED = ("validation_activation", "chart_activation")


def load_checkpoint(folder: Path, graph: Graph) -> tuple[TrainingState, float] | None:
    """Newest readable checkpoint with the seconds of training so far; None without checkpoints.

    Raises InputError if there are checkpoints but none can be read.
    """
    paths = sorted(folder.glob("checkpoint-*.npz"), reverse=True)
    for path in paths:
        try:
            arrays = read_npz(path)
            _check_run(folder, arrays)
            return _state_from_arrays(graph, arrays), float(arrays["seconds"])
        except (KeyError, ValueError, TypeError, OverflowError):
            continue
    if paths:
        raise InputError(f"no checkpoint of {folder} can be read; start the run anew")
    return None


def checkpoint_networks(folder: Path, n_tokens: int) -> list[tuple[int, Network]]:
    """Step and network of each checkpoint that can be read, the newest first.

    A training process may replace the files meanwhile. ``n_tokens`` is the size of the vocabulary.
    """
    found = []
    for path in sorted(folder.glob("checkpoint-*.npz"), reverse=True):
        try:
            arrays = read_npz(path)
            _check_run(folder, arrays)
            graph = graph_from_arrays(arrays, n_tokens)
            network = build_network(graph, arrays["weight"], arrays["leak"])
            found.append((int(arrays["step"]), network))
        except (InputError, OSError, KeyError, ValueError, TypeError, OverflowError):
            continue
    return found


def _state_from_arrays(graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> TrainingState:
    current = graph_from_arrays(arrays, graph.n_tokens) if "parent" in arrays else graph
    network = build_network(current, arrays["weight"], arrays["leak"])
    step = int(arrays["step"])
    if step < 1:
        raise InputError(f"got step {step}; expected 1 or more")
    # Earlier versions did not store the number of updates, or the rate share below.
    moments = Moments(arrays["first"], arrays["second"], int(arrays.get("updates", step)))
    if not 0 <= moments.count <= step:
        raise InputError(f"got {moments.count} updates of the averages; expected 0 to {step}")
    average, sound = arrays.get("average"), _sound_from_arrays(current, arrays)
    size = (current.n_edges + current.n_nodes,)
    for array in (moments.first, moments.second, average, sound.average if sound else None):
        if array is not None and not (array.shape == size and np.isfinite(array).all()):
            raise InputError("the averages do not belong to this graph")
    rate_share = float(arrays.get("rate_share", 1.0))
    if not 0.0 <= rate_share <= 1.0:
        raise InputError(f"got the share {rate_share} of the rate; expected 0 to 1")
    sampler, search = _sampler_from_arrays(current, arrays), _search_from_arrays(graph, arrays)
    validation, chart = (_remembered_from_arrays(current, arrays, name) for name in REMEMBERED)
    if search is not None:
        search = replace(search, remembered=validation)
    visits = _visits_from_arrays(current, arrays)
    return TrainingState(
        network, moments, step, average, sampler, search, sound, rate_share, chart, visits
    )


def _visits_from_arrays(graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> Visits | None:
    # Earlier versions did not store them; all visits then start anew.
    if "visited" not in arrays:
        return None
    visits = Visits(graph, None, arrays["visited_activation"], arrays["visited"])
    # The sizes are checked with the documents, at the next step.
    kinds = ((visits.activation, np.uint8), (visits.is_visited, np.bool_))
    if any(array.dtype != kind or array.ndim != 1 for array, kind in kinds):
        raise InputError("the visits are no activations")
    return visits


def _remembered_from_arrays(
    graph: Graph, arrays: Mapping[str, npt.NDArray[Any]], name: str
) -> Remembered | None:
    # Earlier versions did not store them; the next evaluation then begins at the usual starts.
    if name not in arrays:
        return None
    activation = arrays[name]
    # The number of activations is checked with the documents, at the next evaluation.
    is_valid = activation.dtype == np.float32 and activation.ndim == 1
    if not is_valid or not ((activation >= 0.0) & (activation <= 1.0)).all():
        raise InputError("the activations are no probabilities")
    return Remembered(graph, None, activation)


def _sound_arrays(sound: Sound) -> dict[str, npt.NDArray[Any]]:
    arrays: dict[str, npt.NDArray[Any]] = {
        "sound_weight": sound.network.weight,
        "sound_leak": sound.network.leak,
        "sound_most": np.array(sound.most, np.float64),
    }
    return arrays if sound.average is None else arrays | {"sound_average": sound.average}


def _sound_from_arrays(graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> Sound | None:
    # Earlier versions did not store it; the next step then becomes the first sound one.
    if "sound_most" not in arrays:
        return None
    network = build_network(graph, arrays["sound_weight"], arrays["sound_leak"])
    most = float(arrays["sound_most"])
    if not 0.0 < most < np.inf:
        raise InputError(f"got {most} nats at the most; expected a number above 0")
    return Sound(network, arrays.get("sound_average"), most)


# Prefix of the arrays of the best network so far.
BEST = "best_"


def _search_arrays(search: LearningState) -> dict[str, npt.NDArray[Any]]:
    best = search.best
    arrays = graph_arrays(best.graph) | {"weight": best.weight, "leak": best.leak}
    found = {
        "search_bound": np.array(search.bound, np.float64),
        "search_has_all_layers": np.array(search.has_all_layers),
        "search_discount": np.array(search.discount, np.float64),
    }
    return {BEST + name: array for name, array in arrays.items()} | found


def _search_from_arrays(
    graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]
) -> LearningState | None:
    if "search_bound" not in arrays:
        return None
    best_arrays = {
        name.removeprefix(BEST): array for name, array in arrays.items() if name.startswith(BEST)
    }
    best_graph = graph_from_arrays(best_arrays, graph.n_tokens)
    best = build_network(best_graph, best_arrays["weight"], best_arrays["leak"])
    return LearningState(
        best,
        float(arrays["search_bound"]),
        bool(arrays["search_has_all_layers"]),
        # Earlier versions did not store the discount.
        float(arrays.get("search_discount", 0.0)),
    )


def _sampler_arrays(sampler: Sampler) -> dict[str, npt.NDArray[Any]]:
    chains, counts = sampler.chains, sampler.counts
    assert counts is not None
    return {
        "chain_rows": chains.rows,
        "chain_ptr": chains.ptr,
        "chain_state": chains.state,
        "count_edge": counts.edge,
        "count_leak": counts.leak,
        "count_usage": counts.usage,
        "sampler": np.array([chains.sweeps, sampler.epoch, sampler.since], np.int64),
    }


def _sampler_from_arrays(graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> Sampler | None:
    if "sampler" not in arrays:
        return None
    # `train` checks that the chains belong to the documents of the run.
    chain = [arrays[f"chain_{part}"] for part in ("rows", "ptr", "state")]
    kinds = zip(chain, (np.int64, np.int64, np.bool_), strict=True)
    is_valid = all(array.dtype == kind and array.ndim == 1 for array, kind in kinds)
    counts = [arrays[f"count_{part}"] for part in ("edge", "leak", "usage")]
    for array, size in zip(counts, (graph.n_edges, graph.n_nodes, graph.n_topics), strict=True):
        is_valid &= array.shape == (size,) and array.dtype == np.float64
        is_valid &= bool(np.isfinite(array).all())
    sweeps, epoch, since = arrays["sampler"].tolist()
    if not is_valid or min(sweeps, epoch, since) < 0:
        raise InputError("the chains do not belong to this graph")
    rows, ptr, state = chain
    return Sampler(Chains(rows, ptr, state, sweeps), CauseCounts(*counts), epoch, since)
