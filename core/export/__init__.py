"""A trained model as files for other programs and people.

- ``applied``: New documents by the topics of a model, and how well each is explained
- ``explorer``: The offline explorer: a whole model in one page that answers queries
- ``formats``: Registry of the formats and tables: name, file, title, sentence, writer
- ``graph_data``: A model as JSON, GraphML and CSV, with the same names of nodes
- ``network_files``: A model as a Bayesian network of other programs: XDSL and BIF
- ``report``: Report of a run as a page: settings, corpus, metrics and topics
- ``tables``: Tables of documents by topics, topics by words, and the training, block by block
- ``topic_documents``: Documents of every topic: how many, in which years, and examples
"""
