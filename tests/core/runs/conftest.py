"""Fixtures of the tests below."""

from tests.core.small_runs import corpus, corpus_folder, run_folder, trained

__all__ = ["corpus", "corpus_folder", "run_folder", "trained"]
