"""Who is looking, and what they may do."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.errors import InputError, NotAllowed


class Role(StrEnum):
    """What a person may do.

    Annotators rate. Researchers run the studies that they made or were given. Owners run all, and see to the server:
    they also delete studies, and invite researchers.
    """

    ANNOTATOR = "annotator"
    RESEARCHER = "researcher"
    OWNER = "owner"


_RANK = {Role.ANNOTATOR: 0, Role.RESEARCHER: 1, Role.OWNER: 2}


@dataclass(frozen=True)
class Person:
    """Somebody who was let in. `study_id`: the one study an annotator was invited to. `id` is None on the terminal.

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


@dataclass(frozen=True)
class Listed:
    """A person as the people who run studies see them. Times in UTC; `study` is "" for those who run all studies.

    `state`: active, revoked, expired, erased; imported, of who came with ratings from a file and never had a link.
    `email`: what they sign in with, where they do.
    `paused`: by the rule about rejected panels. `has_link`: False for who comes from a crowd platform.
    """

    id: int
    name: str
    role: Role
    study_id: int | None
    study: str
    email: str
    state: str
    qualified: bool | None
    created_at: datetime
    expires_at: datetime | None
    paused: bool = False
    has_link: bool = True

    @property
    def label(self) -> str:
        """How pages call them: no two people have the same."""
        return called(self.name, self.role, self.id)


_EMAIL = re.compile(r"[^@\s\x00-\x1f<>\"'(),:;\\]{1,64}@[^@\s\x00-\x1f<>\"'(),:;\\]+\.[^@\s\x00-\x1f<>\"'(),:;\\]+")


def email_address(text: str) -> str:
    """An e-mail address in the one form that is compared: trimmed, small letters; raises InputError for no address."""
    cleaned = text.strip().lower()
    if len(cleaned) > 254 or not _EMAIL.fullmatch(cleaned):
        raise InputError("This is no e-mail address; write it like ann@example.org.")
    return cleaned


TERMINAL = Person(None, "terminal", Role.OWNER)
"""Whoever can run commands beside the database is its owner."""


NUMBERS_SKIP = "Annotators are numbered across all studies of this server, so some numbers may be missing here."
"""Why the annotators of a study are not numbered 1, 2, 3: a number stands for the same person on every page."""


def called(name: str, role: str, person_id: int | None) -> str:
    """How pages call somebody: by name and number, or by number alone where they have no name of their own."""
    number = f"{role} {person_id}"
    return number if name in ("", role) else f"{name} ({number})"


def number_alone(label: str) -> str:
    """What `called` returned, without the name: for files, which may be passed on or printed."""
    return label.rpartition(" (")[2].removesuffix(")")
