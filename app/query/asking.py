"""The posterior for some evidence, computed once however often a page is drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from orrery.core.inference import LARGEST_ERROR, Evidence, Posterior, infer
from orrery.core.network import Network

# Draws take megabytes where texts are long, probabilities alone next to nothing.
MOST_KEPT, MOST_KEPT_BARE = 8, 512
# A text of more words than this is read with larger errors: it takes up to ten times as long.
MANY_WORDS = 12
ERROR_OF_MANY = 0.03


@lru_cache(MOST_KEPT)
def posterior_of(network: Network, evidence: Evidence) -> Posterior:
    """`orrery.core.inference.infer`, cached; with larger errors for a long text."""
    return infer(network, evidence, error=_error_for(evidence))


@lru_cache(MOST_KEPT_BARE)
def bare_posterior_of(network: Network, evidence: Evidence) -> Posterior:
    """`posterior_of` without its draws."""
    return replace(infer(network, evidence, error=_error_for(evidence)), draws=None)


def _error_for(evidence: Evidence) -> float:
    return ERROR_OF_MANY if len(evidence.present) > MANY_WORDS else LARGEST_ERROR
