"""The admission layer: an ASGI middleware that knows who somebody is before a session of Streamlit exists.

A stranger gets a page of text and Streamlit's public files: no websocket, no upload. Whoever has been let in gets as
many pages and uploads as leave room for the others. All answers carry the headers of `routes.admission.headers`.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from contextlib import suppress

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.errors import StorageError
from core.people import Role
from core.prolific.subscription import HOOK
from core.report.link import SHARED
from core.serving.sessions import SESSION_HEADER, Visit
from db.people import sessions
from routes.admission import sign_ins
from routes.admission.headers import protect, same_origin
from routes.admission.rates import Rate
from routes.admission.sockets import Sockets
from routes.admission.stranger import stranger_page
from routes.admission.uploads import Uploads
from routes.admission.visitor import Visitor, Visits, remember, unidentified
from routes.text.frame import refusal
from routes.text.language import spoken

STREAM = "/_stcore/stream"
FORM = "/annotate"
UPLOADS = "/_stcore/upload_file/"
PUBLIC = (
    "/static/",
    "/favicon.png",
    "/manifest.json",
    "/health",
    "/plotly.js",
    "/_stcore/health",
    "/_stcore/host-config",
    SHARED,
)
"""Addresses that ask nobody who they are: they hold nothing of anybody's, or what anybody with their link may read."""
OWN = ("/enter/", "/join/", "/leave", "/sign-in", "/download/", "/log/", "/auth/", "/oauth2callback")
"""Addresses that ask by themselves who somebody is."""
PARTS = ("/_stcore/", "/media/", "/component/", "/app/static/")
"""What a page loads once it is open."""
CLOSED = ("/_stcore/agent", "/_stcore/metrics", "/_stcore/script-health-check")
"""What Streamlit offers to programs, and Fabula to nobody."""
LARGEST_BODY = 16 * 2**10
"""Bytes of a request that is no upload."""
CHECKED_EVERY = 5.0
"""Seconds after which an open page's session is looked up again: how long one is open after it was ended."""
DRAW_ANEW = BackMsg(rerun_script=ClientState()).SerializeToString()
"""What a page sends to be drawn anew, with nothing pressed in it."""
PRESSES = (60, 20)
"""Messages of an open page: so many at once, and then so many a second; faster ones wait."""
MOST_OWNED = 10_000
_LOG = logging.getLogger("fabula.admission")


