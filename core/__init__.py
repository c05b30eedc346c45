"""Topic graphs: training, inference, evaluation, drawing and export, without browser or app.

- ``api``: The estimator `NoisyOrTopics`, what it returns, and the installed package ``orrery``
- ``baselines``: Baselines for comparison: the systems of the papers, and topic models of other
  packages
- ``data``: From files to documents to tokens: readers, the recipe, and the corpus
- ``document_map``: Document map: a point in the plane for every document
- ``drawing``: Pictures that need no browser: selection, layout and colours of nodes, SVG and HTML
- ``evaluation``: Evaluation of models: bounds, likelihood, completion, coherence, classification,
  groups
- ``export``: A trained model as files for other programs and people
- ``inference``: From evidence about a document to the posterior of its topics, and explanations
- ``kernels``: Numba kernels: arrays in, arrays out; they import nothing from the rest of core but
  ``utils``
- ``model``: The model itself: graph, weights, topic names, topic groups, and a user's changes
- ``naming``: Names for many topics at once: table, CSV file, prompt for a language model
- ``runs``: A training run in its folder: settings, start, steps, checkpoints, result; also on
  Dask
- ``storage``: Corpora, runs and models on disk: replaced atomically, versioned, hashed,
  never pickled
- ``structure``: The graph of topics: propose, grow, merge, prune and split it, and follow guidance
- ``training``: Training of weights and graph: stochastic variational inference, Monte Carlo EM,
  Gibbs sampling
- ``utils``: Types of arrays, the error for wrong input, progress callbacks, and other small shared
  parts
"""

__version__ = "0.1.0"
