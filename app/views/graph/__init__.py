"""The Graph page: the map of all topics, a topic's neighbours, paths.

- ``overview``: The opening of the Graph page: the whole model as a map, each topic one click away
- ``page``: Graph: find a topic and walk from it to what is above, beside and below
- ``path``: The path from one topic to another on the Graph page: its choice and its picture
- ``search``: Find topics by name or by the words that they bring
- ``strings``: Words of the graph itself (legend, hover, buttons) and of the Graph page
"""
