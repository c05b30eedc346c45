"""How good a model is: bounds, likelihood, completion, coherence, classification.

- ``baseline``: The control beside every result: every word on its own, as often as in other
  documents
- ``classification``: Classification: do the topics of a document tell its label
- ``coherence``: Topics as people read them: do their words occur together, and does each say its
  own
- ``completion``: From what is known of the topics to every word: what if it were there, and all
  else as it is
- ``evaluate``: How good a model is: bounds, likelihood, completion; coherence and diversity of
  its topics
- ``group_topics``: How many times as often a topic is on in some documents as in others, with an
  interval
- ``other_models``: Another topic model, judged by what can be said of any: its words, and the
  words it expects
"""
