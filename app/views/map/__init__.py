"""The Map page: every document a point.

- ``page``: Map: every document a point, near those about the same things
- ``selected``: What the Map page shows while there is no map: what will be here, a button, a bar
- ``strings``: Words of the Map page
"""
