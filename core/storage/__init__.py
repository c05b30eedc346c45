"""Corpora, runs and models on disk: replaced atomically, versioned, never pickled.

- ``activations``: Which topics are on in the documents of the corpus, stored beside the model
  that says so
- ``adoption``: Adopt: a weighted graph from elsewhere becomes a model, with nothing trained
- ``atomic``: Files that somebody else has open, which on Windows can be neither replaced nor
  moved
- ``checkpoints``: Checkpoints: the state of a training on disk, from which it continues bit for
  bit
- ``continuation``: What comes after a run: training that goes on from its model, on the same
  documents
- ``corpora``: Corpora on disk: a folder of four files, written whole and checked when it is read
- ``edge_lists``: Edges between named nodes, as they stand in a file, to a graph; a bad row is
  named
- ``graphs``: GraphML to the rows of a graph file
- ``guidance_files``: Guidance files: TOML with what a person asks of a graph of topics
- ``models``: Models on disk: a network with the words and the recipe that it was trained on
- ``overlay``: What was said about topics before: the last changes of an overlay, each to be taken
  back
- ``reading``: Read back what was stored, or say in one sentence what is damaged; nothing is
  executed
- ``reports``: What a training reports as it goes, a line a time, read back whatever became of it
- ``runs``: Run folders: what a training process writes, and what the app and the commands read of
  it
- ``stories``: Stories on disk: a file each in the folder ``stories`` of a workspace
"""
