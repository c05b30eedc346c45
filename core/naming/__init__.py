"""Names for many topics at once: a table, a spreadsheet, a language model.

- ``answers``: Names out of what a language model answered: lines, JSON, a Markdown table or CSV
- ``names_csv``: The table of names as a CSV file: out to a spreadsheet, and back in as a whole or
  not at all
- ``prompt``: A prompt that asks a language model for names; a person carries it there, nothing is
  sent
- ``topic_table``: All topics as a table for people: what they are about, and what is said about
  them
"""
