"""The map of the documents: a point in the plane for every document.

- ``files``: A map of the documents, stored beside the model whose topics it is made of
- ``layout``: Points of a plane that settle near those they are tied to, and apart from the others
- ``make``: Make the map of the documents of a run: their topics, then their places
- ``neighbours``: Directions sorted into cells, in which those that are alike are looked for
"""
