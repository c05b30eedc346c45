"""The Help page: the guide, and the section for the page that the visitor came from.

- ``page``: Help page: the guide, and the section for the page that the visitor came from
"""
