"""The Share page: download a model as files.

- ``page``: The Share page: download a model as a page, a picture, data or tables
- ``strings``: Strings of the Share page
"""
