"""Names for many topics at once: table, CSV file, prompt for a language model.

- ``language_model``: Topic names by a language model: the prompt, which the user copies, and its
  answer
- ``table``: Table of all topics with their top words, names and notes, and the same table as a
  CSV file
"""
