"""The owner's link: printed at every start, as Jupyter does; only this machine's user can read the file behind it."""

import os
from pathlib import Path

from core.errors import StorageError
from core.home import home
from core.people import TERMINAL, Person, Role
from core.serving.deployment import public_address
from db.people import people


def renew(by: Person, person_id: int) -> str:
    """Give the owner a new link, and keep its token on this machine in the place of the old one."""
    file = home() / "owner-token"
    kept = people.by_token(file.read_text().strip()) if file.is_file() else None
    token = people.renew(by, person_id)
    if kept is not None and kept.id == person_id:
        try:
            _keep(file, token)
        except OSError as error:
            raise StorageError(f"The owner's link cannot be kept in {file}: {error.strerror}.") from error
    return token


def _keep(file: Path, token: str) -> None:
    """Readable by this user alone, and whole from the first moment."""
    partial = file.with_name(f"owner-token.{os.getpid()}")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(token)
    partial.replace(file)


def owner_link(address: str) -> str:
    """The link of the owner at `address`, made on the first start and again if it has been revoked."""
    file = home() / "owner-token"
    try:
        token = file.read_text().strip() if file.is_file() else ""
        if people.by_token(token) is None:
            token = people.invite(TERMINAL, Role.OWNER, name="owner")
            _keep(file, token)
        (home() / "address").write_text(address)
    except OSError as error:
        raise StorageError(f"The owner's link cannot be kept in {file}: {error.strerror}.") from error
    return f"{address}/enter/{token}"


def served_address() -> str:
    """Where people reach this server, or where it was last served: what links made on the terminal begin with."""
    if address := public_address():
        return address
    file = home() / "address"
    return file.read_text().strip() if file.is_file() else "http://localhost:8501"
