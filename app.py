"""The server: `streamlit run app.py`. Migrates, starts the worker, serves the pages and the other routes."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from typing import NoReturn

import streamlit as st
from streamlit import config

from core.errors import FabulaError
from core.home import PRIVATE, home, private_home
from core.serving.deployment import gaps
from core.serving.descriptors import raise_limit
from db.migrate import migrate
from db.people import sessions
from db.people.owner import owner_link
from db.studies import lifecycle
from routes.admission.deployed import deployed
from routes.table import MIDDLEWARE, ROUTES
from worker import idle_seconds, keep_worker

USUAL_PORT = 8501


def _load() -> None:
    """Load what the pages' tables and figures need, so that nobody waits for it on the first of them."""
    for name in ("pandas", "core.figures.monitor"):
        import_module(name)


def _give_up(*lines: str) -> NoReturn:
    """Say why, and end before the first page: an exception here would end in a traceback."""
    print("fabula: " + "\n".join(lines), file=sys.stderr, flush=True)
    os._exit(2)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Ready the database, print the owner's link, keep the worker running until the server stops."""
    raise_limit()
    try:
        os.umask(PRIVATE)  # before the database is made, and for the worker too
        private_home()
        idle_seconds()  # where it is set wrongly, before the first worker
        migrate()
        lifecycle.erase_old()
        sessions.forget_ended()
        standing = deployed()
        refused = [gap for gap in gaps(standing) if gap.refused] if standing.public else []
        port = st.get_option("server.port")
        link = owner_link(standing.address or f"http://{st.get_option('browser.serverAddress') or 'localhost'}:{port}")
    except FabulaError as error:
        _give_up(str(error))
    if refused:
        _give_up("others can reach this server, but not yet safely:", *(f"  {gap}" for gap in refused))
    if port != USUAL_PORT and not config.is_manually_set("server.port"):
        print(f"\n  Port {USUAL_PORT} is taken, so Fabula uses {port}.", flush=True)
    print(f"\n  Fabula is ready. Open the owner's link; it is yours alone:\n\n    {link}\n", flush=True)
    keeper = asyncio.create_task(keep_worker(home() / "worker.log"))
    loader = asyncio.create_task(asyncio.to_thread(_load))
    try:
        yield
    finally:
        await loader
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper


app = st.App(
    "pages/table.py",
    routes=ROUTES,
    middleware=MIDDLEWARE,
    lifespan=lifespan,
)