class Admission:
    """Wraps the app; see the module."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._visits = Visits()
        self._sockets = Sockets()
        self._uploads = Uploads()
        self._owned: OrderedDict[str, int] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        visitor = unidentified(scope)

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                protect(MutableHeaders(scope=message), connection, visitor.secure)
            await send(message)

        path: str = scope["path"]
        refused = self._unwanted(scope, connection) or sign_ins.refused(connection, visitor)
        if refused is None and path != HOOK and not path.startswith(PUBLIC):
            try:
                visitor = await self._known(connection, visitor)
            except StorageError:
                _LOG.exception("Nobody can be let in")
                refused = refusal("This does not work just now", "The server cannot reach its database.", 503)
        remember(scope, visitor)
        if refused is not None:
            await refused(scope, receive, protected)
        elif path.startswith(UPLOADS):
            await self._upload(visitor, connection, receive, protected)
        elif path.startswith(OWN):
            await self._app(scope, receive, protected)
            self._visits.forget()  # a session may have begun there, or ended
        elif path == HOOK or path.startswith(PUBLIC):
            await self._app(scope, receive, protected)
        elif visitor.visit is None:
            await stranger_page(visitor, spoken(connection))(scope, receive, protected)
        elif path == FORM and not visitor.visit.person.may(Role.RESEARCHER):
            # Their first page is the form, which Streamlit knows by no other address then.
            query = scope["query_string"].decode("latin1")
            await RedirectResponse(f"/?{query}" if query else "/", 302)(scope, receive, protected)
        elif not path.startswith(PARTS) and (sentence := self._sockets.refusal(visitor, slack=1)):
            await refusal("There is no room just now", sentence, 429)(scope, receive, protected)
        else:
            await self._app(scope, receive, protected)

    def _unwanted(self, scope: Scope, connection: HTTPConnection) -> Response | None:
        """What nobody may ask for, whoever they are."""
        path, method = scope["path"], scope["method"]
        if path.startswith(CLOSED):
            return PlainTextResponse("Not found.", 404)
        if path.startswith(UPLOADS):
            return None
        posts = path.startswith(("/enter/", "/leave", "/join/"))
        methods = ("GET", "HEAD", "POST") if posts else ("GET", "HEAD", "OPTIONS")
        if method not in (("POST",) if path == HOOK else methods):
            return PlainTextResponse("Not allowed.", 405)
        if method == "POST" and path != HOOK and not same_origin(connection.headers):
            return PlainTextResponse("Only a page of this server may send this.", 403)
        length = connection.headers.get("content-length", "0")
        if "transfer-encoding" in connection.headers or not length.isdecimal() or int(length) > LARGEST_BODY:
            return PlainTextResponse("Too large.", 413)
        return None

    async def _known(self, connection: HTTPConnection, visitor: Visitor) -> Visitor:
        visit, email, shut_out = await self._visits.of(connection)
        return Visitor(visitor.address, visitor.secure, visit, email, shut_out)

    async def _upload(self, visitor: Visitor, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        scope = connection.scope
        if visitor.visit is None or not visitor.visit.person.may(Role.RESEARCHER):
            await PlainTextResponse("Files are taken from the people who run studies.", 403)(scope, receive, send)
            return
        if not same_origin(connection.headers):
            await PlainTextResponse("Only a page of this server may send files.", 403)(scope, receive, send)
            return
        if scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        page = scope["path"].removeprefix(UPLOADS).partition("/")[0]
        length = connection.headers.get("content-length", "")
        size = int(length) if length.isdecimal() and len(length) < 16 else 0
        status, sentence = self._uploads.refusal(page, size)
        if status:
            await PlainTextResponse(sentence, status)(scope, receive, send)
            return
        with self._uploads.coming(page, size):
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        if scope["path"] != STREAM or not same_origin(connection.headers):
            await _refuse(receive, send)
            return
        try:
            visitor = await self._known(connection, unidentified(scope))
        except StorageError:
            _LOG.exception("Nobody can be let in")
            await _refuse(receive, send)
            return
        if visitor.visit is None or self._sockets.refusal(visitor):
            await _refuse(receive, send)
            return
        self._identify(scope, visitor.visit)
        with self._sockets.opened(visitor):
            await self._app(
                scope,
                _Messages(connection, visitor.visit, self._visits, receive, send).receive,
                self._watching(visitor.visit, send),
            )

    def _identify(self, scope: Scope, visit: Visit) -> None:
        """Tell the pages who this is by a header that no visitor can send; another's pages cannot be taken up again."""
        wanted = b"sec-websocket-protocol"
        headers = []
        for name, value in scope["headers"]:
            if name == SESSION_HEADER.encode():
                continue
            if name == wanted:
                entries = [entry.strip() for entry in value.decode("latin1").split(",")]
                if len(entries) > 2 and self._owned.get(entries[2]) != visit.session_id:
                    value = ", ".join(entries[:2]).encode("latin1")
            headers.append((name, value))
        scope["headers"] = [*headers, (SESSION_HEADER.encode(), str(visit.session_id).encode())]

    def _watching(self, visit: Visit, send: Send) -> Send:
        """Learn which page of Streamlit's belongs to this session, from the first message that names it."""
        learned = False

        async def watched(message: Message) -> None:
            nonlocal learned
            if not learned and message["type"] == "websocket.send" and message.get("bytes"):
                page = _page_of(message["bytes"])
                if page:
                    learned = True
                    self._owned[page] = visit.session_id
                    self._owned.move_to_end(page)
                    if len(self._owned) > MOST_OWNED:
                        self._owned.popitem(last=False)
            await send(message)

        return watched


class _Messages:
    """What a page sends, as long as its session lives, and no faster than a person presses.

    What it sends first after that is dropped, and the page drawn anew: it says then that the time there has ended,
    where a closed socket would look like a lost connection. Whatever it sends next closes it.
    """

    def __init__(self, connection: HTTPConnection, visit: Visit, visits: Visits, receive: Receive, send: Send) -> None:
        self._connection = connection
        self._visit = visit
        self._visits = visits
        self._receive = receive
        self._send = send
        self._checked_at = time.monotonic()
        self._rate = Rate(*PRESSES)
        self._over = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return message
        if message.get("bytes") is None:  # Streamlit speaks in bytes, and would write a traceback about text
            return await self._end(1003)
        while not self._rate.spend(""):
            await asyncio.sleep(1 / self._rate.per_second)
        if self._over:
            return await self._end(1008)
        if time.monotonic() - self._checked_at > CHECKED_EVERY and not await self._lives():
            self._over = True
            return {"type": "websocket.receive", "bytes": DRAW_ANEW}
        return message

    async def _end(self, code: int) -> Message:
        await self._send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}

    async def _lives(self) -> bool:
        self._checked_at = time.monotonic()
        with suppress(StorageError):  # the page says it in its own words, and must be open for that
            visit, _, _ = await self._visits.of(self._connection)
            if visit is None or visit.session_id != self._visit.session_id:
                return False
            await asyncio.to_thread(sessions.seen, visit.session_id)
        return True


async def _refuse(receive: Receive, send: Send) -> None:
    """No websocket: the handshake is answered with 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008})


def _page_of(frame: bytes) -> str:
    """The id of Streamlit's session that a frame begins, "" of any other frame."""
    message = ForwardMsg.FromString(frame)
    return str(message.new_session.initialize.session_id) if message.WhichOneof("type") == "new_session" else ""
