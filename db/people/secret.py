"""The server's secret and what is derived from it: keyed hashes of crowd ids, links and personal codes."""

import hashlib
import hmac
import os
import secrets
from base64 import b32encode, urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from core.errors import StorageError
from core.home import home

SHORTEST = 32
"""Characters that `FABULA_SECRET` has at least."""


def secret() -> bytes:
    """`FABULA_SECRET`, or what the file `secret-key` in Fabula's home folder holds, which is made on first use.

    Servers of one database share it: with another secret nobody is recognised. Raises StorageError where it is too
    short, or where the file can be neither read nor made.
    """
    given = os.environ.get("FABULA_SECRET")
    return _long_enough(given, "FABULA_SECRET") if given else _of_file(os.environ.get("FABULA_HOME", ""))


@lru_cache(maxsize=4)
def _of_file(_home: str) -> bytes:
    """Read once for a home folder, which its setting stands for: a batch's results need it thousands of times."""
    file = home() / "secret-key"
    try:
        if not file.is_file():
            _make(file)
        return _long_enough(file.read_text().strip(), str(file))
    except OSError as error:
        raise StorageError(f"The server's secret cannot be kept in {file}: {error.strerror}.") from error


def _long_enough(value: str, where: str) -> bytes:
    if len(value) < SHORTEST:
        raise StorageError(f"{where} has fewer than {SHORTEST} characters; put a longer random text there.")
    return value.encode()


def _make(file: Path) -> None:
    """Readable by this user alone, and whole from the first moment; of two who make it at once, one's stands."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        stream.write(secrets.token_urlsafe(48))
    try:
        with suppress(FileExistsError):
            os.link(partial, file)
    finally:
        partial.unlink()


def crowd_hash(study_id: int, platform: str, crowd_id: str) -> str:
    """HMAC-SHA256 of a platform's id of a person, 64 hexadecimal characters; another one in every study."""
    return _keyed("crowd id", str(study_id), platform, crowd_id).hex()


def crowd_token(study_id: int, platform: str, crowd_id: str) -> str:
    """The token that a person from a platform is known by: the same whenever they come back, and told by nothing."""
    return urlsafe_b64encode(_keyed("token", str(study_id), platform, crowd_id)[:24]).decode()


def own_code(study_id: int, person_id: int, end: str) -> str:
    """A completion code of ten letters and digits that is this person's alone, one for each end."""
    return b32encode(_keyed("completion code", str(study_id), str(person_id), end)).decode()[:10]


def pseudonym(study_id: int, person_id: int) -> str:
    """What exports call a person: 16 hexadecimal characters, the same in every export of the study."""
    return _keyed("pseudonym", str(study_id), str(person_id)).hex()[:16]


def report_token(link_id: int, made: datetime) -> str:
    """The token of a link to a report: 192 bits, so that it can be shown again though it is not stored."""
    return urlsafe_b64encode(_keyed("report", str(link_id), made.astimezone(UTC).isoformat())[:24]).decode()


def _keyed(*parts: str) -> bytes:
    # The lengths keep ("a", "bc") apart from ("ab", "c").
    message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hmac.new(secret(), message, hashlib.sha256).digest()
