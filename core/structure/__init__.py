"""The graph of topics: propose one, grow, merge, prune and split it, follow guidance.

- ``co_occurrence``: How strongly two words, or two topics, go together in the documents of a
  corpus
- ``constraints``: Constraints: what growing, pruning, merging and training leave alone because a
  person asked
- ``dense_regions``: Further senses of words: topics that account for the documents in which the
  first ones do not
- ``growing``: Grow: edges that are missing where a topic and a node are on that nothing else
  accounts for
- ``guidance``: Guidance: what a person asks of a graph of topics, checked for contradictions
- ``guided``: MutableGraph: a graph in the making, whose nodes go by names while edges come and go
- ``layers``: What the methods share: how many topics and edges a layer gets, and which edges they
  become
- ``merging``: Merge: topics that act alike become one
- ``propose``: Agglomerative: average-linkage clusters, and for each node its next most similar
  clusters
- ``pruning``: Prune: keep the edges through which most happens, and the topics that still have
  children
- ``regularization``: Relaxing: a penalty that kept topics apart while they were found need not
  hold weights down
- ``splitting``: Split: one topic becomes two, its words divided by the documents that they share
"""
