"""Open pages: each holds a websocket, now and then a thread, and about four descriptors; nobody may have them all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from core.people import Role
from core.serving.descriptors import room_for
from routes.admission.visitor import Visitor

A_PERSON = 20
"""Pages of one person at once, on all their devices."""
AN_ADDRESS = 250
"""Pages from one address at once: a whole lab may sit behind it."""
RESERVED = 10
"""Pages that are kept for the people who run studies, who must get in when a crowd has taken all others."""


class Sockets:
    """The pages that are open now, by person and by address."""

    def __init__(self) -> None:
        self._people: Counter[int | None] = Counter()
        self._networks: Counter[str] = Counter()
        self._all = 0

    def refusal(self, visitor: Visitor, slack: int = 0) -> str:
        """Why this visitor gets no page more, in a sentence for them; "" if they get one.

        `slack`: pages that are about to close, as the one that is being loaded again is.
        """
        if visitor.visit is None:
            return "Open the personal link that you were given."
        person = visitor.visit.person
        runs = person.may(Role.RESEARCHER)
        if self._people[person.id] >= A_PERSON + slack:
            return f"You have {A_PERSON} pages of Fabula open. Close some, then reload this one."
        if self._networks[visitor.network] >= AN_ADDRESS + slack and not runs:
            return "Too many pages are open from where you are. Wait a few minutes, then reload this page."
        if self._all >= room_for() - (0 if runs else RESERVED) + slack:
            return "Fabula is full at the moment. Wait a few minutes, then reload this page."
        return ""

    @contextmanager
    def opened(self, visitor: Visitor) -> Iterator[None]:
        """Count a page while it is open."""
        person = visitor.visit.person.id if visitor.visit else None
        self._people[person] += 1
        self._networks[visitor.network] += 1
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            self._people -= Counter({person: 1})  # a Counter's difference keeps no zeros: who has gone takes no room
            self._networks -= Counter({visitor.network: 1})
