"""The Query page: typed words, the topics they switch on, and why.

- ``comparison``: The picture of two queries: what only one switches on at the sides, what both
  share between
- ``nearest``: The documents nearest to the query, with the words that made them so marked
- ``page``: Query: type words and see the topics that they switch on
- ``reasons``: Why a topic is on or off: its messages as a table, a waterfall and a sentence (no
  streamlit)
- ``strings``: Words of the Query page
- ``what_if``: Topics clamped on or off, as they are written in the address:
  ``T0012:on,T0040:off``
- ``why``: Topics that a topic excludes, or goes together with (no streamlit)
"""
