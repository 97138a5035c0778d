"""Personal links: a token in an address becomes a cookie that no script can read."""

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.errors import FabulaError
from core.people import COOKIE, Person, Role
from db.people import people
from routes.frame import framed, known_as, name_of, refusal, stay
from routes.signed_in import signed_in

KEPT_SECONDS = 90 * 86400
INSTEAD = "instead"
"""The query parameter by which somebody who runs studies says that they want to be another person."""


async def enter(request: Request) -> Response:
    """Exchange a personal link for a cookie, and go to the first page.

    A link that does not work says so, whoever the browser is known as; and nobody who runs studies is turned into
    somebody else by a link without being asked.
    """
    token = request.path_params["token"]
    try:
        here, theirs = await asyncio.to_thread(lambda: (at_present(request), people.by_token(token)))
        if theirs is None:
            return refusal(
                "This link does not work",
                "It is mistyped, revoked or expired. Copy all of it once more, or ask whoever sent it for a new one.",
                404,
                here,
            )
        if here is not None and _would_lose(here, theirs) and INSTEAD not in request.query_params:
            return framed("This is another person's link", _choice(here, theirs, by_link(request) is None))
        await asyncio.to_thread(people.arrive, token)
    except FabulaError as error:
        return refusal("This does not work just now", str(error), 503)
    return admitted(request, token, here)


async def leave(request: Request) -> Response:
    """Forget the link that this browser has opened: for who has signed in, and has no link to come back by."""
    response = RedirectResponse("/", status_code=303)
    try:
        mine = await asyncio.to_thread(signed_in, request)
    except FabulaError as error:
        return refusal("This does not work just now", str(error), 503)
    if mine is not None:
        response.delete_cookie(COOKIE)
    return response


def by_link(request: Request) -> Person | None:
    """Who this browser is known as by the cookie of a link; None if nobody, or not any more."""
    return people.by_token(request.cookies.get(COOKIE, ""))


def at_present(request: Request) -> Person | None:
    """Who this browser is known as: by the cookie of a link, else by signing in, as on every page."""
    return by_link(request) or signed_in(request)


def _would_lose(here: Person, theirs: Person) -> bool:
    """Whether somebody who runs studies would become another person."""
    return here.may(Role.RESEARCHER) and here.id != theirs.id


def _choice(here: Person, theirs: Person, has_signed_in: bool) -> str:
    back = "press <i>Be yourself again</i>" if has_signed_in else "you need your own link"
    seen = "" if theirs.may(Role.RESEARCHER) else " To see what annotators see, use Preview on the Studies page."
    return (
        f"<p>In this browser you are {known_as(here)}. The link that you opened is for {known_as(theirs)}. If you go "
        f"on with it, {back} to come back; a private window keeps the two apart.{seen}</p>"
        f'{stay(here)}<a class="button other" href="?{INSTEAD}=yes">Go on as {name_of(theirs)}</a>'
    )


def admitted(request: Request, token: str, before: Person | None) -> Response:
    """To the first page, as whoever this token belongs to; it says so where the browser was another's `before`."""
    switched = before is not None and token != request.cookies.get(COOKIE)
    response = RedirectResponse("/?link=switched" if switched else "/", status_code=303)
    response.headers["Referrer-Policy"] = "no-referrer"
    secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
    response.set_cookie(COOKIE, token, max_age=KEPT_SECONDS, httponly=True, samesite="lax", secure=secure)
    return response
