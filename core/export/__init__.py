"""A trained model as files for other programs and people.

- ``explorer``: A story in the offline explorer: which views open there, and what stands for the
  others
- ``graph_data``: Names of nodes in exported files: unique over topics and tokens, and the same in
  every format
- ``hierarchy_page``: The hierarchy of topics as one page: an interactive picture with search, and
  no network
- ``registry``: Models as files for other programs and people: one module a format
- ``report``: The report of a run: what was trained, on what, how it did, and what its topics are
- ``tables``: Documents by topics, block by block: a row for each topic of each document, or a
  wide table
- ``topic_documents``: What the documents say of every topic: in how many it is on, over the
  years, and examples
"""
