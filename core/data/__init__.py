"""From files to documents to tokens: readers, the recipe, and the corpus.

- ``columns``: Roles of the columns of a table: text, id, label, date, title
- ``corpus``: The tokens of each document, with the documents and the recipe that made the tokens
- ``dates``: Recognition of date columns, and parsing of many date formats
- ``encodings``: Decoding of bytes to text
- ``folders``: Folders and archives of text files
- ``groups``: Groups of documents with the same label, value of a column, or time period
- ``guesses``: What an import guessed, with the option that overrides each guess
- ``languages``: Languages of a corpus, recognised by stop words, and lemmas: dictionary forms of
  words
- ``letters``: Log-likelihood of texts in languages, from their letters and stop words
- ``limits``: Limits on the size of input
- ``mail``: Posts and mail as texts, without headers and quotations
- ``matrices``: Readers of ready-made matrices with their vocabulary
- ``query``: Conversion of a query to tokens, by the recipe of the corpus
- ``raw``: Results of the readers: a table, documents as texts, or a ready-made matrix
- ``readers``: Entry point for all sources: from a path to documents or a ready-made matrix
- ``recipe``: The recipe: how a text becomes tokens
- ``report``: Report of an import: what it kept and what it dropped
- ``stop_words``: Stop words of a language or from a file
- ``tables``: CSV, TSV, JSON lines and Parquet as data frames
- ``vocabulary``: Texts as word indices, phrases, and the words that the recipe keeps
"""
