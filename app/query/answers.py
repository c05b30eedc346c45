"""What the model answers to a question, with topics held by hand or without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orrery.app.graph.choice import held_parts
from orrery.app.query.asking import posterior_of
from orrery.app.query.question import Question
from orrery.core.inference import Posterior

if TYPE_CHECKING:
    from orrery.core.run import Run


@dataclass(frozen=True)
class Answer:
    """A question with its posterior, and the one that it has when no topic is held by hand."""

    question: Question
    posterior: Posterior
    free: Posterior
    held: dict[int, str]

    @property
    def before(self) -> Posterior | None:
        """What to compare with: nothing, where nothing is held."""
        return self.free if self.held else None


def ask(run: Run, question: Question, held: Mapping[int, str], *, closed_world: bool) -> Answer:
    """Ask the model, twice where topics are held (``on`` or ``off``)."""
    free = posterior_of(run.network, question.evidence(closed_world=closed_world))
    parts = held_parts(run, free, held)
    posterior = free
    if parts:
        posterior = posterior_of(
            run.network, question.evidence(closed_world=closed_world, held=parts)
        )
    return Answer(question, posterior, free, parts)
