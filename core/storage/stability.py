"""Stability of a model: in which of several trainings its topics and links are found again.

The file is stored beside the model, and grows by one training at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.graph import Graph
from ..model.topic_model import Run, TopicModel
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int64Array
from .atomic import write_npz
from .reading import read_json, read_npz
from .runs import model_folder

STABILITY_VERSION = 1
FILE = "stability.npz"
# A topic or link is stable if it is found again in at least this share of the trainings.
STABLE_SHARE = 0.8
# One that is found again in at most this share may be due to chance.
RARE_SHARE = 0.3
# Probability that an interval contains the true share.
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Limits of a share."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Stability:
    """Matches of a model in ``times`` trainings with other seeds on random samples of documents.

    Attributes
    ----------
    share : float
        Share of the training documents in the sample of each training.
    wanted : int
        Number of trainings that was requested.
    seeds : int64 array, shape (times,)
    seconds : float64 array, shape (times,)
        Duration of each training.
    n_topics : int64 array, shape (times,)
        Number of topics of each training.
    correlation : float64 array, shape (times, n_topics)
        Correlation of P(on) of each topic with its partner in each training.
    topic : bool array, shape (times, n_topics)
        Whether each topic of the model was found again (`core.evaluation.topic_matching`).
    link : bool array, shape (times, n_edges)
    topic_by_chance : float64 array, shape as ``topic``
        Share of the shuffles in which the topic reaches the required correlation. A topic is found
        again only above every shuffle.
    link_by_chance : float64 array, shape as ``link``
        Probability that the link is found again if the topics that were found again are paired at
        random; 0 if an end of it was not found again.
    """

    share: float
    wanted: int
    seeds: Int64Array
    seconds: FloatArray
    n_topics: Int64Array
    correlation: FloatArray
    topic: BoolArray
    link: BoolArray
    topic_by_chance: FloatArray
    link_by_chance: FloatArray

    @property
    def times(self) -> int:
        """Number of finished trainings."""
        return len(self.seeds)

    @property
    def stable_from(self) -> int:
        """Smallest number of trainings in which a stable topic is found again."""
        return ceil(STABLE_SHARE * self.times)

    def is_rare(self, count: int) -> bool:
        """Whether a topic or link with this count may be due to chance."""
        return count <= RARE_SHARE * self.times

    @property
    def topic_counts(self) -> Int64Array:
        """In how many trainings each topic was found again, shape (n_topics,)."""
        return np.asarray(self.topic.sum(axis=0), np.int64)

    @property
    def link_counts(self) -> Int64Array:
        """In how many trainings each link was found again, shape (n_edges,)."""
        return np.asarray(self.link.sum(axis=0), np.int64)

    def interval(self, count: int) -> Interval:
        """Clopper–Pearson interval of the share of such trainings that find a topic again.

        It is valid for this model and corpus: each training draws its seed and its documents
        independently, so the counts are binomial. It does not apply to new documents from
        elsewhere, nor to all topics at once.
        """
        # Imported here, because scipy.stats takes long to load.
        from scipy.stats import binomtest

        if not self.times:
            return Interval(0.0, 1.0)
        found = binomtest(count, self.times).proportion_ci(CONFIDENCE, method="exact")
        return Interval(float(found.low), float(found.high))

    def with_training(self, **training: Any) -> Stability:
        """Stability with one more training; the arguments are the values of one row."""
        rows = {
            name: np.concatenate([getattr(self, name), np.asarray(value)[np.newaxis]])
            for name, value in training.items()
        }
        return Stability(self.share, self.wanted, **rows)


def no_trainings(graph: Graph, share: float, wanted: int) -> Stability:
    """Stability before the first training."""
    of_topics, of_links = (0, graph.n_topics), (0, graph.n_edges)
    return Stability(
        share,
        wanted,
        seeds=np.zeros(0, np.int64),
        seconds=np.zeros(0),
        n_topics=np.zeros(0, np.int64),
        correlation=np.zeros(of_topics),
        topic=np.zeros(of_topics, bool),
        link=np.zeros(of_links, bool),
        topic_by_chance=np.zeros(of_topics),
        link_by_chance=np.zeros(of_links),
    )


# Arrays of the file, their types, and the shape of a row: () or the length of the second axis.
_ARRAYS: dict[str, tuple[Any, str]] = {
    "seeds": (np.int64, ""),
    "seconds": (np.float64, ""),
    "n_topics": (np.int64, ""),
    "correlation": (np.float64, "n_topics"),
    "topic": (np.bool_, "n_topics"),
    "link": (np.bool_, "n_edges"),
    "topic_by_chance": (np.float64, "n_topics"),
    "link_by_chance": (np.float64, "n_edges"),
}


def write_stability(model_folder: Path, found: Stability, model_hash: str | None = None) -> None:
    """Write the file beside the model that it belongs to.

    Raises InputError if the stored model does not have this hash (`read_model_hash`), because it
    was trained further in the meantime. By default, the hash of the stored model is taken.
    """
    stored_hash = read_model_hash(model_folder)
    if model_hash not in (None, stored_hash):
        raise InputError(
            f"the model in {model_folder} has changed since its stability was measured; start "
            "orrery stability again"
        )
    arrays: dict[str, npt.NDArray[Any]] = {
        "version": np.array(STABILITY_VERSION),
        "model": np.array(model_hash or stored_hash),
        "share": np.array(found.share),
        "wanted": np.array(found.wanted, np.int64),
    }
    arrays |= {name: getattr(found, name).astype(kind) for name, (kind, _) in _ARRAYS.items()}
    write_npz(model_folder / FILE, arrays)


def load_stability(model_folder: Path, graph: Graph) -> Stability | None:
    """Stability of a stored model; None if it is not known, or the model was trained further.

    Raises InputError if the file is damaged or has another version.
    """
    path = model_folder / FILE
    if not path.is_file():
        return None
    try:
        arrays = read_npz(path)
        version = int(arrays["version"])
        if version == STABILITY_VERSION:
            if str(arrays["model"]) != read_model_hash(model_folder):
                return None
            return _stability_of(arrays, graph)
    except (InputError, KeyError, ValueError, TypeError, IndexError, OverflowError):
        raise InputError(
            f"{path} is damaged; delete it, and start orrery stability again"
        ) from None
    raise InputError(
        f"{path} has version {version}, and this Orrery reads {STABILITY_VERSION}; delete it, and "
        "start orrery stability again"
    )


def known_stability(model: TopicModel) -> Stability | None:
    """Stability of a run after at least one training; None for another model, or if unknown."""
    if not isinstance(model, Run):
        return None
    try:
        folder = model_folder(model.folder)
    except InputError:
        # The run was deleted after it was read.
        return None
    found = load_stability(folder, model.network.graph)
    return found if found is not None and found.times else None


def _stability_of(arrays: dict[str, npt.NDArray[Any]], graph: Graph) -> Stability:
    """Check the arrays (ValueError)."""
    times, share, wanted = len(arrays["seeds"]), float(arrays["share"]), int(arrays["wanted"])
    for name, (kind, row) in _ARRAYS.items():
        shape = (times, getattr(graph, row)) if row else (times,)
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            raise ValueError(name)
        if kind is np.float64 and not np.isfinite(arrays[name]).all():
            raise ValueError(name)
    if not 0.0 < share <= 1.0 or wanted < 1:
        raise ValueError("share")
    return Stability(share, wanted, **{name: arrays[name] for name in _ARRAYS})


def read_model_hash(model_folder: Path) -> str:
    """Hash of the parameters of a stored model (InputError if it is damaged)."""
    return str(read_json(model_folder / "model.json").get("model_hash"))
