"""The Share page: a model as files to download.

- ``page``: The page: formats, tables and the run card
- ``strings``: Strings of the Share page
"""
