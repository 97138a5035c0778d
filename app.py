"""The server: `streamlit run app.py`. Migrates, starts the worker, serves the pages and the other routes."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module

import streamlit as st
from streamlit import config

from core.errors import FabulaError
from core.home import home
from routes.desktop import open_where_asked
from routes.housekeeping import keep_house
from routes.startup import beside, ready
from routes.table import MIDDLEWARE, ROUTES
from worker import idle_seconds, keep_worker

USUAL_PORT = 8501
COLLECTIONS = (5_000, 10, 10)
"""When garbage is collected: more rarely than Python does it, as a page makes thousands of objects that soon go."""
HAND_OVER = 0.0005
"""Seconds after which a page's thread lets another one on, a tenth of what Python does: whoever holds a study while a
crowd turns to its next panel runs a dozen short statements, and would wait for all the others after each.
"""


def _load() -> None:
    """Load what pages need, so that nobody waits for it on the first of them, and let no collection look at it again.

    What is loaded never becomes garbage, and a full collection that looks at all of it stops every page for a third of
    a second, several times a minute with a hundred annotators.
    """
    for name in ("pandas", "core.figures.monitor", "pages.ui.annotating.screens"):
        import_module(name)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)
    sys.setswitchinterval(HAND_OVER)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Ready the database, print the owner's link; until the server stops keep the worker running, and the house."""
    try:
        idle_seconds()  # where it is set wrongly, before the first worker
        another = beside()
        link = ready()
    except FabulaError as error:
        # To whoever starts it, and in full; an exception here would end in a traceback.
        print(f"fabula: {error.args[0]}", file=sys.stderr, flush=True)
        os._exit(2)
    port = st.get_option("server.port")
    if port != USUAL_PORT and not config.is_manually_set("server.port"):
        print(f"\n  Port {USUAL_PORT} is taken, so Fabula uses {port}.", flush=True)
    if another:
        print(f"\n  {another}", flush=True)
    print(f"\n  Fabula is ready. Open the owner's link; it is yours alone:\n\n    {link}\n", flush=True)
    kept = keep_worker(home() / "worker.log"), keep_house(), open_where_asked(link, port)
    keepers = [asyncio.create_task(one) for one in kept]
    loader = asyncio.create_task(asyncio.to_thread(_load))
    try:
        yield
    finally:
        await loader
        for keeper in keepers:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper


app = st.App(
    "pages/table.py",
    routes=ROUTES,
    middleware=MIDDLEWARE,
    lifespan=lifespan,
)
