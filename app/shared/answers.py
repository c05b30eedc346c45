"""The posterior for some evidence, computed once however often a page is drawn.

What the model answers to a question, with or without clamped topics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ...core.drawing.question import Question
from ...core.drawing.selection import clamped_parts
from ...core.inference.evidence import Evidence
from ...core.inference.infer import LARGEST_ERROR, infer
from ...core.inference.posterior import Posterior
from ...core.model.network import Network

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Draws take megabytes where texts are long, probabilities alone next to nothing.
MOST_KEPT, MOST_KEPT_BARE = 8, 512
# A text of more words than this is read with larger errors: it takes up to ten times as long.
MANY_WORDS = 12
ERROR_OF_MANY = 0.03


@lru_cache(MOST_KEPT)
def posterior_of(network: Network, evidence: Evidence) -> Posterior:
    """`orrery.core.inference.infer.infer`, cached; with larger errors for a long text."""
    return infer(network, evidence, error=_error_for(evidence))


@lru_cache(MOST_KEPT_BARE)
def bare_posterior_of(network: Network, evidence: Evidence) -> Posterior:
    """`posterior_of` without its draws."""
    return replace(infer(network, evidence, error=_error_for(evidence)), draws=None)


def _error_for(evidence: Evidence) -> float:
    return ERROR_OF_MANY if len(evidence.present) > MANY_WORDS else LARGEST_ERROR


@dataclass(frozen=True)
class Answer:
    """A question with its posterior, and the one that it has when no topic is clamped."""

    question: Question
    posterior: Posterior
    free: Posterior
    clamped: dict[int, str]

    @property
    def before(self) -> Posterior | None:
        """What to compare with: nothing, where nothing is clamped."""
        return self.free if self.clamped else None


def ask(run: Run, question: Question, clamped: Mapping[int, str], *, closed_world: bool) -> Answer:
    """Ask the model, twice where topics are clamped (``on`` or ``off``)."""
    free = posterior_of(run.network, question.evidence(closed_world=closed_world))
    parts = clamped_parts(run, free, clamped)
    posterior = free
    if parts:
        posterior = posterior_of(
            run.network, question.evidence(closed_world=closed_world, clamped=parts)
        )
    return Answer(question, posterior, free, parts)
