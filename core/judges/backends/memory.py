"""What is known of an endpoint from one round of requests to the next."""

from typing import Any, Protocol

from core.judges.asking import Reply, Request
from core.judges.backends.cost import Meter
from core.judges.backends.limits import Pace


class Answer(Protocol):
    """What an endpoint answers. `model`: what it calls the model, "" if unsaid."""

    @property
    def model(self) -> str: ...

    def reply_to(self, request: Request, most_tokens: int) -> Reply:
        """As the reply to a request."""


class Dialect(Protocol):
    """How requests are written for an endpoint, and its answers read. `path`: what is asked, below the base address;
    `impossible`: why nothing that is wanted can be had of it, "" as long as it can.
    """

    @property
    def path(self) -> str: ...

    @property
    def impossible(self) -> str: ...

    def body(self, request: Request) -> dict[str, Any]:
        """What is sent."""

    def read(self, body: dict[str, Any], content: bytes) -> Answer | None:
        """What the answer to this holds; None where it is none."""

    def can_be_otherwise(self, request: Request, body: dict[str, Any], words: str) -> bool:
        """Whether a request that was refused in these words may be written in another way now."""

    def learn(self, request: Request, body: dict[str, Any], answer: Any) -> bool:
        """From an answer; whether the request is to be written in another way, as the answer is of no use."""

    def blames(self, answer: Any, reply: Reply) -> bool:
        """Whether that a request came to nothing is to be blamed on the endpoint, or on how it is asked."""


class Memory:
    """How requests are written, what they have cost and how fast they may go. `has_answered`: usably, at least once;
    `reported`: what the endpoint has called its model.
    """

    def __init__(self, form: Dialect, meter: Meter, pace: Pace) -> None:
        self.form = form
        self.meter = meter
        self.pace = pace
        self.has_answered = False
        self.reported: set[str] = set()
