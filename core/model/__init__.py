"""The model itself: graph, weights, topic names, topic groups, and a user's changes.

- ``default_leaks``: default leaks of an external graph
- ``graph``: directed acyclic graph over topics and tokens, checked when it is built
- ``labels``: top words of a topic
- ``merging``: merging of similar topics in the display, down to a requested number
- ``network``: graph with weights and leaks: the noisy-OR model
- ``overlay``: a user's names, notes, hidden and merged topics, and edits of them
- ``story``: stories: ordered views of a model, each with a note
- ``subtrees``: main parent of each topic, subtrees, and documents and priors of subtrees
- ``terms``: a model's own nouns for topics and words, such as "condition" and "symptom"
- ``topic_groups``: topic groups: clusters of topics whose documents use similar words
- ``topic_model``: topic model: network, vocabulary, recipe and overlay; and trained runs
- ``topic_names``: topic names made of three top words, and topics that no name describes
"""
