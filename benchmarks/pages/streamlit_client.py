"""A Streamlit session without a browser: what the page shows as a tree of elements, and what a visitor does to it.

It speaks the protocol of Streamlit 1.67 (`web/server/starlette/starlette_websocket.py`): protobuf frames both ways over
`/_stcore/stream`, the whole widget state with every rerun, as the browser sends it. For benches and tests of a server
on this machine; it refuses any other.
"""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MOST_SESSIONS = 200
LONGEST_WAIT = 600.0
LARGEST_FRAME = 16 * 2**20
MOST_NODES = 20_000
MOST_CACHED = 200
MOST_RECORDED = 64 * 2**20
FINAL = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
)
"""Statuses that end a run; FINISHED_EARLY_FOR_RERUN comes between the runs of one chain."""

_open_sessions = 0


class SessionError(Exception):
    """The session cannot go on: refused, closed, silent for too long, over a limit, or an element is not there."""


@dataclass(frozen=True)
class Element:
    """An element as the page shows it. `proto` is its message, e.g. a Button; `at` when it came (`time.monotonic`)."""

    path: tuple[int, ...]
    kind: str
    proto: Any
    fragment_id: str
    run: str
    at: float

    @property
    def id(self) -> str:
        """The widget's id; empty for an element that is no widget."""
        return str(getattr(self.proto, "id", ""))

    @property
    def key(self) -> str:
        """The key that the page gave the widget; empty without one."""
        parts = self.id.split("-", 2)  # $$ID-HASH-KEY
        return parts[2] if len(parts) == 3 and parts[2] != "None" else ""

    @property
    def text(self) -> str:
        """What a reader reads: the label of a widget, the body of a text, the "text" that a component was given."""
        if self.kind == "bidi_component":
            return str(self.data.get("text", ""))
        return str(getattr(self.proto, "label", "") or getattr(self.proto, "body", ""))

    @property
    def data(self) -> dict[str, Any]:
        """What a component of ours was given to show; empty for any other element."""
        given = self.kind == "bidi_component" and self.proto.WhichOneof("data") == "json"
        data = json.loads(self.proto.json) if given else None
        return data if isinstance(data, dict) else {}

    @property
    def options(self) -> list[str]:
        """What a button group offers, as the page words it."""
        return [option.content for option in self.proto.options]


