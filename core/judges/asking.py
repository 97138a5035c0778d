"""What a judge is asked and what it replies, wherever the model runs."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

AGAIN = "The next run asks again."
"""What a problem ends with that may pass, such as a server that is busy: a score that is missing for it is still to be
made. For any other reason it is missing for good.
"""
LIKELIHOOD = "likelihood of "
"""Before the model's name where a reply is no judge's, but how likely the model finds a story."""


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True)
class Request:
    """One question to a judge.

    `key`: what the reply is kept under, the same for the same question (the story's content hash, the way, the number
    of the sample, …). `scale`: the answers whose probabilities are wanted, each as it would be written; none for free
    text. `sample`: 0 for the first, and a seed of its own for each that follows at a temperature above 0.
    `content_hash`: of the story that is judged, "" where the reply belongs to none; of a pair, of the story that is
    shown first, and `against_hash` of the other.
    """

    key: str
    messages: tuple[Message, ...]
    scale: tuple[str, ...] = ()
    sample: int = 0
    content_hash: str = ""
    against_hash: str = ""

    @property
    def request_hash(self) -> str:
        """SHA-256 of the words that are asked and the answers that are wanted."""
        asked = [[[message.role, message.text] for message in self.messages], self.scale]
        return hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What came back: the words, and where the model tells them the probabilities of the answers on the scale, which
    need not add up to 1. `problem`: why there is no usable reply, told as it stands. `prompt_tokens`,
    `reply_tokens`: what was read and written, 0 where unknown.
    """

    key: str
    text: str = ""
    probabilities: Mapping[str, float] | None = None
    problem: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0


OnReply = Callable[[Reply], None]
"""Told each reply as soon as it is there, so that it is kept before the next is paid for."""
OnPart = Callable[[Collection[str], float], None]
"""Told while replies are written together: the keys of their requests, and how much of the longest that they may become
is written, 0 to 1. It may raise anything to stop.
"""


def unheard(_keys: Collection[str], _part: float) -> None:
    """Hears it where nobody else does."""


class Backend(ABC):
    """Where a judge's model runs."""

    @property
    @abstractmethod
    def model(self) -> str:
        """The model and its revision, or what the endpoint calls it, as signatures hold it."""

    @abstractmethod
    def ask(self, requests: Sequence[Request], on_reply: OnReply, on_part: OnPart = unheard) -> None:
        """Ask all of these, in any order; every request gets exactly one reply, if only a problem.

        Raises FabulaError where nothing more can be asked: no model, a wrong key, the cap of the cost is reached. What
        has been replied until then has been told.
        """
