"""The Names page: name all topics in a table, in a spreadsheet, or with a language model."""
