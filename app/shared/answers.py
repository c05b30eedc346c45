"""The model's answer to a question, with or without clamped topics, and the cache of posteriors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast
from weakref import ref

from ...core.drawing.question import Question
from ...core.drawing.selection import clamped_parts
from ...core.inference.evidence import Evidence
from ...core.inference.infer import MAX_ERROR, infer
from ...core.inference.most_probable import MostProbable, most_probable
from ...core.inference.posterior import Posterior
from ...core.inference.questions import Aim, Questions, best_questions
from ...core.inference.sensitivity import Sensitivity, sensitivity
from ...core.inference.thresholds import MANY_WORDS
from ...core.model.network import Network
from ...core.model.topic_model import Run
from ..shell.loaders import notice_while_compiling

# Posteriors in the cache, with samples (megabytes for long texts) and without.
MAX_CACHED, MAX_CACHED_BARE = 8, 512
# Longer texts are answered with a larger error, since they take up to ten times as long.
ERROR_OF_MANY = 0.03

Function = TypeVar("Function", bound=Callable[..., Any])


def _cached(entries: int) -> Callable[[Function], Function]:
    """Cache a function of a network and other values, without keeping the network in memory."""

    def decorate(function: Function) -> Function:
        @lru_cache(entries)
        def find(network: ref[Network], *values: Hashable, **options: Hashable) -> Any:
            return function(network(), *values, **options)

        @wraps(function)
        def cached(network: Network, *values: Hashable, **options: Hashable) -> Any:
            return find(ref(network), *values, **options)

        return cast("Function", cached)

    return decorate


@_cached(MAX_CACHED)
def posterior_of(network: Network, evidence: Evidence) -> Posterior:
    """`orrery.core.inference.infer.infer`, cached; with a larger error for a long text."""
    return infer(network, evidence, error=_error_for(evidence))


@_cached(MAX_CACHED_BARE)
def bare_posterior_of(network: Network, evidence: Evidence) -> Posterior:
    """`posterior_of` without its samples."""
    return replace(infer(network, evidence, error=_error_for(evidence)), samples=None)


@_cached(MAX_CACHED_BARE)
def most_probable_of(network: Network, evidence: Evidence) -> MostProbable:
    """`orrery.core.inference.most_probable.most_probable`, cached."""
    return most_probable(network, posterior_of(network, evidence))


@_cached(MAX_CACHED_BARE)
def questions_of(
    network: Network, evidence: Evidence, n_questions: int, aim: Aim = "information"
) -> Questions:
    """`orrery.core.inference.questions.best_questions`, cached."""
    return best_questions(network, posterior_of(network, evidence), n_questions, aim=aim)


@_cached(MAX_CACHED_BARE)
def sensitivity_of(network: Network, evidence: Evidence, topic: int) -> Sensitivity:
    """`orrery.core.inference.sensitivity.sensitivity`, cached."""
    return sensitivity(network, posterior_of(network, evidence), topic)


def _error_for(evidence: Evidence) -> float:
    return ERROR_OF_MANY if len(evidence.present) > MANY_WORDS else MAX_ERROR


@dataclass(frozen=True)
class Answer:
    """A question with its posterior, and the posterior without clamped topics (``free``)."""

    question: Question
    posterior: Posterior
    free: Posterior
    clamped: dict[int, str]

    @property
    def before(self) -> Posterior | None:
        """Posterior to compare with; None if nothing is clamped."""
        return self.free if self.clamped else None


def ask(run: Run, question: Question, clamped: Mapping[int, str]) -> Answer:
    """Answer a question; ``clamped`` has topics with ``on`` or ``off``."""
    closed_world = question.closed_world
    with notice_while_compiling():
        free = posterior_of(run.network, question.evidence(closed_world=closed_world))
        parts = clamped_parts(run, free, clamped)
        posterior = free
        if parts:
            evidence = question.evidence(closed_world=closed_world, clamped=parts)
            posterior = posterior_of(run.network, evidence)
    return Answer(question, posterior, free, parts)
