"""Evaluation of models: bounds, likelihood, completion, coherence, classification, groups.

- ``classification``: Classification of documents by their topics
- ``clusters``: Agreement of clusters of documents with their labels
- ``coherence``: Coherence and diversity of the topics' top words
- ``completion``: Document completion: rank of a word hidden from a document among the guesses of
  a model
- ``evaluate``: All metrics of one of our models on documents
- ``group_topics``: Topics that are more or less frequent in one group of documents than in others
- ``hierarchy``: Quality of a hierarchy of topics, layer by layer
- ``metrics``: Registry of the metrics: name, unit, format, baseline, explanation
- ``repeated_passages``: Passages that are repeated in the documents of a topic
- ``run_matching``: Two runs side by side, and names and notes carried over
- ``stability``: Stability of the topics and links of a model as sentences and plain values
- ``topic_matching``: Topics of two models, matched by their posterior probabilities
"""
