"""Escaping for HTML and Markdown, excerpts, and strings of several packages; no Streamlit.

- ``escaping``: Escape labels, words and texts for Markdown, HTML and file names
- ``excerpts``: Excerpts of documents: the most relevant part of a text, with its relevant words
  marked
- ``strings``: Strings that several packages use: numbers, durations, states and notes of a training
  run
"""
