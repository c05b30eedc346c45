"""Charts of runs and groups, and the theme of all charts; no Streamlit.

- ``group_pictures``: Static SVG of topics in groups, for the offline explorer: the charts of
  `groups` without clicks
- ``groups``: Charts of topics in groups of documents: a heat map, courses over time, intervals
- ``run_lines``: Metrics of a run as points of lines, and the axes of their chart
- ``runs``: Charts of a run: its bounds, and below them topics, edges and documents per second
- ``strings``: Strings of charts
- ``theme``: Theme of all charts: frame, axes, and text colours that are readable in both themes
"""
