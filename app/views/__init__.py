"""The pages, one package each.

- ``corpus``: The Corpus page: read texts, see what the recipe keeps, save
- ``documents``: The Documents page: search, filter and open documents
- ``evaluate``: The Evaluate page: figures of a model beside its baselines
- ``graph``: The Graph page: the map of all topics, a topic's neighbours, paths
- ``groups``: The Groups page: topics by label and over time
- ``help``: The Help page: the guide, and the section for the current page
- ``home``: The Home page: what the workspace holds and what to do next
- ``map``: The Map page: every document a point
- ``names``: The Names page: a table in which all topics are named
- ``query``: The Query page: typed words, the topics they switch on, and why
- ``share``: The Share page: a model as files to download
- ``stories``: The Stories page: kept views in their order
- ``train``: The Train page: start a run and watch it
"""
