"""The exception for input that cannot be used."""


class InputError(ValueError):
    """A file, query, graph, option or folder is wrong; the message states the fault and remedy."""


def deleted_error(what: str) -> InputError:
    """Error for an object that was deleted after the caller saw it."""
    return InputError(f"{what} is gone; it was deleted elsewhere")
