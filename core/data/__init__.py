"""From files to documents to tokens: readers, the recipe, and the corpus.

- ``columns``: Which column of a table is the text, which the id and which the label
- ``corpus``: Corpus: which token is in which document, with the documents and the recipe behind
  it
- ``dates``: Dates in the cells of a column: read in whatever form they stand, and told from other
  things
- ``encodings``: Bytes to text: UTF-8 first, then what the bytes look like, and never junk
- ``folders``: Folders and archives of text files: one document a file, its subfolder the label
- ``groups``: Groups of documents: those of one label, of one value of a column, of one year or
  month
- ``languages``: Which languages texts are in, told by the common words of each
- ``lemmas``: Lemmas: the forms of a word as the one that stands in a dictionary
- ``limits``: How much may be read: files that would not fit in memory are refused before they are
  opened
- ``mail``: Posts and mail as texts: the header and what is quoted go, the words of the subject
  stay
- ``matrices``: Ready-made matrices with their vocabulary: scipy .npz, Matrix Market and Roweis's
  .mat
- ``query``: A query's words as token numbers, by the recipe that the corpus was read with
- ``raw``: What the readers hand over: a table, documents as texts, or a matrix that is ready-made
- ``readers``: The one door for sources: a path in, documents or a ready-made matrix out
- ``recipe``: Which patterns may look for words: those that take time in proportion to the text
- ``report``: What an import kept and what it dropped, for a person to judge the recipe by
- ``stop_words``: Words too common to tell topics apart: a language's list, none, or a file of
  one's own
- ``tables``: Whether the first row of a table is a title above the header, the header, or a
  document
- ``vocabulary``: Texts as numbers: every word of every text in one flat array, ready for counting
"""
