"""Names for many topics at once: as a table, by a person's spreadsheet or a language model."""
