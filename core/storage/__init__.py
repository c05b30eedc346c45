"""Corpora, runs and models on disk: replaced atomically, versioned, hashed, never pickled.

- ``activations``: Topic probabilities of the documents of a corpus, stored beside the model
- ``adoption``: Conversion of a weighted graph file to a model without training
- ``atomic``: Atomic writing of files and folders, also while other programs have them open
- ``checkpoints``: The state of a training run on disk, from which it continues bit for bit
- ``continuation``: A new training run that continues from the model of an earlier run
- ``corpora``: Corpora on disk
- ``edge_lists``: Conversion of named edges to a graph
- ``graphs``: Graph files and guidance files
- ``models``: Models on disk: a network with its vocabulary and recipe
- ``network_files``: Bayesian networks of other programs: XDSL and BIF files
- ``overlay``: Overlays on disk with the history of their changes
- ``reading``: Reading and validation of stored files
- ``reports``: Metrics and structure changes that a training run records
- ``runs``: Run folders: configuration, status, commands, and removal of stale files
- ``stability``: In which of several trainings topics and links are found again
- ``stories``: Stories on disk, one file for each
"""
