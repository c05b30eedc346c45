"""The command ``orrery``.

`main` parses the arguments and dispatches to one module for each command, such as `train_command`.
`options` contains the options that several commands share, and `progress` shows the progress of
long work.

- ``adopt_command``: ``orrery adopt``: make a model from a weighted graph, without a corpus or
  training
- ``app_command``: ``orrery app`` and ``orrery demo``: serve the app, with or without the sample
  corpus
- ``apply_command``: ``orrery apply``: write the topics of new documents as a table
- ``compare_command``: ``orrery compare`` and ``orrery systems``: train baselines on the same
  documents
- ``evaluate_command``: ``orrery evaluate``: evaluate a trained model on held-out or other
  documents
- ``export_command``: ``orrery export``: write a trained model as a page, a picture or data
- ``groups_command``: ``orrery groups``: compare the topics of groups of documents, or of periods
- ``import_command``: ``orrery import``: read texts or a matrix from files and store them as a
  corpus
- ``infer_command``: ``orrery infer``: infer the posterior of a query, and print its active topics
- ``main``: Entry point of the command ``orrery``: parse, dispatch, and report every failure in
  one line
- ``map_command``: ``orrery map``: lay out the documents of a run in two dimensions by their
  topics
- ``match_command``: ``orrery match``: which topic of one run became which of another, and names
  carried over
- ``names_command``: ``orrery names``: list, name and annotate topics, by a table or a language
  model's answer
- ``options``: Options, value types and checks of output paths that several commands share
- ``progress``: Progress of long work on stderr: a bar on a terminal, plain lines elsewhere
- ``split_command``: ``orrery split``: split a topic of a model into two, and write the graph to
  train on
- ``stability_command``: ``orrery stability``: train again and count in how many trainings topics
  are found again
- ``structure_command``: ``orrery structure``: propose a topic graph for a corpus and write it as
  CSV
- ``train_command``: ``orrery train``: train a model on a corpus, or resume a run
"""
