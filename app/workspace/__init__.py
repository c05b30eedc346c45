"""The folder that holds corpora, runs and the search index."""
