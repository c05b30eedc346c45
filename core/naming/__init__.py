"""Names for many topics at once: table, CSV file, prompt for a language model.

- ``answers``: Topic names from the answer of a language model: lines, JSON, Markdown table or CSV
- ``names_csv``: Table of topic names as a CSV file, written for a spreadsheet and read back
- ``prompt``: Prompt that asks a language model for topic names; the user copies it, nothing is sent
- ``topic_table``: Table of all topics with their top words, names and notes
"""
