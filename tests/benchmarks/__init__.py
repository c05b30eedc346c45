"""The paper's experiments, run again: ``python -m tests.benchmarks paper`` writes PAPER.md."""
