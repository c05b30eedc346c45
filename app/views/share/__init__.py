"""The Share page: download a model as files."""
