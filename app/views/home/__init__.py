"""The Home page: corpora and runs of the workspace, and the next step.

- ``page``: Home: what the workspace holds, how it stands, and what to do next
- ``strings``: Strings of the Home page
"""
