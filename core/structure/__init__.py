"""The graph of topics: propose, grow, merge, prune and split it, and follow guidance.

- ``co_occurrence``: similarity of words, or topics, by the documents in which both occur
- ``constraints``: parts of a graph that growing, pruning, merging and training leave unchanged
- ``dense_regions``: proposal method of overlapping dense regions, and further senses of words
- ``growing``: Growing and merging
- ``guidance``: a user's rules for a graph of topics, checked for contradictions
- ``guided``: change a proposed graph so that it follows guidance
- ``layers``: sizes and edge budgets of layers, choice of edges, and the complete graph
- ``propose``: propose the initial graph: dense regions, average-linkage clusters or complete
- ``pruning``: remove the least important edges and the unused topics
- ``regularization``: relaxation of the weight penalty, and absolute discounting of edge counts
- ``splitting``: split one topic into two, by the documents that its words share
"""
