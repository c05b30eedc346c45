"""The Train page: start a run and watch it."""
