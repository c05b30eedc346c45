"""The Train page: start a run and watch it.

- ``cost``: Estimated time and memory of a run, shown before it is started
- ``guidance``: Form for the guidance of a topic graph, whose text is read and checked while it is
  typed
- ``page``: The Train page: settings of a run on the current corpus, its estimated cost, and its
  progress
- ``strings``: Strings of the Train page: settings, guidance, and the estimated cost of a run
"""
