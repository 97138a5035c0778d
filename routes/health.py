"""Is the server well?"""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse

from core.errors import FabulaError
from db.migrate import revision


async def health(_request: Request) -> JSONResponse:
    """Answer a proxy or a test with 200 once the database answers."""
    try:
        return JSONResponse({"status": "ok", "revision": await asyncio.to_thread(revision)})
    except FabulaError:  # which is in the log: anybody may ask how the server is
        return JSONResponse({"status": "the database does not answer"}, status_code=503)
