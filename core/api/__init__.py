"""The estimator `NoisyOrTopics`, its results, its training and its storage.

- ``answers``: Results of a trained estimator: query, explanation of a topic, card of a topic
- ``estimator``: NoisyOrTopics: a topic graph as a scikit-learn estimator
- ``fitting``: Input of an estimator, texts or a matrix, as a corpus, and training on it
- ``saving``: An estimator on disk: a run as from `orrery train`, with its corpus
"""
