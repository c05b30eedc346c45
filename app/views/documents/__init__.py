"""The Documents page: search, filter and open documents.

- ``document``: One document, its words in the colours of the topics that explain them
- ``filters``: Search box and filters
- ``new_texts``: Apply to new texts: upload them, and download their topics as a table
- ``page``: Layout of the Documents page, and the list of results
- ``strings``: Strings of the Documents page
- ``whole``: A document in full, with its passages and the topics of all of them
"""
