"""Personal links: a token in an address becomes a cookie that no script can read."""

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from core.errors import FabulaError
from core.people import COOKIE
from db import people

KEPT_SECONDS = 90 * 86400


async def enter(request: Request) -> Response:
    """Exchange a personal link for a cookie, and go to the first page."""
    token = request.path_params["token"]
    try:
        found = await asyncio.to_thread(people.arrive, token)
    except FabulaError as error:
        return PlainTextResponse(str(error), status_code=503)
    return admitted(request, token) if found else RedirectResponse("/?link=invalid", status_code=303)


def admitted(request: Request, token: str) -> Response:
    """To the first page, as whoever this token belongs to."""
    response = RedirectResponse("/", status_code=303)
    response.headers["Referrer-Policy"] = "no-referrer"
    secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
    response.set_cookie(COOKIE, token, max_age=KEPT_SECONDS, httponly=True, samesite="lax", secure=secure)
    return response
