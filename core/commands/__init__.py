"""The commands of ``orrery``, one a file: its options, and what it does."""
