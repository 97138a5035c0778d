"""Personal links: a token in an address lets a browser in, by a session's key in a cookie that no script can read."""

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.errors import FabulaError
from core.people import Person, Role
from core.serving.sessions import COOKIE, KEPT, OpenedBy, browser_of
from db.people import people, sessions
from routes.admission.rates import Rate
from routes.admission.visitor import visitor_of
from routes.text.frame import HEADERS, framed, known_as, name_of, refusal, stay, too_often
from routes.text.language import english, spoken

WRONG_LINKS = Rate(burst=20, per_second=1 / 6)
"""Links that do not work, from one address: somebody who copies badly, not somebody who tries out tokens."""


async def enter(request: Request) -> Response:
    """Exchange a personal link for a session, and go to the first page.

    A link that does not work says so, whoever the browser is known as. A browser that is known as somebody else is
    asked first, and only its own answer counts (a POST from a page of this server): a link on another page must turn
    nobody into another person.
    """
    visitor = visitor_of(request)
    here = visitor.visit.person if visitor.visit else None
    if not WRONG_LINKS.allows(visitor.network):
        return too_often(WRONG_LINKS.wait(visitor.network), spoken(request))
    token = request.path_params["token"]
    try:
        theirs = await asyncio.to_thread(people.by_token, token)
        if theirs is None:
            WRONG_LINKS.spend(visitor.network)
            words = spoken(request) if here is None else english()  # who is known here may run studies
            reason = await asyncio.to_thread(people.why_shut_out, token) or "arrival.no_link_personal"
            return refusal(words.text("arrival.no_link"), words.text(reason), 404, here, words)
        if request.method == "HEAD":  # a program looks at the link; nobody has come
            return Response(headers=HEADERS)
        if here is not None and here.id != theirs.id and request.method != "POST":
            by_sign_in = bool(visitor.visit and visitor.visit.opened_by is OpenedBy.SIGN_IN)
            return framed("This is another person's link", _choice(here, theirs, by_sign_in))
        await asyncio.to_thread(people.arrive, token)
        return await admitted(request, theirs, OpenedBy.LINK)
    except FabulaError as error:
        return refusal("This does not work just now", str(error), 503)


def _choice(here: Person, theirs: Person, by_sign_in: bool) -> str:
    back = "sign out and sign in again" if by_sign_in else "you need your own link"
    seen = "" if theirs.may(Role.RESEARCHER) else " To see what annotators see, use the preview on the Overview."
    return (
        f"<p>In this browser you are {known_as(here)}. The link that you opened is for {known_as(theirs)}. If you go "
        f"on with it, {back} to come back; a private window keeps the two apart."
        f"{seen if here.may(Role.RESEARCHER) else ''}</p>"
        f'{stay(here)}<form method="post"><button class="other">Go on as {name_of(theirs)}</button></form>'
    )


async def admitted(request: Request, person: Person, opened_by: OpenedBy) -> Response:
    """Lead to the first page as this person: in the browser's session, or in a new one that ends it.

    The page says so where the browser was another's before.
    """
    visitor = visitor_of(request)
    before = visitor.visit
    if before is not None and before.person.id == person.id:
        return _to_the_first_page()
    browser = browser_of(request.headers.get("user-agent", ""))
    key = await asyncio.to_thread(sessions.begin, person, opened_by, browser)
    response = _to_the_first_page(switched=before is not None)
    seconds = int(KEPT.total_seconds())
    response.set_cookie(COOKIE, key, max_age=seconds, httponly=True, samesite="lax", secure=visitor.secure)
    if before is not None and before.opened_by is not OpenedBy.SIGN_IN:
        await asyncio.to_thread(sessions.end, before.session_id)
    return response


def _to_the_first_page(*, switched: bool = False) -> RedirectResponse:
    response = RedirectResponse("/?link=switched" if switched else "/", status_code=303)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def leave(request: Request) -> Response:
    """Sign out: asked on a page of its own, done by its button."""
    visit = visitor_of(request).visit
    if visit is None:
        return framed("You are signed out", "<p>Open your personal link, or sign in, to come back.</p>")
    by_sign_in = visit.opened_by is OpenedBy.SIGN_IN
    if request.method != "POST":
        back = "you sign in again" if by_sign_in else "you need your personal link"
        return framed(
            "Sign out?",
            f"<p>In this browser you are {known_as(visit.person)}. To come back, {back}.</p>"
            f'<form method="post"><button>Sign out</button></form>{stay(visit.person, other=True)}',
        )
    try:
        await asyncio.to_thread(sessions.end, visit.session_id)
    except FabulaError as error:
        return refusal("This does not work just now", str(error), 503)
    response = RedirectResponse("/auth/logout" if by_sign_in else "/", status_code=303)
    response.delete_cookie(COOKIE)
    return response
