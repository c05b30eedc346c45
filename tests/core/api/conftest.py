"""Texts on three subjects, and an estimator that has learned them; not to be changed."""

from __future__ import annotations

import random

import pytest

from orrery import NoisyOrTopics, Recipe
from tests.core.small_runs import THEMES

SMALL = Recipe(min_df=2, max_df=1.0, phrases=False)
N_TEXTS, EPOCHS = 240, 20
# The usual prior is for more words than these.
PENALTY = 2.0
# Two layers of topics, so that there are parents to be seen.
SETTINGS = {
    "n_topics": (3, 2),
    "epochs": EPOCHS,
    "weight_penalty": PENALTY,
    "recipe": SMALL,
    "random_state": 3,
}


def texts_about(seed: int, count: int = N_TEXTS) -> list[str]:
    """Texts of four words each, subject after subject."""
    leak = random.Random(seed)
    words = [theme.split() for theme in THEMES.values()]
    return [f"The {' '.join(leak.sample(words[n % len(words)], 4))}" for n in range(count)]


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return texts_about(5)


@pytest.fixture(scope="session")
def fitted(texts: list[str]) -> NoisyOrTopics:
    return NoisyOrTopics(**SETTINGS).fit(texts)
