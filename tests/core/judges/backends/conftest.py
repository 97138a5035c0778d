"""Questions to a stand-in for an endpoint."""

from collections.abc import Callable, Sequence

import pytest

from core.errors import FabulaError
from core.judges.asking import Message, Reply, Request
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from tests.judges.server import MODEL, SCALE, JudgeServer

Ask = Callable[..., tuple[list[Reply], str]]


def question(number: int, *, scale: Sequence[str] = SCALE) -> Request:
    messages = (Message("system", "You judge stories."), Message("user", f"Story {number}. It rained."))
    return Request(f"key {number}", messages, tuple(scale), sample=number)


@pytest.fixture
def questions() -> Callable[..., list[Request]]:
    """So many of them, from which number on."""

    def made(number: int, start: int = 0) -> list[Request]:
        return [question(n) for n in range(start, start + number)]

    return made


@pytest.fixture
def backend(judge_server: JudgeServer) -> Callable[..., EndpointBackend]:
    """One that waits little before it asks again."""

    def made(address: str = "", *, key: str = "", **settings: object) -> EndpointBackend:
        given = {"model": MODEL, "patience": 5.0, **settings}
        return EndpointBackend(Endpoint(address or judge_server.address, **given), key, first_pause=0.01)

    return made


@pytest.fixture
def ask() -> Ask:
    """All replies that were told, and why nothing more was asked, "" where all were."""

    def asked(backend: EndpointBackend, requests: Sequence[Request]) -> tuple[list[Reply], str]:
        replies: list[Reply] = []
        try:
            backend.ask(requests, replies.append)
        except FabulaError as error:
            return replies, str(error)
        return replies, ""

    return asked
