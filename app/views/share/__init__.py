"""The Share page: a model as files to download.

- ``page``: Tables of a model to take along, each made when it is asked for
- ``strings``: Words of the Share page
"""
