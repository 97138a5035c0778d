"""Small servers of the tests' own, in place of somebody else's."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

AnyServer = TypeVar("AnyServer", bound=ThreadingHTTPServer)


class QuietRequest(BaseHTTPRequestHandler):
    """A request of which nothing is printed."""

    def log_message(self, *_words: Any) -> None:
        """Quietly."""


@contextmanager
def running(server: AnyServer) -> Iterator[AnyServer]:
    """Serve in a thread until the block ends."""
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