class Session:
    """One visitor's tab. `async with Session(address, token) as session: await session.open("/annotate")`.

    `address` is `http://localhost:PORT` or another name of this machine; `token` that of the visitor's link, which is
    opened first, or None for a stranger.
    Waits are in seconds. With `record`, `received` holds every frame as it came. Raises SessionError throughout.
    """

    def __init__(self, address: str, token: str | None = None, *, wait: float = 60.0, record: bool = False) -> None:
        parts = urlsplit(address)
        if parts.scheme != "http" or parts.hostname not in LOOPBACK:
            raise SessionError(
                f"{address!r} is not on this machine; the client visits {' or '.join(LOOPBACK)} by http."
            )
        if token is not None and not token.replace("-", "").replace("_", "").isalnum():
            raise SessionError("A token has letters, digits, - and _ only; another would forge a header.")
        self.address = f"http://{parts.netloc}"
        self.token = token
        self.wait = min(wait, LONGEST_WAIT)
        self.received: list[bytes] | None = [] if record else None
        self.sent_at = 0.0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        self._tree: dict[tuple[int, ...], Element] = {}
        self._values: dict[str, WidgetState] = {}
        self._cache: OrderedDict[str, ForwardMsg] = OrderedDict()
        self._recorded = 0
        self._run, self._fragments = "", frozenset[str]()
        self._page, self._path = "", "/"
        self._ended = asyncio.Event()
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Connect."""
        global _open_sessions
        if _open_sessions >= MOST_SESSIONS:
            raise SessionError(f"At most {MOST_SESSIONS} sessions are open at once.")
        _open_sessions += 1
        try:
            cookies = await asyncio.to_thread(entered, self.address, self.token) if self.token else ""
            headers = {"Cookie": cookies} if cookies else {}
            self._socket = await connect(
                f"ws://{urlsplit(self.address).netloc}/_stcore/stream",
                origin=self.address,  # type: ignore[arg-type]  # a NewType of str
                # The browser's second entry is its XSRF token, which only a signed-in identity needs.
                subprotocols=["streamlit", "PLACEHOLDER_AUTH_TOKEN"],  # type: ignore[list-item]
                additional_headers=headers,
                max_size=LARGEST_FRAME,
                open_timeout=self.wait,
                proxy=None,
            )
        except (OSError, HTTPException, InvalidHandshake, TimeoutError) as error:
            _open_sessions -= 1
            raise SessionError(f"{self.address} does not let the session in: {error}") from error
        self._reader = asyncio.create_task(self._read(self._socket))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the tab."""
        global _open_sessions
        _open_sessions -= 1
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader

    async def open(self, path: str) -> None:
        """Go to a page, `/annotate` or `/annotate?query`, and wait until it stands."""
        parts = urlsplit(path)
        self._path, self._page = parts.path, ""
        await self._rerun(page=parts.path.strip("/"), query=parts.query)

    def elements(self) -> list[Element]:
        """What the page shows, from top to bottom."""
        return [element for _, element in sorted(self._tree.items()) if element.kind]

    def find(self, kind: str, *, label: str | None = None, key: str | None = None, part: str = "") -> Element:
        """The first element of a kind with this label (whole), this key, or this `part` of its text."""
        for element in self.elements():
            named = (label is None or element.text == label) and (key is None or element.key == key)
            if element.kind == kind and named and part in element.text:
                return element
        text = ", ".join(repr(e.text or e.key) for e in self.elements() if e.kind == kind) or "none"
        raise SessionError(f"There is no {kind} {label or key or part!r} on {self._path}; there are: {text}.")

    def find_button(self, label: str) -> Element:
        """The button with this label."""
        return self.find("button", label=label)

    def shows(self, part: str) -> bool:
        """Whether any element's text contains `part`."""
        return any(part in element.text for element in self.elements())

    async def press(self, button: Element) -> None:
        """Press a button and wait for the page."""
        await self._rerun(WidgetState(id=button.id, trigger_value=True), fragment_id=button.fragment_id)

    async def choose(self, group: Element, choice: int | str | None) -> None:
        """Choose an option of a button group by index or wording, None to take it back, and wait for the page."""
        state = WidgetState(id=group.id)
        state.string_array_value.SetInParent()
        if choice is not None:
            state.string_array_value.data.append(group.options[choice] if isinstance(choice, int) else choice)
        self._values[group.id] = state
        await self._rerun(fragment_id=group.fragment_id)

    async def send_raw(self, *states: WidgetState, fragment_id: str = "", wait: bool = True) -> None:
        """Send hand-made widget states as they are, and nothing else; what no browser would send goes out too.

        The server says nothing to a fragment that it does not know: then do not `wait`.
        """
        await self._rerun(*states, fragment_id=fragment_id, only=True, wait=wait)

    async def _rerun(
        self,
        *states: WidgetState,
        fragment_id: str = "",
        page: str = "",
        query: str = "",
        only: bool = False,
        wait: bool = True,
    ) -> None:
        """Ask for a run and wait until it, and whatever it sets off, has ended."""
        async with self._turn:
            if self._failure is not None or self._socket is None:
                raise SessionError(f"The session is closed: {self._failure or 'it was never opened'}.")
            message = BackMsg()
            state = message.rerun_script
            state.page_name, state.query_string, state.fragment_id = page, query, fragment_id
            state.page_script_hash = self._page
            kept = [] if only else [value for name, value in self._values.items() if name not in {s.id for s in states}]
            state.widget_states.CopyFrom(WidgetStates(widgets=[*kept, *states]))
            state.cached_message_hashes.extend(self._cache)
            state.context_info.timezone, state.context_info.locale = "UTC", "en"
            state.context_info.url = f"{self.address}{self._path}"
            self._ended.clear()
            self.sent_at = time.monotonic()
            try:
                await self._socket.send(message.SerializeToString())
                if wait:
                    await asyncio.wait_for(self._ended.wait(), self.wait)
            except TimeoutError:
                raise SessionError(f"The server was silent for {self.wait:g} seconds.") from None
            except ConnectionClosed as closed:
                raise SessionError(f"The server closed the session: {closed}") from closed
            if self._failure is not None:
                raise SessionError(f"The session broke off: {self._failure}") from self._failure

    async def _read(self, socket: ClientConnection) -> None:
        """Take in frames until the session ends."""
        try:
            async for frame in socket:
                if isinstance(frame, str):
                    raise SessionError("The server sent a text frame; Streamlit sends binary ones only.")
                self._take(frame)
            self._failure = self._failure or SessionError("the server closed it")
        except Exception as error:  # whatever it was, the one who waits must hear of it
            self._failure = error
        self._ended.set()

    def _take(self, frame: bytes) -> None:
        if self.received is not None:
            self._recorded += len(frame)
            if self._recorded > MOST_RECORDED:
                raise SessionError(f"More than {MOST_RECORDED} bytes were recorded.")
            self.received.append(frame)
        message = ForwardMsg.FromString(frame)
        if message.WhichOneof("type") == "ref_hash":
            known = self._cache.get(message.ref_hash)
            if known is None:
                raise SessionError("The server refers to a message that it never sent.")
            self._cache.move_to_end(message.ref_hash)
            message.delta.CopyFrom(known.delta)
        elif message.metadata.cacheable:
            self._cache[message.hash] = message
            if len(self._cache) > MOST_CACHED:
                self._cache.popitem(last=False)
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
                self._run = message.metadata.run.script_run_id
                self._fragments = frozenset(message.metadata.run.fragment_ids)
            case "navigation":
                self._page = message.navigation.page_script_hash
            case "delta":
                self._change(message)
            case "script_finished" if message.script_finished in FINAL:
                self._sweep(message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
                self._ended.set()

    def _change(self, message: ForwardMsg) -> None:
        """Put an element or a block at its place, as the browser's render tree does."""
        path, delta = tuple(message.metadata.delta_path), message.delta
        if delta.WhichOneof("type") == "new_element":
            kind = str(delta.new_element.WhichOneof("type"))
            proto, block = getattr(delta.new_element, kind), False
        elif delta.WhichOneof("type") == "add_block":
            kind, proto, block = "", delta.add_block.WhichOneof("type"), True
        else:
            return  # a spinner's passing sight
        before = self._tree.get(path)
        if before is not None and not before.kind and not (block and before.proto == proto):
            for inner in [p for p in self._tree if p[: len(path)] == path]:
                del self._tree[inner]
        if len(self._tree) >= MOST_NODES:
            raise SessionError(f"The page has more than {MOST_NODES} elements.")
        element = Element(path, kind, proto, delta.fragment_id, self._run, time.monotonic())
        self._tree[path] = element
        if kind == "button_group" and (proto.set_value or element.id not in self._values):
            state = WidgetState(id=element.id)
            state.string_array_value.data.extend(
                proto.raw_values if proto.set_value else [element.options[i] for i in proto.default]
            )
            self._values[element.id] = state

    def _sweep(self, of_fragments: bool) -> None:
        """Take away what the run that ended has not shown again, of its fragments or of the whole page."""
        stale = [
            path
            for path, element in self._tree.items()
            if element.run != self._run and (not of_fragments or element.fragment_id in self._fragments)
        ]
        for path in stale:
            del self._tree[path]
        present = {element.id for element in self._tree.values()}
        self._values = {name: value for name, value in self._values.items() if name in present}


def entered(address: str, token: str) -> str:
    """Open a personal link; returns the cookies that it sets, as the header that sends them back.

    They are the session's, none where the link does not work, and a proxy's, which keeps a visitor with one process.
    """
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        connection.request("GET", f"/enter/{token}")
        answer = connection.getresponse()
        cookies = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie", [])))
    finally:
        connection.close()
    return "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())


def beside(session: Session, widget: Element, kind: str) -> Iterator[Element]:
    """Elements of a kind in the same fragment as `widget`."""
    return (e for e in session.elements() if e.kind == kind and e.fragment_id == widget.fragment_id)
