"""The style of Fabula's pages, written into the page that Streamlit serves: it is there before anything is drawn.

Sent as an element of each page it would come after the first words, which then move.
"""

from functools import cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.home import ROOT

END = b"</body>"
"""Where it stands: after the styles that Streamlit adds to the head, of which it has the last word."""
STREAMLIT = b'<div id="root">'
"""What tells Streamlit's page from others."""


@cache
def page_style() -> bytes:
    """The element; read once a process."""
    return b"<style>" + (ROOT / "pages" / "ui" / "style.css").read_bytes() + b"</style>"


class PageStyle:
    """Wraps the app; other answers than Streamlit's page pass as they are."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        kept = [(name, value) for name, value in scope["headers"] if name not in (b"accept-encoding", b"if-none-match")]
        await self._app({**scope, "headers": kept}, receive, _Styled(send).send)


class _Styled:
    """Holds a page of HTML back until it is whole."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if Headers(raw=message["headers"]).get("content-type", "").startswith("text/html"):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if message.get("more_body"):
                return
            await self._styled(self._start)
            return
        await self._send(message)

    async def _styled(self, start: Message) -> None:
        body = self._body
        if STREAMLIT in body:
            body = body.replace(END, page_style() + END, 1)
            headers = MutableHeaders(raw=start["headers"])
            headers["content-length"] = str(len(body))
            for of_the_file in ("etag", "last-modified"):  # the style may change where Streamlit's file has not
                del headers[of_the_file]
            start = {**start, "headers": headers.raw}
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})
