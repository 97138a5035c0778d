"""Errors that the user can do something about.

Each carries one sentence: what is wrong, where, and what to do. Pages and the command line show it as it is.
"""


class FabulaError(Exception):
    """Something the user can understand and act on; `str(error)` is one sentence."""


class InputError(FabulaError):
    """A file, a field or a value that cannot be used."""


class NotFound(FabulaError):
    """A study, story or person that is not there."""


class NotAllowed(FabulaError):
    """The viewer may not do this."""


class ModelMissing(FabulaError):
    """A model that is neither bundled, nor cached, nor a readable folder."""


class StorageError(FabulaError):
    """The database, or a file of Fabula's own, cannot be opened, read or written."""
