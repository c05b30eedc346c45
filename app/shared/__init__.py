"""Content that several pages show: topic cards, questions, document lists, stories.

- ``answers``: The posterior for some evidence, computed once however often a page is drawn
- ``cached_facts``: What takes a moment to find out about a model, computed once
- ``cached_maps``: Caches of maps, shared by all visitors: the map of documents, the tree of
  topics, small maps
- ``document_causes``: The text of a document as safe HTML, some of its words in colours (no
  streamlit)
- ``document_excerpt``: A document in a list beside a topic or a query: its title, which opens it,
  and an excerpt
- ``document_map``: Points and labels of the map, as they are drawn (no streamlit)
- ``evaluation_figures``: The sentences and tables of the Evaluate page, made from the figures of
  models (no streamlit)
- ``examples``: How telling every word is of every topic, and how much of the word the topic
  explains
- ``groups``: What the Groups page can be asked for, and what it is asked for at first (no
  streamlit)
- ``keep_view``: The quiet button on every page whose address says what it shows: keep it with a
  note
- ``kept_documents``: A kept list of documents: how many were found, and those of the page that
  was seen
- ``kept_groups``: A kept view of the Groups page as a picture, as its address says (no streamlit)
- ``kept_pages``: A kept view of the Names page as its table, as its address says (no streamlit)
- ``listing``: A group of documents in an address: by the label where that is a filter, else by
  its column
- ``map_picture``: The map of the documents as a picture for a file that has no Orrery (no
  streamlit)
- ``naming``: Changes of names that are not saved yet: typed into the table, read from a file or
  an answer
- ``question``: The box of the Query page, the examples under it, and what all other words count
  as
- ``sources``: The documents of a model with all that is known of them (no streamlit)
- ``spellings``: Words of a vocabulary as people read and type them, worked out once (no
  streamlit)
- ``story_export``: What a story takes along in its offline file: pictures, tables, and documents
  if that is said
- ``story_player``: Playing a story: the real page without its frame, the note, and the way to the
  next view
- ``strings``: Words of the tour of a first visit
- ``topic_card``: Words that mostly occur without any topic, so that they tell of none (no
  streamlit)
- ``topic_changes``: Changes that a person makes to how topics are shown, written beside the model
- ``topic_documents``: How a topic is spread over years and labels, and the documents that say
  most about it
- ``topic_facts``: What there is to know of one topic: its words, its neighbours, how often it is
  on
- ``topic_map``: The tree of topics, and the choice of its topics for the map of nested boxes (no
  streamlit)
- ``topic_panel``: The neighbours of a topic in its full card: above, below, similar, and shown as
  part of it
- ``topic_strings``: Words of the topic card, small and full
- ``tour``: The tour of a first visit: whether it is due, and where its stops lead (no streamlit)
- ``training``: A run as it goes: figures, chart, buttons, and the other runs on the same corpus
- ``training_charts``: The charts of a run: a large one of its bounds, and small ones of topics,
  edges and speed
"""
