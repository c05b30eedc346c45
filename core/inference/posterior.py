"""Posterior probabilities with standard errors, and joint probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from ..kernels.posterior import Rounds
from ..utils import notebook
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray
from .evidence import Evidence, LocalModel
from .sampling import combine_rounds, round_means

Method = Literal["elimination", "sampling", "sum-product", "mean-field", "jensen"]
# Methods that callers may choose: ``auto`` is elimination if it takes few products, else sampling.
MethodChoice = Method | Literal["auto"]
METHODS: tuple[MethodChoice, ...] = ("auto", *get_args(Method))

# Probabilities closer to 0 or 1 do not show how many samples are effective.
_UNSURE = 0.05
# Number of topics listed in a notebook.
TOPICS_SHOWN = 20


@dataclass(frozen=True)
class Estimate:
    """Value with its standard error, 0 if it is exact."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class Samples:
    """Weighted samples of the states of the local topics, drawn on first access by ``draw``."""

    draw: Callable[[], Rounds]

    @cached_property
    def rounds(self) -> Rounds:
        """Independent rounds of samples, or a single one with all states."""
        return self.draw()

    @property
    def state(self) -> BoolArray:
        """Whether each topic is on, shape (n_states, n_topics)."""
        return np.asarray(self.rounds.state)

    @property
    def weight(self) -> FloatArray:
        """Weight of every state, shape (n_states,); the sum is 1."""
        weight = np.exp(self.rounds.log_weight - self.rounds.log_weight.max())
        return np.asarray(weight / weight.sum())

    @property
    def is_exact(self) -> bool:
        """Whether the samples are all states."""
        return bool(self.rounds.is_exact)

    def mean(self, values: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Posterior mean and standard error of functions of the state, both shape (n_values,).

        ``values`` (array-like, shape (n_states, n_values)) has one row per state in ``state``.
        """
        table = np.asarray(values, np.float64)
        mean, weight = round_means(self.rounds, table)
        value, error = combine_rounds(mean, weight, np.zeros_like(mean))
        return np.asarray(value), np.asarray(error)

    def log_probability(self) -> Estimate:
        """Log-probability of the evidence, in nats: the logarithm of an unbiased estimate."""
        log_sum = np.asarray(self.rounds.log_sum)
        top = log_sum.max()
        share = np.exp(log_sum - top)
        error = 0.0
        if len(share) > 1:
            error = float(share.std(ddof=1) / share.mean() / np.sqrt(len(share)))
        return Estimate(float(top + np.log(share.mean())), error)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior of the topics of the local model.

    Attributes
    ----------
    probability : float64 array, shape (n_topics,)
        Probability of every topic in ``local.topics``; every other topic is off, or unknown and
        without influence in an open world.
    error : float64 array, shape (n_topics,), or None
        Standard errors, 0 if exact; None if the method gives none.
    log_probability : float
        Log-probability of the evidence, in nats. Exact by ``elimination``; by ``sampling`` the
        logarithm of an unbiased estimate, a lower bound on average; by ``sum-product`` Bethe's
        approximation; by ``mean-field`` and ``jensen`` a lower bound.
    log_probability_error : float or None
        Its standard error.
    method : {"elimination", "sampling", "sum-product", "mean-field", "jensen"}
    is_precise : bool
        Whether every error is at most the required one; False without errors.
    samples : Samples or None
        Samples; None except by ``elimination`` and ``sampling``.
    """

    evidence: Evidence
    local: LocalModel
    probability: FloatArray
    error: FloatArray | None
    log_probability: float
    log_probability_error: float | None
    method: Method
    is_precise: bool
    samples: Samples | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are exact, from all states."""
        is_summed = self.method == "elimination"
        return is_summed or (self.samples is not None and self.samples.is_exact)

    @property
    def largest_error(self) -> float:
        """Largest standard error of a topic; 0 without topics, infinite without errors."""
        return np.inf if self.error is None else float(self.error.max(initial=0.0))

    @property
    def effective_samples(self) -> float:
        """Number of independent posterior samples with the same standard errors.

        Median over the topics that are not nearly certain; infinite if all are exact or certain.
        """
        if self.error is None:
            raise InputError(f"{self.method} has no samples; use the method sampling")
        p = self.probability
        unsure = (p > _UNSURE) & (p < 1.0 - _UNSURE) & (self.error > 0.0)
        if not unsure.any():
            return np.inf
        return float(np.median(p[unsure] * (1.0 - p[unsure]) / self.error[unsure] ** 2))

    def position(self, topic: int, name: str | None = None) -> int:
        """Position of a topic in ``local.topics``.

        Raises InputError, with the name of the topic if it is given, else with its number, if the
        topic is not in the local model.
        """
        place = int(np.searchsorted(self.local.topics, topic))
        if place >= len(self.local.topics) or self.local.topics[place] != topic:
            named = topic if name is None else name
            raise InputError(f"topic {named} has no word of the query below it; choose another")
        return place

    def together(self, topic: int, other: int) -> Estimate:
        """Probability that two topics of the local model are both on, see `together_with`."""
        place = self.position(other)
        joint, error = self.together_with(topic)
        return Estimate(float(joint[place]), float(error[place]))

    def any_of(self, topics: Sequence[int]) -> Estimate:
        """Probability that at least one of some topics of the local model is on.

        Estimated from the samples, unless these are all states or there is one topic; errors are
        raised as in `together_with`.
        """
        places = [self.position(topic) for topic in topics]
        each = self.probability[places]
        if len(topics) == 1 and self.error is not None:
            return Estimate(float(each[0]), float(self.error[places[0]]))
        samples = self._known_samples()
        value, error = samples.mean(samples.state[:, places].any(axis=1, keepdims=True))
        return Estimate(float(np.clip(value[0], each.max(), min(each.sum(), 1.0))), float(error[0]))

    def together_with(self, topic: int) -> tuple[FloatArray, FloatArray]:
        """Probability that each topic of the local model is on together with the given one.

        Estimated from the samples, unless these are all states: the share of states in which the
        other topic is on if the first is, times the probability of the first.

        Returns
        -------
        joint, error : float64 arrays, shape (n_topics,)

        Raises
        ------
        InputError
            If a topic is not in the local model, or the method has no samples.
        """
        samples, place = self._known_samples(), self.position(topic)
        own, each = float(self.probability[place]), self.probability
        joint, error = samples.mean(samples.state & samples.state[:, [place]])
        if joint[place] > 0.0:
            joint = joint * (own / joint[place])
        # The estimate is limited to the range that the two probabilities allow.
        return np.clip(joint, np.maximum(own + each - 1.0, 0.0), np.minimum(own, each)), error

    def __repr__(self) -> str:
        largest = float(self.probability.max(initial=0.0))
        return (
            f"Posterior({len(self.probability)} topics by {self.method}, the most probable "
            f"{largest:.2f})"
        )

    def _repr_html_(self) -> str:
        """HTML table of the local model's topics by number, the most probable first."""
        order = np.argsort(-self.probability, kind="stable")[:TOPICS_SHOWN]
        rows = [
            (int(self.local.topics[place]), notebook.state_mark(float(self.probability[place])))
            for place in order
        ]
        facts = (
            f"{len(self.local.topics)} topics",
            f"by {self.method}",
            f"log-probability {self.log_probability:.3f} nats",
        )
        return notebook.card("Posterior", facts, notebook.table(("topic", "on"), rows))

    def _known_samples(self) -> Samples:
        if self.samples is None:
            raise InputError(f"{self.method} has no samples; use the method sampling")
        return self.samples
