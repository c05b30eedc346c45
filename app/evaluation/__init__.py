"""Evaluation of models: processes that score them, and the figures that result."""
