"""The Names page: a table in which all topics are named.

- ``drafts``: Changes of names that one visitor has not saved: kept from page to page, shown, and
  saved
- ``elsewhere``: Names that are made elsewhere: in a spreadsheet, or by a language model of one's
  own
- ``page``: The table of topics that can be edited, a page at a time
- ``strings``: Words of the Names page
"""
