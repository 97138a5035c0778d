"""What a server does before it serves its first page, and when it refuses to."""

import os

from filelock import FileLock, Timeout
from streamlit import config

from core.errors import InputError, hide_details
from core.home import PRIVATE, home, own_metrics, private_home
from core.languages.words import languages
from core.serving.cores import algebra_in_one_thread, keep_to_one
from core.serving.deployment import gaps
from core.serving.descriptors import raise_limit
from core.serving.log import write_json_lines
from core.serving.memory import give_back
from db.migrate import migrate
from db.people.owner import owner_link, served_address
from routes.admission.deployed import deployed

_first: FileLock | None = None
"""Held for as long as this process lives, by the first server of a home folder."""


def ready() -> str:
    """Ready the folder, the database, the log and the limits of this process; returns the owner's link.

    Raises FabulaError for what is set wrongly, and InputError with every gap where others can reach the server but not
    yet safely.
    """
    hide_details()
    write_json_lines()
    raise_limit()
    keep_to_one()
    algebra_in_one_thread()
    give_back()
    os.umask(PRIVATE)  # before the database is made, and for the worker too
    private_home()
    own_metrics().mkdir(exist_ok=True)
    migrate()
    languages()  # a file that cannot be used is found now, and not by an annotator
    standing = deployed()
    if standing.public and (refused := [gap for gap in gaps(standing) if gap.refused]):
        listed = "\n".join(f"  {gap}" for gap in refused)
        raise InputError(f"others can reach this server, but not yet safely:\n{listed}")
    local = f"http://{config.get_option('browser.serverAddress') or 'localhost'}:{config.get_option('server.port')}"
    return owner_link(standing.address or local)


def beside() -> str:
    """What is to be known where another server of this machine works on the folder already; "" where none does. To be
    asked before `ready`, after which the folder's address is this server's.
    """
    global _first
    lock = FileLock(private_home() / "server.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return (
            f"Another server, last at {served_address()}, works on {home()} already. Both show the same studies and "
            "share one worker; stop this one if you did not mean to have two."
        )
    _first = lock
    return ""
