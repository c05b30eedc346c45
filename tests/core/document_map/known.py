"""Documents of which it is known what they are about, as the activations of topics."""

from __future__ import annotations

import numpy as np
from scipy import sparse

THEMES, TOPICS = 6, 24


def drawn(n: int, seed: int) -> tuple[sparse.csr_array, np.ndarray]:
    """Activations of documents, each of one theme, and their themes.

    A theme has four topics, of which each is on in two of three documents; any other is on in one
    of fifty; one topic is on in all.
    """
    random = np.random.default_rng(seed)
    theme = random.integers(0, THEMES, n)
    of_theme = np.arange(TOPICS)[None, :] * THEMES // TOPICS == theme[:, None]
    is_on = random.random((n, TOPICS)) < np.where(of_theme, 0.67, 0.02)
    leak = np.where(is_on, random.uniform(0.5, 1.0, is_on.shape), 0.0)
    table = np.hstack([leak, np.ones((n, 1))]).astype(np.float32)
    return sparse.csr_array(table), theme
