"""The workspace on disk, and the work that runs in processes of its own; no Streamlit.

- ``catalog``: The workspace on disk: which corpora and which trained models there are (no
  streamlit)
- ``comparisons``: Comparisons with other systems: processes of `orrery compare`, and their output
  (no streamlit)
- ``document_maps``: The map of a run, and making it in a process of its own (no streamlit)
- ``evaluations``: Evaluating models in processes of their own, and the figures that result (no
  streamlit)
- ``facets``: What distinguishes documents besides their text: label, year, title (no streamlit)
- ``overview``: What the workspace holds and what to do next (no streamlit)
- ``processes``: Processes of commands that outlive the app which started them, and what they
  report
- ``progress``: Epochs of a run that training passed over (no streamlit)
- ``runs``: Training runs as separate processes: start, watch, pause, resume, stop, remove
- ``search_index``: Full-text search over a corpus: an SQLite index, built once in the background
  (no streamlit)
- ``uploads``: Files from the browser, saved where the readers can open them (no streamlit)
"""
