"""The model itself: graph, weights, names of topics, groups of topics, and a user's changes.

- ``graph``: Names of nodes in files: what tells a topic from a word
- ``labels``: What a topic is about: its most telling words, and a name made of three of them
- ``network``: Leaks of a graph from elsewhere that brings none; ``--help`` reads them without
  loading more
- ``overlay``: Overlay: what a person says about the topics of a model; it never touches the
  parameters
- ``story``: Stories: views of a model that a person kept, each with a note, in an order of their
  own
- ``subtrees``: Families: a topic with all that is below it, and in how many documents any of them
  is on
- ``topic_groups``: Shelves: topics whose documents use similar words, side by side for a reader
- ``topic_model``: Topic models: a network with the words and the recipe that it was trained on
"""
