"""A platform's public keys, fetched over HTTP and kept."""

import threading
import time
from functools import lru_cache

import jwt

from core.errors import NotAllowed, StorageError

DAY = 86_400
PATIENCE = 5
"""Seconds that the platform's server has to send its keys."""
PAUSE = 15
"""Seconds after a failure in which nobody waits for the platform again."""
OUT_OF_REACH = "The platform's keys cannot be reached just now; try again in a few minutes."


class KeySet:
    """The keys of one address: kept for a day at most, fetched anew for a key they lack, but not at every request."""

    def __init__(self, address: str) -> None:
        self.client = jwt.PyJWKClient(address, lifespan=DAY, timeout=PATIENCE)
        self._one_at_a_time = threading.Lock()
        self._out_of_reach_until = 0.0

    def key(self, kid: str) -> jwt.PyJWK:
        """The key of this id; raises StorageError where the platform cannot be reached, NotAllowed for another id."""
        with self._one_at_a_time:
            if time.monotonic() < self._out_of_reach_until:
                raise StorageError(OUT_OF_REACH)
            try:
                return self.client.get_signing_key(kid)
            except (jwt.PyJWKClientConnectionError, OSError):
                self._out_of_reach_until = time.monotonic() + PAUSE
                raise StorageError(OUT_OF_REACH) from None
            except (jwt.PyJWTError, ValueError):
                raise NotAllowed(
                    "The address is signed with a key that the platform does not name; open the study from there again."
                ) from None


@lru_cache(maxsize=8)
def key_set(address: str) -> KeySet:
    """The keys of an address, the same for everybody."""
    return KeySet(address)
