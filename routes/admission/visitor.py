"""Who sends a request: their address, whether they came over TLS, and the session that their cookie proves."""

import asyncio
import json
import os
import time
from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection
from starlette.types import Scope
from streamlit import config, secrets
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from core.serving.sessions import COOKIE, Visit, browser_of
from db.people import sessions

PROXIES = "FORWARDED_ALLOW_IPS"
"""The setting that names trusted proxies, by address or network, separated by commas; uvicorn reads it as well."""
REMEMBERED = 2.0
"""Seconds for which a session need not be looked up again: how long one lives on after it was ended."""
MOST_REMEMBERED = 5_000
_KEY = "fabula.visitor"


@dataclass(frozen=True)
class Visitor:
    """Who sends a request. `visit` is None for a stranger.

    `email`: the address that they have signed in with, "" where the provider does not vouch for one, None without.
    `shut_out`: the key of what they read whose session is of a link that works no more; "" of anybody else.
    """

    address: str
    secure: bool
    visit: Visit | None = None
    email: str | None = None
    shut_out: str = ""

    @property
    def network(self) -> str:
        """What limits go by: the address, or of an IPv6 address the /64 that one household or server has."""
        try:
            parsed = ip_address(self.address)
        except ValueError:
            return self.address
        if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
            return str(IPv6Address(int(parsed) >> 64 << 64))
        return str(parsed)


def proxies() -> str:
    """The proxies whose word counts; "" where none is named."""
    return os.environ.get(PROXIES, "").strip()


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who the admission layer found behind a request."""
    result: Visitor = connection.scope[_KEY]
    return result


def remember(scope: Scope, visitor: Visitor) -> None:
    """Tell the routes behind the layer who this is."""
    scope[_KEY] = visitor


def unidentified(scope: Scope) -> Visitor:
    """Where a request came from, before anybody asks who sent it.

    uvicorn believes a proxy on this machine where none is named. Fabula does not: without a named proxy, a request that
    brings `X-Forwarded-*` from this machine itself comes from this machine, over whatever this server speaks.
    """
    host = (scope.get("client") or ("", 0))[0]
    secure = scope["scheme"] in ("https", "wss")
    if not proxies():
        secure = bool(config.get_option("server.sslCertFile"))
        claimed = b", ".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin1")
        if host and host in claimed:
            host = "127.0.0.1"
    return Visitor(host, secure)


class Visits:
    """The sessions of requests, remembered for a moment: a page loads dozens of files, an annotator presses fast."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], tuple[float, Visit | None, str | None, str]] = OrderedDict()

    async def of(self, connection: HTTPConnection) -> tuple[Visit | None, str | None, str]:
        """The session behind a request's cookies, and `email` and `shut_out` of a Visitor."""
        key = connection.cookies.get(COOKIE, "")
        signed = connection.cookies.get(USER_COOKIE_NAME, "") if signing_in_is_set_up() else ""
        if not key and not signed:
            return None, None, ""
        before = self._known.get((key, signed))
        if before is not None and time.monotonic() - before[0] < REMEMBERED:
            return before[1:]
        identified = await asyncio.to_thread(_identify, key, connection)
        self._known[key, signed] = (time.monotonic(), *identified)
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        return identified

    def forget(self) -> None:
        """Look everybody up again: a session has begun or ended here."""
        self._known.clear()


def signing_in_is_set_up() -> bool:
    """Whether there is a provider to sign in with: `[auth]` in .streamlit/secrets.toml."""
    return bool(secrets.load_if_toml_exists() and "auth" in secrets)


def _identify(key: str, connection: HTTPConnection) -> tuple[Visit | None, str | None, str]:
    visit = sessions.by_key(key)
    if not signing_in_is_set_up():
        return visit, None, _shut_out(visit, key)
    email = verified_email(connection)
    if visit is None and email:
        cookie = connection.cookies[USER_COOKIE_NAME]
        visit = sessions.by_sign_in(cookie, email, browser_of(connection.headers.get("user-agent", "")))
    return visit, email, _shut_out(visit, key)


def _shut_out(visit: Visit | None, key: str) -> str:
    known = visit is not None or not key or len(key) > sessions.LONGEST_KEY
    return "" if known else sessions.why_shut_out(key=key)


def verified_email(connection: HTTPConnection) -> str | None:
    """The `email` of a Visitor, by the cookie that Streamlit signs and pages read as `st.user`."""

    def signed(name: str) -> bytes | None:
        return decode_signed_value(get_cookie_secret(), name, connection.cookies.get(name, ""))

    payload = get_cookie_with_chunks(signed, USER_COOKIE_NAME)
    user = json.loads(payload) if payload else {}
    if user.get("is_logged_in") is not True:
        return None
    if user.get("email_verified") is not True:
        return ""
    return str(user.get("email") or "")
