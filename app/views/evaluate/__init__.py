"""The Evaluate page: metrics of a model beside its baselines, and a comparison of systems."""
