"""The Graph page: the map of all topics, a topic's neighbours, paths.

- ``overview``: Overview of the model as a map of nested boxes
- ``page``: Layout of the Graph page, and the neighbourhood of one topic
- ``path``: Path between two topics
- ``search``: Search for topics by their names or words
- ``strings``: Strings of the Graph page
"""
