"""Judges on any OpenAI-compatible endpoint: vLLM, Ollama, llama.cpp or a hosted service."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from core.errors import InputError
from core.judges.asking import Backend, OnPart, OnReply, Request, unheard
from core.judges.backends.cost import Meter, Prices, Spent
from core.judges.backends.form import Form
from core.judges.backends.limits import FIRST_PAUSE, Pace
from core.judges.backends.memory import Dialect, Memory
from core.notices import notice
from core.settings import as_json, described, from_json, setting

EXAMPLE = "http://localhost:8000/v1"
LONGEST_NAME = 200
LONGEST_START = 60


@dataclass(frozen=True)
class Endpoint:
    """Where a judge's model is served, and how it is asked. The key is no part of it.

    Raises InputError for an address that is none, and for a number out of its bounds.
    """

    address: str = setting("", f"Base address of an OpenAI-compatible API, such as {EXAMPLE}.", label="Base address")
    model: str = setting("", "The model, as the endpoint calls it.", label="Model")
    concurrency: int = setting(8, "Requests at the same time.", label="Requests at once", least=1, most=256)
    temperature: float = setting(
        0.0, "0 for the likeliest answer; samples differ above it.", label="Temperature", least=0, most=2
    )
    most_tokens: int = setting(
        1024, "The longest reply; models that think need more.", label="Most tokens of a reply", least=1, most=131_072
    )
    requests_a_minute: int = setting(
        0, "The most requests a minute; 0 for as many as there are.", label="Requests a minute", least=0, most=100_000
    )
    prompt_price: float = setting(
        0.0, "Of a million tokens read.", label="Price of a million tokens read", least=0, most=1_000_000
    )
    reply_price: float = setting(
        0.0, "Of a million tokens written.", label="Price of a million tokens written", least=0, most=1_000_000
    )
    cap: float = setting(
        0.0, "What a run may cost at most; 0 for no cap.", label="Cap of the cost", least=0, most=10_000_000
    )
    patience: float = setting(
        120.0, "Seconds that an answer may take.", label="Seconds for an answer", least=0.1, most=3600
    )
    start: str = setting(
        "",
        "The token that stands before every text whose likelihood is asked for, such as <|endoftext|>; none for what "
        "the server puts there itself.",
        label="Token before a text",
        later=True,
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "address", checked_address(self.address))
        if not 0 < len(self.model) <= LONGEST_NAME or not self.model.isprintable() or self.model != self.model.strip():
            raise InputError("Name the model as the endpoint calls it, on one line.")
        if len(self.start) > LONGEST_START or not self.start.isprintable() or self.start != self.start.strip():
            raise InputError(
                "The token before a text is written as the model's tokenizer has it, such as <|endoftext|>."
            )
        for name, (about, kind, _) in described(Endpoint).items():
            if about.least is None or about.most is None:
                continue
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else int):
                raise InputError(f"{about.label} is a {'number' if kind is float else 'whole number'}, not {value!r}.")
            if not about.least <= value <= about.most:
                raise InputError(f"{about.label}: from {about.least:,g} to {about.most:,g}, not {value:,g}.")
        if self.cap and not (self.prompt_price or self.reply_price):
            raise InputError("A cap of the cost needs a price: what a million tokens read, or written, cost.")

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """As a job keeps it. Raises InputError, also for a setting that there is not."""
        if unknown := set(settings) - set(described(cls)):
            raise InputError(f"An endpoint has no setting {min(unknown)!r}.")
        return from_json(cls, settings)

    def as_settings(self) -> dict[str, Any]:
        """As a job keeps it, ready for JSON."""
        return as_json(self)

    @property
    def host(self) -> str:
        """The machine, with its port where one is named."""
        return urlsplit(self.address).netloc

    @property
    def name(self) -> str:
        """The model by the name that it is asked for, and where: `NAME@HOST`."""
        path = urlsplit(self.address).path.removesuffix("/v1")
        return f"{self.model}@{self.host}{path}"

    @property
    def prices(self) -> Prices:
        """What tokens cost there."""
        return Prices(self.prompt_price, self.reply_price)


def checked_address(address: str) -> str:
    """A base address as it is compared and kept: its host in small letters, no slash at its end.

    Raises InputError for anything but http(s), and for an address that could hold a key.
    """
    address = address.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        (parts.hostname or "").encode("idna")  # no empty label, none too long
    except ValueError:
        good = False
    if not good or len(address) > 500 or any(sign.isspace() or not sign.isprintable() for sign in address):
        raise InputError(f"A judge's address begins with http:// or https:// and a host, such as {EXAMPLE}.")
    if parts.username is not None or parts.query or parts.fragment or "?" in address or "#" in address:
        raise InputError("A judge's address has no name, password or question in it: the key is a setting of its own.")
    if parts.path.endswith(("/completions", "/models")):
        raise InputError(f"Give the base address of the API, such as {EXAMPLE}, without what is asked of it.")
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path}"


class EndpointBackend(Backend):
    """Asks an endpoint many requests at once. What they cost, how fast they go and what the endpoint has refused is
    remembered from one `ask` to the next.
    """

    def __init__(
        self, endpoint: Endpoint, key: str = "", *, first_pause: float = FIRST_PAUSE, form: Dialect | None = None
    ) -> None:
        """`form`: how it is asked, usually for replies of a judge."""
        self.endpoint = endpoint
        self._key = key
        self._first_pause = first_pause
        self._memory = Memory(
            form or Form(endpoint.host, endpoint.model, endpoint.temperature, endpoint.most_tokens),
            Meter(endpoint.prices, endpoint.cap, endpoint.most_tokens),
            Pace(endpoint.requests_a_minute),
        )

    @property
    def model(self) -> str:
        """`Endpoint.name`: nothing is asked to know it. Where the endpoint answers under another name, such as one with
        a date, a notice says so.
        """
        return self.endpoint.name

    @property
    def spent(self) -> Spent:
        """What all of its replies have cost."""
        return self._memory.meter.spent

    def ask(self, requests: Sequence[Request], on_reply: OnReply, on_part: OnPart = unheard) -> None:
        """See `Backend.ask`. The first request goes alone, so that what is wrong with all of them is met once; a key
        that comes twice is asked once.
        """
        distinct = list({request.key: request for request in requests}.values())
        if distinct:
            _run(self._ask(distinct, on_reply))
        others = sorted(self._memory.reported - {self.endpoint.model})
        if others:
            notice(
                f"{self.endpoint.host} answered as {', '.join(others)}, not {self.endpoint.model}; name it so, and "
                "scores will say which model gave them."
            )

    async def _ask(self, requests: Sequence[Request], on_reply: OnReply) -> None:
        # The client takes most of a second to import, and pages need only the settings.
        from core.judges.backends.asking_round import Round
        from core.judges.backends.transport import Transport

        at = self.endpoint
        workers = min(at.concurrency, len(requests))
        async with Transport(at.address, at.model, self._key, connections=workers, patience=at.patience) as transport:
            asked = Round(
                self._memory,
                transport,
                requests,
                on_reply,
                most_tokens=at.most_tokens,
                first_pause=self._first_pause,
            )
            await asked.go(workers)


def _run(asking: Coroutine[Any, Any, None]) -> None:
    """Run it to its end; in a thread of its own where this one has a loop already, as a notebook's has."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(asking)
        return
    with ThreadPoolExecutor(1) as pool:
        pool.submit(copy_context().run, asyncio.run, asking).result()
