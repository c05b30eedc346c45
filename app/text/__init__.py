"""Escaping for HTML and Markdown, excerpts, and strings of several packages; no Streamlit.

- ``safe_text``: Texts made safe for Markdown, HTML and file names, and excerpts with marked words
- ``strings``: Strings that several packages use: numbers, durations, states and notes of a training
  run
"""
