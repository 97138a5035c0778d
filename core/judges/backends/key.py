"""The key that opens a judge's endpoint: in this process's surroundings and nowhere else.

It is never stored, logged, shown or exported, and no error has it.
"""

import os

from core.errors import InputError
from core.recruitment import is_local

KEY = "FABULA_JUDGE_KEY"


def judge_key(address: str) -> str:
    """What `FABULA_JUDGE_KEY` holds, for the endpoint at `address`; "" where it is not set, as servers of one's own
    mostly want none, and where it would travel unencrypted to another machine.

    Raises InputError for one that cannot be any.
    """
    key = os.environ.get(KEY, "").strip()
    if key and (not key.isascii() or not key.isprintable() or " " in key):
        raise InputError(f"{KEY} is no endpoint's key: it has blanks, or signs that no key has.")
    return key if travels_safely(address) else ""


def travels_safely(address: str) -> bool:
    """Whether what goes to `address` is encrypted, or stays on this machine."""
    return address.startswith("https://") or is_local(address)
