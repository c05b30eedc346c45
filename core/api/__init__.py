"""The estimator `NoisyOrTopics`, what it returns, and the installed package ``orrery``.

- ``answers``: The picture of a query as the app draws it: what is on in green, what is off in red
- ``estimator``: NoisyOrTopics: a graph of topics, learned and asked by scikit-learn's rules
- ``fitting``: What an estimator is handed, texts or a matrix, as a corpus
- ``saving``: An estimator on disk: a run like those of `orrery train`, with its corpus
"""
