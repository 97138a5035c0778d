"""The owner's link: printed at every start, as Jupyter does; only this machine's user can read the file behind it."""

import os

from core.errors import StorageError
from core.home import home
from core.people import TERMINAL, Role
from db.people import people


def owner_link(address: str) -> str:
    """The link of the owner at `address`, made on the first start and again if it has been revoked."""
    file = home() / "owner-token"
    try:
        token = file.read_text().strip() if file.is_file() else ""
        if people.by_token(token) is None:
            token = people.invite(TERMINAL, Role.OWNER, name="owner")
            partial = file.with_name(f"owner-token.{os.getpid()}")
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
                stream.write(token)
            partial.replace(file)
        (home() / "address").write_text(address)
    except OSError as error:
        raise StorageError(f"The owner's link cannot be kept in {file}: {error.strerror}.") from error
    return f"{address}/enter/{token}"


def served_address() -> str:
    """Where this home was last served: what links made on the terminal begin with."""
    file = home() / "address"
    return file.read_text().strip() if file.is_file() else "http://localhost:8501"
