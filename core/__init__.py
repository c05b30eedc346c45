"""Everything that knows topic graphs; it needs no browser and no app.

- ``api``: The estimator `NoisyOrTopics`, what it returns, and the installed package ``orrery``
- ``baselines``: Other systems that Orrery is compared with: those of the papers, and peers
- ``data``: From files to documents to tokens: readers, the recipe, and the corpus
- ``document_map``: The map of the documents: a point in the plane for every document
- ``drawing``: Every picture that needs no browser: what is drawn, where, in which colours, as SVG
  or HTML
- ``evaluation``: How good a model is: bounds, likelihood, completion, coherence, classification
- ``export``: A trained model as files for other programs and people
- ``inference``: From evidence about a document to the posterior of its topics, and its
  explanation
- ``kernels``: Numba kernels: arrays in, arrays out; nothing here imports the rest of core
- ``model``: The model itself: graph, weights, names of topics, groups of topics, and a user's
  changes
- ``naming``: Names for many topics at once: a table, a spreadsheet, a language model
- ``runs``: A training run in its folder: settings, start, steps, checkpoints, result; also on
  Dask
- ``storage``: Corpora, runs and models on disk: replaced atomically, versioned, never pickled
- ``structure``: The graph of topics: propose one, grow, merge, prune and split it, follow
  guidance
- ``training``: Training of weights and graph: stochastic variational inference, Gibbs, Monte
  Carlo EM
- ``utils``: Types of arrays, errors for people, progress callbacks, and other small shared parts
"""

__version__ = "0.1.0"
