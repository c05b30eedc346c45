"""The one exception for whatever a person handed in that cannot be used."""


class InputError(ValueError):
    """A file, query, graph, option or folder is wrong; the message says what and what to do."""


def gone(what: str) -> InputError:
    """The error for what was there when someone asked for it."""
    return InputError(f"{what} is gone; it was deleted elsewhere")
