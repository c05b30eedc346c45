"""The Train page: start a run and watch it.

- ``cost``: How long a run may take and how much memory, before it is started (no streamlit)
- ``guidance``: What a person types to guide a graph of topics: read, checked, summed up (no
  streamlit)
- ``page``: Train: start a run on the current corpus and watch how it goes
- ``strings``: Words of the Train page
"""
