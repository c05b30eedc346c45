"""What the model answers to a question, with or without clamped topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orrery.app.graph.selection import clamped_parts
from orrery.app.query.asking import posterior_of
from orrery.app.query.question import Question
from orrery.core.inference import Posterior

if TYPE_CHECKING:
    from orrery.core.run import Run


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
