"""From files to documents to tokens: readers, the recipe, and the corpus.

- ``clauses``: Query to a ready-made vocabulary: signed terms, and denials such as "no fever"
- ``columns``: Roles of the columns of a table: text, id, label, date, title
- ``corpus``: The tokens of each document, with the documents and the recipe that made the tokens
- ``dates``: Recognition of date columns, and parsing of many date formats
- ``delimiters``: Recognition of the delimiter of a table, of a title above it, and of tables among
  text files
- ``encodings``: Decoding of bytes to text
- ``files``: Files that are documents: a reader for each kind
- ``folders``: Folders and archives of texts
- ``groups``: Groups of documents with the same label, value of a column, or time period
- ``guesses``: What an import guessed, with the option that overrides each guess
- ``header_rows``: Recognition of the header of a table by the evidence of each column
- ``json_tables``: JSON files that hold a table, and nested objects as columns
- ``known_words``: New documents over the vocabulary of a model, and the words that it lacks
- ``languages``: Languages of a corpus, recognised by stop words, and lemmas: dictionary forms of
  words
- ``letters``: Log-likelihood of texts in languages, from their letters and stop words
- ``limits``: Limits on the size of input
- ``line_ends``: Words that a hyphen divides at the end of a line
- ``mail``: Posts and mail as texts, without headers and quotations
- ``mailboxes``: Mail as files: one message, or a mailbox
- ``markup``: Tags, entities, web addresses and user names in texts
- ``matrices``: Readers of ready-made matrices with their vocabulary
- ``missing``: Cells that mark a missing value
- ``office``: Word processor files and spreadsheets
- ``passages``: Long documents divided into passages, each with its position
- ``pdf``: PDF files with a text layer
- ``query``: Conversion of a query to tokens, by the recipe of the corpus
- ``raw``: Results of the readers: a table, documents as texts, or a ready-made matrix
- ``readers``: Entry point for all sources: from a path to documents or a ready-made matrix
- ``recipe``: The recipe: how a text becomes tokens
- ``report``: Report of an import: what it kept and what it dropped
- ``rich_text``: Texts of web pages, rich text files, and subtitles
- ``segments``: Words of languages without blanks between words
- ``spelling``: Normal form of a text: one spelling of a word
- ``stop_words``: Stop words of a language or from a file
- ``suggestions``: Known words near a word that the model does not know: by form, spelling, meaning
- ``table_rows``: Rows of a text with a delimiter: lines, quotation marks, lines that cannot be
  read
- ``tables``: CSV, TSV, JSON and Parquet as data frames
- ``term_suggestions``: Known terms near the unknown words of a query to a ready-made vocabulary
- ``vocabulary``: Texts as word indices, phrases, and the words that the recipe keeps
- ``word_patterns``: Patterns of words, and refusal of patterns that could take extremely long
- ``word_vectors``: Words of a similar meaning, by the vectors of the extra ``orrery[vectors]``
"""
