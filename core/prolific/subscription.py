"""Having Prolific report to this server what becomes of submissions."""

from core.errors import InputError
from core.prolific.client import SUBMISSION_CHANGED, Prolific, Subscription
from core.recruitment import is_local

HOOK = "/hooks/prolific"
"""Where Prolific reports to."""


def chosen_workspace(prolific: Prolific, wanted: str) -> str:
    """The workspace of this id; without one, the account's only. Raises InputError naming those there are."""
    known = prolific.workspaces()
    if wanted in known:
        return wanted
    if not wanted and len(known) == 1:
        return next(iter(known))
    listed = ", ".join(f"{number} ({title})" for number, title in known.items()) or "none"
    what = f"There is no workspace {wanted}" if wanted else "Say which workspace of the account"
    raise InputError(f"{what}; there are: {listed}.")


def subscribe(prolific: Prolific, workspace: str, address: str) -> tuple[Subscription, bool]:
    """Have Prolific report to the server at `address`; the subscription, and whether it is new.

    Raises InputError for an address that Prolific cannot reach.
    """
    if not prolific.settings.is_local and (is_local(address) or not address.startswith("https://")):
        raise InputError(
            f"Prolific cannot report to {address}; set FABULA_ADDRESS to the one that begins with https://."
        )
    target = address + HOOK
    for known in prolific.subscriptions(workspace):
        if (known.event_type, known.target, known.enabled) == (SUBMISSION_CHANGED, target, True):
            return known, False
    return prolific.subscribe(workspace, target), True
