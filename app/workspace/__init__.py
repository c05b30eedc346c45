"""The workspace on disk, and the work that runs in processes of its own; no Streamlit.

- ``catalog``: The workspace on disk: which corpora and which trained models there are (no
  streamlit)
- ``comparisons``: What `orrery compare --json` printed, checked before anything is shown of it
  (no streamlit)
- ``document_maps``: The map of a run, and making it in a process of its own (no streamlit)
- ``evaluations``: Evaluating models in processes of their own, and the figures that result (no
  streamlit)
- ``facets``: What distinguishes documents besides their text: label, year, title (no streamlit)
- ``overview``: What the workspace holds and what to do next (no streamlit)
- ``processes``: Training processes that outlive the app which started them
- ``progress``: Epochs of a run that training passed over (no streamlit)
- ``runs``: Training runs as separate processes: start, watch, pause, resume, stop, remove
- ``search_index``: Full-text search over a corpus: an SQLite index, built once in the background
  (no streamlit)
- ``uploads``: Files from the browser, saved where the readers can open them (no streamlit)
"""
