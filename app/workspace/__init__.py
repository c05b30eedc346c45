"""The workspace on disk, and the work that runs in processes of its own; without Streamlit.

`catalog` lists corpora and models, `runs` controls training runs, and `processes` starts and ends
the processes of all long work.

- ``applied_texts``: New texts by the topics of a model: find the topics in a separate process,
  and read the result
- ``adoption``: Weighted graphs that a person uploads, which become models without training
- ``carrying``: A user's names, notes and stories, carried over to another run
- ``catalog``: Corpora and trained models in the workspace: list, find, copy and delete them
- ``comparisons``: Comparison of systems on a corpus in a separate process, and the validation of
  its output
- ``document_maps``: Maps of documents: start their computation in a separate process, and load
  the result
- ``evaluations``: Evaluation of models in separate processes, and the resulting figures
- ``facets``: Labels, years and titles of documents, by which pages filter and list them
- ``last_place``: The page that was open last, at which the app opens again
- ``overview``: Overview of the workspace for Home: corpora with their runs, and the next step
- ``processes``: Processes of commands that the app starts, and which continue after the app has
  stopped
- ``progress``: Progress of a training run, computed from its metrics: a few figures and one
  sentence
- ``runs``: Training runs in separate processes: start, observe, pause, resume, stop and remove
  them
- ``search_index``: Full-text search over a corpus with an SQLite index, which is built once in
  the background
- ``stabilities``: Stability of models: measure it in a separate process, and read the result
- ``uploads``: Uploaded files, saved in the workspace for the readers of `core.data`
"""
