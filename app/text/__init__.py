"""Texts made safe for the page, excerpts, and strings that several packages use; no Streamlit.

- ``escaping``: Labels, words and texts are data: here they are escaped for Markdown and HTML
- ``excerpts``: The text of a document as it can be shown: of a ready-made matrix, its words (no
  streamlit)
- ``strings``: Words that every page shares: the sidebar, the names of the pages
"""
