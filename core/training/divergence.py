"""Detect a diverging training and continue from its last sound network at a lower learning rate.

Weights stay in a box (`model.network.build_network`) and steps are bounded
(`optimizers.MAX_LOG_STEP`), so no weight becomes infinite. Steps that are far too long move weights
from one side of the box to the other; the documents then need many times the nats of a sound
network. The guard checks this at every step.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import Int64Array
from .e_step import objective_bounds
from .options import TrainingOptions
from .state import Sound, StepInfo, TrainingState, fresh_state, independent_nats

# Training has diverged when documents need more than this multiple of the nats that they need under
# independent words, or at the start if that is more. Trainings at ten times the default rate stay
# below 1.1; at a hundred times, the second step is at 80.
DIVERGED = 1.5
# Factor on the learning rate after each divergence.
RATE_FACTOR = 0.1


class DivergenceGuard:
    """Checks the steps of one training.

    The result depends only on the documents and the state, so a resumed training is checked
    exactly like an uninterrupted one.

    Parameters
    ----------
    rows : int64 array
        All training documents.
    last_step : int
        Number of steps of the whole training.
    """

    def __init__(
        self, corpus: Corpus, rows: Int64Array, options: TrainingOptions, last_step: int
    ) -> None:
        self._corpus, self._options, self._last_step = corpus, options, last_step
        self._independent = independent_nats(corpus, rows)

    def checked(
        self, before: TrainingState, after: TrainingState, info: StepInfo, batch: Int64Array
    ) -> tuple[TrainingState, StepInfo]:
        """Return the state after a step, or the last sound state if the step's network diverged.

        Raises InputError if the bound at the start of training is not finite.

        Parameters
        ----------
        before, after : TrainingState
            States before and after the step.
        info : StepInfo
            Report of the step; its bound belongs to the network before the step.
        batch : int64 array
            Documents of the step.
        """
        nats = self._relative_nats(info.bound, batch)
        if before.sound is None and not np.isfinite(nats):
            raise InputError(
                "the weights that training starts from give documents no finite bound; start from "
                "smaller ones, or without any"
            )
        sound = before.sound or Sound(before.network, before.average, DIVERGED * max(1.0, nats))
        has_diverged = not nats <= sound.most
        if nats <= sound.most / DIVERGED:
            sound = Sound(before.network, before.average, sound.most)
        if after.step == self._last_step and not has_diverged:
            # No later step would detect a divergence of the last one.
            bounds = objective_bounds(after.network, self._corpus, batch, self._options)
            has_diverged = not self._relative_nats(float(bounds.mean()), batch) <= sound.most
        if not has_diverged:
            return replace(after, sound=sound), info
        # The moments contain the gradients that led to the divergence, so they start anew.
        back = replace(
            fresh_state(sound.network, after.step),
            average=sound.average,
            search=after.search,
            sound=sound,
            rate_share=RATE_FACTOR * after.rate_share,
        )
        return back, replace(info, is_step_back=True)

    def _relative_nats(self, bound: float, batch: Int64Array) -> float:
        """Nats of the documents relative to their nats under independent words."""
        return -bound / float(self._independent[batch].mean())
