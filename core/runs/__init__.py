"""A training run in its folder: settings, start, steps, checkpoints, result; also on Dask.

- ``activations``: Topic probabilities of the documents of a corpus
- ``cluster``: E-steps on a Dask cluster
- ``cluster_worker``: The E-step of one block of documents on a worker of a Dask cluster
- ``comparison``: Orrery itself with the interface of the other systems
- ``compile_ahead``: Compilation of all kernels in a process of its own
- ``recorder``: Recording of metrics, status and checkpoints during training
- ``runner``: A run from the queue to the model
- ``settings``: Settings that determine the result of a run, and options of a session
- ``stability``: Trainings on random samples of the documents, matched to the model of a run
- ``start``: The start of a run: graph, split, start values, constraints from guidance
"""
