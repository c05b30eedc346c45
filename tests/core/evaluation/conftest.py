"""The small corpus and the run on it."""

from tests.core.small_runs import corpus_folder, trained

__all__ = ["corpus_folder", "trained"]
