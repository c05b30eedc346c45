"""The Evaluate page: figures of a model beside its baselines.

- ``charts``: Figures of models as charts (no streamlit)
- ``comparison``: What `orrery compare` found, as tables that are read (no streamlit)
- ``page``: Evaluate: bounds, likelihood, predictions and coherence of a model, next to a control
- ``strings``: Words of the Evaluate page
"""
