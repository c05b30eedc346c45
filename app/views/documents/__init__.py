"""The Documents page: search, filter and open documents.

- ``document``: One document opened: its words in the colours of the topics that explain them
- ``filters``: The narrow column of the Documents page: search box and filters
- ``page``: Documents: search the texts of the corpus, choose by topic, label and year, open one
- ``strings``: Words of the Documents page
"""
