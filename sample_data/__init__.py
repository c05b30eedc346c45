"""A corpus written for this project, and a model trained on it; data, no code."""
