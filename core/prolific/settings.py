"""What whoever runs the server says of Prolific, in its surroundings and nowhere else: the token and the hook's secret.

Neither is ever stored, logged or shown.
"""

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from core.errors import InputError
from core.recruitment import is_local

ADDRESS = "https://api.prolific.com/api/v1"
SECRETS = ("PROLIFIC_TOKEN", "PROLIFIC_WEBHOOK_SECRET")
NO_TOKEN = (
    "Fabula has no token of Prolific's: make one there (Settings, API tokens), and start Fabula with it in the setting "
    "PROLIFIC_TOKEN."
)


@dataclass(frozen=True)
class Settings:
    """Where Prolific's API is, without a slash at its end, and the token that opens it."""

    address: str
    token: str = field(repr=False)

    @property
    def is_local(self) -> bool:
        """Whether the address leads to this machine: a stand-in to try things out with."""
        return is_local(self.address)


def is_connected() -> bool:
    """Whether there is a token."""
    return bool(os.environ.get("PROLIFIC_TOKEN", "").strip())


def settings() -> Settings:
    """`PROLIFIC_TOKEN`, and `PROLIFIC_API` or Prolific's own address.

    Raises InputError where there is no token, for one that cannot be any, and for an address that is not https; on this
    machine itself, for trying things out, http will do.
    """
    token = os.environ.get("PROLIFIC_TOKEN", "").strip()
    if not token:
        raise InputError(NO_TOKEN)
    if not token.isascii() or not token.isprintable() or " " in token:
        raise InputError("PROLIFIC_TOKEN is no token of Prolific's: it has blanks, or signs that no token has.")
    address = os.environ.get("PROLIFIC_API", "").strip().rstrip("/") or ADDRESS
    try:
        parts = urlsplit(address)
        good = bool(parts.hostname) and (parts.port or 1) > 0 and not parts.query and not parts.fragment
    except ValueError:
        good = False
    if not good or parts.username is not None:
        raise InputError(f"PROLIFIC_API is no address of an API, such as {ADDRESS}.")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_local(address)):
        raise InputError("PROLIFIC_API does not begin with https://, so the token would travel unencrypted.")
    return Settings(address, token)


def surroundings_without() -> dict[str, str]:
    """This process's surroundings but for the token and the secret: for another that has no use for them."""
    return {name: value for name, value in os.environ.items() if name not in SECRETS}


def hook_secret() -> str:
    """`PROLIFIC_WEBHOOK_SECRET`, by which Prolific signs what it reports; "" where it is not set."""
    return os.environ.get("PROLIFIC_WEBHOOK_SECRET", "").strip()
