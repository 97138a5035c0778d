"""A stand-in for S3, whose buckets are folders: it lists them and sends objects to whoever has the right key."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

GOOD_KEY = "GOODKEY"
_DATED = "Wed, 21 Oct 2026 07:28:00 GMT"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    root: Path

    def log_message(self, *_args: object) -> None:
        """Nothing on the terminal."""

    def _send(self, status: int, body: bytes, head: bool = False, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not head:
            self.wfile.write(body)

    def _refuse(self, status: int, code: str, head: bool) -> None:
        text = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{code}</Message></Error>"
        self._send(status, b"" if head else text.encode(), head, Content_Type="application/xml")

    def do_HEAD(self) -> None:
        self._answer(head=True)

    def do_GET(self) -> None:
        self._answer(head=False)

    def _answer(self, *, head: bool) -> None:
        if f"Credential={GOOD_KEY}/" not in self.headers.get("Authorization", ""):
            self._refuse(403, "AccessDenied", head)
            return
        url = urlsplit(self.path)
        bucket, _, key = unquote(url.path).lstrip("/").partition("/")
        folder = self.root / bucket
        if not folder.is_dir():
            self._refuse(404, "NoSuchBucket", head)
        elif not key:
            self._list(folder, parse_qs(url.query), head)
        elif not (folder / key).is_file():
            self._refuse(404, "NoSuchKey", head)
        else:
            self._object((folder / key).read_bytes(), head)

    def _list(self, folder: Path, query: dict[str, list[str]], head: bool) -> None:
        prefix = query.get("prefix", [""])[0]
        keys = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        found = [key for key in keys if key.startswith(prefix)]
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{(folder / key).stat().st_size}</Size>"
            "<LastModified>2026-10-21T07:28:00.000Z</LastModified></Contents>"
            for key in found
        )
        text = (
            f"<?xml version='1.0'?><ListBucketResult><Name>{folder.name}</Name><KeyCount>{len(found)}</KeyCount>"
            f"<IsTruncated>false</IsTruncated>{contents}</ListBucketResult>"
        )
        self._send(200, text.encode(), head, Content_Type="application/xml")

    def _object(self, content: bytes, head: bool) -> None:
        asked = self.headers.get("Range", "")
        about = {"Last_Modified": _DATED, "ETag": '"1"', "Content_Type": "application/octet-stream"}
        if not asked:
            self._send(200, content, head, Content_Length=str(len(content)), **about)
            return
        start, end = asked.removeprefix("bytes=").split("-")
        part = content[int(start) : int(end) + 1]
        where = f"bytes {start}-{int(start) + len(part) - 1}/{len(content)}"
        self._send(206, part, head, Content_Range=where, **about)


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve the folder's folders as buckets; the options that an address needs behind its question mark."""
    handler = type("Handler", (_Handler,), {"root": root})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"scheme=http&endpoint_override=127.0.0.1:{server.server_port}&region=us-east-1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
