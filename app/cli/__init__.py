"""The command ``orrery``.

`main` parses the arguments and dispatches to one module for each command, such as `train_command`.
`options` contains the options that several commands share, and `progress` shows the progress of
long work.
"""
