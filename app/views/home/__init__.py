"""The Home page: corpora and runs of the workspace, and the next step."""
