"""The Map page: every document a point.

- ``list``: What the Map page shows while there is no map: what will be here, a button, a bar
- ``page``: Map: every document a point, near those about the same things
- ``strings``: Words of the Map page
"""
