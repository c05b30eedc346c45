"""Document map: a point in the plane for every document.

- ``files``: Map file beside the model
- ``layout``: UMAP-like layout of the documents by stochastic gradient descent
- ``make``: Map of a run: infer the topics of its documents, compute the layout, write the file
- ``neighbours``: Approximate nearest neighbours, and the fuzzy neighbour graph of UMAP
"""
