"""The Corpus page: import texts, preview the effect of the recipe, and save a corpus.

- ``controls``: Controls of the Corpus page: encoding, columns, recipe
- ``graph_adoption``: The offer to use an uploaded weighted graph as a model
- ``page``: The Corpus page: read texts, preview which words the recipe keeps and drops, save
- ``report``: Report of an import: figures, charts and tables of the kept and dropped words
- ``strings``: Strings of the Corpus page
"""
