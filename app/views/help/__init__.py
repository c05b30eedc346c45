"""The Help page: the guide, and the section for the page that the visitor came from.

- ``guide``: Pages of the guide, read from the assets
- ``page``: Choice of a guide page, and its text
- ``strings``: Strings of the Help page
"""
