"""The Corpus page: read texts, see what the recipe keeps, save.

- ``controls``: The controls of the Corpus page: encoding, columns, recipe
- ``page``: Corpus: read texts, see what the recipe keeps and drops, save
- ``report``: What an import kept, as charts (no streamlit)
- ``strings``: Words of the Corpus page
"""
