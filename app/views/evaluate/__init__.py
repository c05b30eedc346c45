"""The Evaluate page: metrics of a model beside its baselines, and a comparison of systems.

- ``charts``: Charts of the Evaluate page: likelihood, predictions, and coherence of topics
- ``comparison``: Comparison of systems on the Evaluate page: form, progress, table of metrics,
  aligned topics
- ``page``: The Evaluate page: bounds, likelihood, predictions and coherence of models and
  baselines
- ``run_match``: Topics of other models in this one, and names carried over
- ``stability``: Stability: the button, its progress, and how often each topic came back
- ``strings``: Strings of the Evaluate page
"""
