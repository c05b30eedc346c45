"""The Evaluate page: figures of a model beside its baselines.

- ``charts``: Metrics of models as charts (no streamlit)
- ``comparison``: Comparison of systems: the form, the progress, the table, the topics
- ``page``: Evaluate: bounds, likelihood, predictions and coherence of a model, next to a control
- ``strings``: Strings of the Evaluate page
"""
