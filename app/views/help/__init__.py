"""The Help page: the guide, and the section for the page that the visitor came from.

- ``guide``: The pages of the guide, read from the assets
- ``page``: The page: a choice of guide pages and the text of one
- ``strings``: Strings of the Help page
"""
