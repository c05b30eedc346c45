"""The Graph page: the map of all topics, a topic's neighbours, paths.

- ``overview``: Overview of the model as a map of nested boxes
- ``page``: Layout of the Graph page, and the neighbourhood of one topic
- ``path``: Search for topics by their names or words, and the path between two topics
- ``strings``: Strings of the Graph page
"""
