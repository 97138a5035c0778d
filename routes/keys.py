"""A platform's public keys, fetched over HTTP and kept."""

import json
import math
import socket
import threading
import time
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

import httpx2
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from core.errors import NotAllowed, StorageError
from core.recruitment import is_local

DAY = 86_400
PATIENCE = 5.0
"""Seconds that the platform's server has to send its keys."""
COOLDOWN = 30.0
"""Seconds after a fetch in which no unknown key makes us fetch again."""
LARGEST = 2**18
"""Bytes of a key set."""
PAUSE = 15
"""Seconds after a failure in which nobody waits for the platform again."""
OUT_OF_REACH = "The platform's keys cannot be reached just now; try again in a few minutes."
UNKNOWN_KEY = "The address is signed with a key that the platform does not name; open the study from there again."


class KeySet:
    """The keys of one address: kept for a day at most, fetched anew for a key they lack, but not at every request."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.patience = PATIENCE
        self.cooldown = COOLDOWN
        self._lock = threading.Lock()
        self._keys: dict[str, RSAKey] = {}
        self._fetched_at = -math.inf
        self._out_of_reach_until = -math.inf

    def key(self, key_id: str) -> RSAKey:
        """The key of this id; raises StorageError where the platform cannot be reached, NotAllowed for another id."""
        with self._lock:
            now = time.monotonic()
            if now < self._out_of_reach_until:
                raise StorageError(OUT_OF_REACH)
            if now - self._fetched_at >= (DAY if key_id in self._keys else self.cooldown):
                self._fetch()
            if key_id not in self._keys:
                raise NotAllowed(UNKNOWN_KEY)
            return self._keys[key_id]

    def _fetch(self) -> None:
        try:
            text = _fetched(self.address, self.patience)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
            self._out_of_reach_until = time.monotonic() + PAUSE
            raise StorageError(OUT_OF_REACH) from None
        try:
            self._keys = _signing_keys(json.loads(text))
        except ValueError:
            raise NotAllowed(UNKNOWN_KEY) from None
        self._fetched_at = time.monotonic()


def _fetched(address: str, patience: float) -> bytes:
    """The answer of an allowed address: no redirect is followed, no more is read than keys can be, and an address on a
    private network is not asked at all, whatever name led there. Raises OSError, HTTPError.
    """
    url = httpx2.URL(address)
    if not is_local(address):
        for entry in socket.getaddrinfo(url.host, url.port or 443, type=socket.SOCK_STREAM):
            if not ip_address(entry[4][0]).is_global:
                raise OSError(f"{url.host} is on a private network")
    text = b""
    began = time.monotonic()
    with httpx2.stream("GET", url, timeout=patience, follow_redirects=False) as answer:
        answer.raise_for_status()  # for a redirect too
        for part in answer.iter_bytes():
            text += part
            if len(text) > LARGEST or time.monotonic() - began > patience:
                raise OSError("the answer is too long, or too slow")
    return text


def _signing_keys(answer: Any) -> dict[str, RSAKey]:
    """The RSA keys for signatures in a key set (RFC 7517) by their ids; others, and broken ones, are left out."""
    if not isinstance(answer, dict) or not isinstance(answer.get("keys"), list):
        raise ValueError("The answer is no key set.")
    keys: dict[str, RSAKey] = {}
    for entry in answer["keys"]:
        if not isinstance(entry, dict) or entry.get("kty") != "RSA" or entry.get("use", "sig") != "sig":
            continue
        key_id = entry.get("kid")
        if not isinstance(key_id, str) or not key_id:
            continue
        try:
            keys.setdefault(key_id, RSAKey.import_key(entry))
        except (JoseError, TypeError, ValueError):
            continue
    return keys


@lru_cache(maxsize=8)
def key_set(address: str) -> KeySet:
    """The keys of an address, the same for everybody."""
    return KeySet(address)
