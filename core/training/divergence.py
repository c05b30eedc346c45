"""Training that diverges is noticed, and goes on by shorter steps from where it was sound.

No weight becomes infinite, for all lie in a box (`model.network`) and no step of Adam is
longer than it. But steps that are much too long throw weights from one side of it to the other, and
then documents take many times the nats that they need. That is looked for at every step.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .e_step import objective_bounds
from .options import TrainingOptions
from .state import Sound, StepInfo, TrainingState, document_frequency, fresh_state

# Half as many nats again as words on their own, or the start, would take. Trainings at ten times
# the usual rate stay below 1.1 of them; at a hundred times the second step is at 80.
DIVERGED = 1.5
# What is left of the learning rate after each step back.
SHORTER = 0.1


class DivergenceGuard:
    """Checks the steps of one training.

    A function of the documents and the state alone: a training that is taken up again is judged as
    one that never stopped.

    Parameters
    ----------
    corpus : Corpus
    rows : int64 array
        All documents to train on.
    options : TrainingOptions
    last_step : int
        Steps of the whole training.
    """

    def __init__(
        self, corpus: Corpus, rows: Int64Array, options: TrainingOptions, last_step: int
    ) -> None:
        self._corpus, self._options, self._last_step = corpus, options, last_step
        chance = document_frequency(corpus, rows)
        log_odds = np.log(chance) - np.log1p(-chance)
        self._alone: FloatArray = -(corpus.to_csr() @ log_odds + np.log1p(-chance).sum())

    def checked(
        self, before: TrainingState, after: TrainingState, info: StepInfo, batch: Int64Array
    ) -> tuple[TrainingState, StepInfo]:
        """What a step led to, or where it was sound if the network before it was not.

        Parameters
        ----------
        before, after : TrainingState
            Around the step.
        info : StepInfo
            Of the step: its bound is that of the network before it.
        batch : int64 array
            Documents of the step.

        Raises
        ------
        InputError
            If no finite bound comes from where training starts.
        """
        nats = self._relative_nats(info.bound, batch)
        sound = before.sound or _start(before, nats)
        has_diverged = not nats <= sound.most
        if nats <= sound.most / DIVERGED:
            sound = Sound(before.network, before.average, sound.most)
        if after.step == self._last_step and not has_diverged:
            # No step comes after it that would notice.
            bounds = objective_bounds(after.network, self._corpus, batch, self._options)
            has_diverged = not self._relative_nats(float(bounds.mean()), batch) <= sound.most
        if not has_diverged:
            return replace(after, sound=sound), info
        # Means of slopes that led astray would lead there again.
        back = replace(
            fresh_state(sound.network, after.step),
            average=sound.average,
            search=after.search,
            sound=sound,
            rate_share=SHORTER * after.rate_share,
        )
        return back, replace(info, is_step_back=True)

    def _relative_nats(self, bound: float, batch: Int64Array) -> float:
        """Nats of some documents, by those that they take when each word is on its own."""
        return -bound / float(self._alone[batch].mean())


def _start(state: TrainingState, nats: float) -> Sound:
    if not np.isfinite(nats):
        raise InputError(
            "the weights that training starts from give documents no finite bound; start from "
            "smaller ones, or without any"
        )
    return Sound(state.network, state.average, DIVERGED * max(1.0, nats))
