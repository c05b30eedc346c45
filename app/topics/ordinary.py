"""Words that mostly occur without any topic, so that they tell of none (no streamlit)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from orrery.core.run import Run


def is_ordinary(run: Run, node: int) -> bool:
    """Whether no topic has a part in most occurrences of a word.

    Its topics are taken as independent, as in `orrery.core.labels.marginals`: the word is there
    by chance and nothing else with ``chance · (1 - prior) / (1 - chance)``.
    """
    chance, prior = -np.expm1(-run.network.leak[node]), run.prior[node]
    return bool(2.0 * chance * (1.0 - prior) > (1.0 - chance) * prior)
