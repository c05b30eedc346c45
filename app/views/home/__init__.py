"""The Home page: what the workspace holds and what to do next.

- ``page``: Home: what the workspace holds, how it stands, and what to do next
- ``strings``: Words of the Home page
"""
