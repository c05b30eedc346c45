"""The command ``orrery``: one module for each command.

- ``adopt_command``: ``orrery adopt``: a model out of a weighted graph, without a corpus and
  without training
- ``app_command``: ``orrery app``: the app in the browser
- ``compare_command``: ``orrery compare``: other systems on the same documents, in one table
- ``demo_command``: ``orrery demo``: the app with the sample corpus and its model beside the
  workspace's own
- ``evaluate_command``: ``orrery evaluate``: how well a trained model knows documents it has not
  seen
- ``export_command``: ``orrery export``: a trained model as a file for other programs and people
- ``groups_command``: ``orrery groups``: what distinguishes groups of documents, and what each
  year brought
- ``import_command``: ``orrery import``: read a corpus from files and store it
- ``infer_command``: ``orrery infer``: the local model of a query, and which of its topics are on
- ``main``: The command ``orrery``: parse, dispatch, and turn every failure into one line
- ``map_command``: ``orrery map``: a place for every document of a run, near those about the same
  things
- ``names_command``: ``orrery names``: what the topics of a run are called, as a list, a table, or
  a prompt
- ``options``: Options that several commands share, and the kinds of their values
- ``progress``: Progress of long work: a bar on a terminal, plain lines elsewhere, always on
  stderr
- ``split_command``: ``orrery split``: a graph in which a topic of a model is two, to train on
- ``structure_command``: ``orrery structure``: propose a graph of topics and write it as CSV
- ``systems_command``: ``orrery systems``: the systems that a corpus can be given to beside Orrery
- ``train_command``: ``orrery train``: train a model on a corpus, or take an earlier training up
  again
"""
