"""Errors that the user can do something about.

Each carries one sentence: what is wrong, where, and what to do. Pages and the command line show it as it is.
"""

import logging
import secrets
from collections.abc import Callable
from typing import Any


class FabulaError(Exception):
    """Something the user can understand and act on; `str(error)` is one sentence.

    `said`: where annotators read it, what says the same in the language that it is given (`core.languages.words`).
    """

    said: Callable[[Any], str] | None = None


class InputError(FabulaError):
    """A file, a field or a value that cannot be used. `on_terminal`: which option helps, a sentence that a command line
    says behind this one; pages have fields in its place.
    """

    def __init__(self, message: str, on_terminal: str = "") -> None:
        super().__init__(message)
        self.on_terminal = on_terminal


class NotFound(FabulaError):
    """A study, story or person that is not there."""


class NotAllowed(FabulaError):
    """The viewer may not do this."""


class PlatformError(FabulaError):
    """A crowd platform that refuses a request, or does not answer it.

    `certain`: nothing has been done there; else nobody knows whether it has. `general`: the next request would meet the
    same, as the token or the network is to blame.
    """

    def __init__(self, message: str, *, certain: bool = True, general: bool = False) -> None:
        super().__init__(message)
        self.certain = certain
        self.general = general


class ModelMissing(FabulaError):
    """A model that is neither bundled, nor cached, nor a readable folder."""


class DeviceLostError(FabulaError):
    """A GPU that does not answer this process any more, whatever it is asked; another process may do the work."""


OUTSIDE = "The server cannot do this just now. Try again in a minute, and tell whoever runs it if it stays so."
_log = logging.getLogger("fabula.storage")
_served = False


def hide_details() -> None:
    """From now on visitors read this process's errors: those that name files or hosts keep them inside."""
    global _served
    _served = True


class StorageError(FabulaError):
    """The database, or a file of Fabula's own, cannot be opened, read or written.

    On a terminal it says what is wrong and where. A server's visitors read `outside`, which names nothing of the
    server's, and a code under which its log has the rest.
    """

    def __init__(self, message: str, outside: str = OUTSIDE) -> None:
        super().__init__(message)
        self.outside = outside
        self.code = secrets.token_hex(3)
        if _served:
            _log.error("%s", message, extra={"code": self.code})

    def __str__(self) -> str:
        return f"{self.outside} (code {self.code})" if _served else str(self.args[0])
