"""Content that several pages show: topic cards, queries, document lists, stories.

- ``answers``: The model's answer to a question, with or without clamped topics, and the cache of
  posteriors
- ``cached_facts``: Facts about a model that take a moment to compute, cached for all visitors
- ``cached_maps``: Data of the document maps and topic trees, cached for all visitors
- ``document_causes``: The words of a document with the topics that explain them, as coloured text
- ``document_map``: The map of the documents: points with labels, an area, colours, and highlighted
  documents
- ``dropped_words``: Answer to a word that is in the texts but not in the vocabulary
- ``evaluation_figures``: Sentences and tables of the Evaluate page, made from the metrics of models
- ``examples``: Example queries suggested by a model: words with two senses
- ``fewer_topics``: The offer to merge similar topics, which changes only the display
- ``groups``: Topics in groups of documents
- ``kept_pages``: Kept views of the Documents, Names and Evaluate pages, and of a path, for the
  offline file
- ``listing``: Lists of documents
- ``map_picture``: Kept view of the map of documents as a picture
- ``model_summary``: What a model has learned, for its card on Home
- ``naming``: Drafts of topic names and notes, typed into a table or read from a file, and the table
- ``question``: The query boxes with examples and options, and clicks in the picture of an answer
- ``similar_documents``: Documents that are most relevant to a query, cached
- ``stability``: Stability of a model's topics and links, as pages show it
- ``story_export``: Content of a story's offline file: pictures, tables, and documents if their
  author allows it
- ``story_views``: Stories on every page: the button that keeps the current view, and the player
  of kept views
- ``strings``: Strings that several pages show, sorted by page
- ``topic_card``: The card of a topic or word, and the list of topics that are on in a query
- ``topic_changes``: Changes of topics from their card: label, display, and a new run from the model
- ``topic_documents``: Documents of a topic: its share by year and label, typical documents, and
  excerpts in lists
- ``topic_facts``: Facts about topics
- ``topic_map``: The map of topics as nested boxes, and the tree behind it; no Streamlit
- ``topic_panel``: The full card of a topic, in a dialog: its name, words, neighbours and documents
- ``topic_strings``: Strings of the card of a topic
- ``topics_so_far``: The topics of a run in training, from its last checkpoint, and queries to
  that model
- ``tour``: The tour of a first visit: its offer on Home, and a bar above the page of each stop
- ``training``: The progress of a training run: figures, chart and buttons, and all runs on the
  corpus
- ``training_charts``: Charts of a run: a large one of its bounds, small ones of topics, edges and
  speed
"""
