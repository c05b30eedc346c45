"""Epochs of a run that training passed over (no streamlit)."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd


def passed_over(metrics: pd.DataFrame) -> list[tuple[float, float]]:
    """Epochs that were passed over, from and to: those of a layer that the documents do not need.

    Every epoch of training ends with a row, so that rows further apart mean just that.
    """
    if not {"epoch", "phase"} <= set(metrics.columns):
        return []
    trained = metrics["epoch"][metrics["phase"] == "training"].to_numpy(float)
    return [
        (float(np.floor(before)), float(np.ceil(after)) - 1.0)
        for before, after in itertools.pairwise(trained)
        if np.ceil(after) - np.floor(before) > 1.0 and before == np.floor(before)
    ]


def epochs_trained(metrics: pd.DataFrame) -> pd.Series:
    """Epochs up to every row, without those that were passed over before it."""
    epoch = metrics["epoch"].astype(float)
    return epoch - sum((end - begin) * (epoch > begin) for begin, end in passed_over(metrics))
