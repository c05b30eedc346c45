"""The Names page: name all topics in a table, in a spreadsheet, or with a language model.

- ``drafts``: Drafts: unsaved changes of names by one visitor, which are kept across pages and
  then saved
- ``elsewhere``: Names from a spreadsheet or a language model, which are read back as drafts
- ``page``: The Names page: an editable table of all topics, split into pages
- ``strings``: Strings of the Names page
"""
