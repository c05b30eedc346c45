"""From what a person typed to what the model says about it, and why."""
