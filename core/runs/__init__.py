"""A training run in its folder: settings, start, steps, checkpoints, result; also on Dask.

- ``activations``: Infer the topics of the corpus once, so that documents can be found by them
  ever after
- ``cluster``: Clients of a Dask cluster, found at an address or started here. Dask is imported
  late
- ``cluster_worker``: What runs on the workers of a Dask cluster: the E-step of one block, a pure
  function
- ``comparison``: Orrery itself with the face that the other systems have
- ``recorder``: What is written down while a run trains: metrics, status, checkpoints
- ``runner``: Locks: one process to a run folder, one training run at a time in a queue
- ``settings``: What makes a run what it is, and what may differ each time it is taken up
- ``start``: Where a run starts from: weights out of a graph file, and what guidance keeps as it
  is
"""
