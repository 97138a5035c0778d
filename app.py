"""The server: `streamlit run app.py`. Migrates, starts the worker, exchanges personal links for a cookie."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from streamlit import config

from core.errors import FabulaError
from core.home import home
from db import people
from db.migrate import migrate, revision
from db.owner import owner_link
from pages.ui.viewer import COOKIE
from worker import keep_worker

USUAL_PORT = 8501


async def enter(request: Request) -> Response:
    """Exchange a personal link for a cookie that no script can read, and go to the first page."""
    token = request.path_params["token"]
    try:
        found = await asyncio.to_thread(people.arrive, token)
    except FabulaError as error:
        return PlainTextResponse(str(error), status_code=503)
    response = RedirectResponse("/" if found else "/?link=invalid", status_code=303)
    response.headers["Referrer-Policy"] = "no-referrer"
    if found:
        secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
        response.set_cookie(COOKIE, token, max_age=90 * 86400, httponly=True, samesite="lax", secure=secure)
    return response


async def health(_request: Request) -> Response:
    """For a proxy or a test: 200 once the database answers."""
    try:
        return JSONResponse({"status": "ok", "revision": await asyncio.to_thread(revision)})
    except FabulaError as error:
        return JSONResponse({"status": str(error)}, status_code=503)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Ready the database, print the owner's link, keep the worker running until the server stops."""
    try:
        migrate()
        port = st.get_option("server.port")
        link = owner_link(f"http://{st.get_option('browser.serverAddress') or 'localhost'}:{port}")
    except FabulaError as error:
        print(f"fabula: {error}", file=sys.stderr, flush=True)
        os._exit(2)  # before the first page; an exception here would end in a traceback
    if port != USUAL_PORT and not config.is_manually_set("server.port"):
        print(f"\n  Port {USUAL_PORT} is taken, so Fabula uses {port}.", flush=True)
    print(f"\n  Fabula is ready. Open the owner's link; it is yours alone:\n\n    {link}\n", flush=True)
    keeper = asyncio.create_task(keep_worker(home() / "worker.log"))
    try:
        yield
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper


app = st.App(
    "pages/table.py",
    routes=[Route("/enter/{token}", enter), Route("/health", health)],
    lifespan=lifespan,
)
