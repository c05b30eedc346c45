"""From files to documents to tokens: readers, and the recipe that a query must repeat."""
