"""The headers that every answer carries: what a browser may load, who may frame a page, what is told to others."""

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,260}")
HSTS = "max-age=31536000"
"""A year in which a browser that came over TLS comes by nothing else."""


@lru_cache(maxsize=1)
def _inline_scripts() -> str:
    """Streamlit's page has a script of its own in it: its hash lets it run, and no other."""
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    return " ".join(
        f"'sha256-{b64encode(sha256(found.encode()).digest()).decode()}'" for found in _SCRIPT.findall(page)
    )


@lru_cache(maxsize=64)
def policy(host: str) -> str:
    """The Content-Security-Policy of Streamlit's pages, served as `host`: as tight as Streamlit runs with.

    Everything comes from this server. Streamlit writes styles into the page; it makes scripts of our components, and
    the workers of its charts and tables, from blobs of its own, and compiles WebAssembly; charts and exported figures
    are images made of data.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""  # some browsers do not count them as 'self'
    rules = {
        "default-src": "'none'",
        "script-src": f"'self' blob: 'wasm-unsafe-eval' {_inline_scripts()}",
        "worker-src": "'self' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": f"'self' data: blob:{sockets}",
        "manifest-src": "'self'",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def protect(headers: MutableHeaders, connection: HTTPConnection, secure: bool) -> None:
    """Add what is missing; a route's own, stricter headers stay."""
    usual = {
        "Content-Security-Policy": policy(connection.headers.get("host", "")),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    for name, value in usual.items():
        headers.setdefault(name, value)
    if secure:
        headers.setdefault("Strict-Transport-Security", HSTS)
        cookies = headers.getlist("set-cookie")  # Streamlit's own are not marked so
        if cookies:
            del headers["set-cookie"]
        for cookie in cookies:
            marked = "secure" in [part.strip().lower() for part in cookie.split(";")[1:]]
            headers.append("Set-Cookie", cookie if marked else f"{cookie}; Secure")
    if "access-control-allow-origin" in headers:  # Streamlit lets other sites read some answers; ours may not be read
        del headers["access-control-allow-origin"]


def same_origin(headers: Headers) -> bool:
    """Whether a page of this server sent the request: `Origin` names the host that the request came to."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    return bool(host) and origin.partition("://")[2].lower() == host.lower()
