"""Charts of runs, corpora and groups, and the theme that all charts share; no Streamlit.

- ``group_pictures``: A drawing that follows the theme of the page that it stands in (no
  streamlit)
- ``groups``: Topics in groups of documents: a heat map, courses over time, intervals (no
  streamlit)
- ``run_lines``: Metrics of a run as points of lines, and the axes that hold them (no streamlit)
- ``runs``: The chart of a run's bounds (no streamlit)
- ``strings``: Words on the charts of a run
- ``theme``: What all charts share: frame, axes, text colours readable in both themes (no
  streamlit)
"""
