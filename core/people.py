"""Who is looking, and what they may do."""

from dataclasses import dataclass
from enum import StrEnum

from core.errors import NotAllowed

COOKIE = "fabula_viewer"
"""The cookie that carries the token of a personal link."""


class Role(StrEnum):
    """What a person may do: annotators rate, researchers run studies, owners also delete and invite researchers."""

    ANNOTATOR = "annotator"
    RESEARCHER = "researcher"
    OWNER = "owner"


_RANK = {Role.ANNOTATOR: 0, Role.RESEARCHER: 1, Role.OWNER: 2}


@dataclass(frozen=True)
class Person:
    """A person by their link. `study_id`: the one study an annotator was invited to. `id` is None on the terminal.

    `qualified`: whether they may take part, None if nobody has said.
    """

    id: int | None
    name: str
    role: Role
    study_id: int | None = None
    qualified: bool | None = None

    def may(self, role: Role) -> bool:
        """Whether this person has at least `role`."""
        return _RANK[self.role] >= _RANK[role]

    def must_be(self, role: Role) -> None:
        """Raise NotAllowed unless this person has at least `role`."""
        if not self.may(role):
            raise NotAllowed(f"This needs a link with the role {role}; yours is {self.role}.")


TERMINAL = Person(None, "terminal", Role.OWNER)
"""Whoever can run commands beside the database is its owner."""
