"""1,000 questions to a judge's endpoint, 200 at a time, beside the `openai` client in a loop of one's own.

The endpoint is a process of its own that answers after 50 ms, so no way of asking comes above 4,000 requests a second.
`python -m benchmarks.judges.endpoint PORT` is that process.
"""

import asyncio
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import openai
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.timing import Row, compare
from core.judges.asking import Message, Reply, Request
from core.judges.backends.endpoint import Endpoint, EndpointBackend

QUESTIONS, AT_ONCE, SECONDS = 1_000, 200, 0.05
SCALE = ("1", "2", "3", "4", "5")
TOLD = [{"token": answer, "logprob": -1.6} for answer in SCALE]
ANSWER = {
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "4"},
            "logprobs": {"content": [{"token": "4", "logprob": -1.6, "top_logprobs": TOLD}]},
        }
    ],
    "usage": {"prompt_tokens": 300, "completion_tokens": 1, "total_tokens": 301},
}


async def complete(request: WebRequest) -> JSONResponse:
    """The same to all."""
    await request.json()
    await asyncio.sleep(SECONDS)
    return JSONResponse(ANSWER)


async def models(_request: WebRequest) -> JSONResponse:
    """So that one can tell that it is there."""
    return JSONResponse({"data": [{"id": "m"}]})


def questions() -> list[Request]:
    """Stories of 200 words."""
    return [
        Request(f"{n}", (Message("system", "You judge."), Message("user", f"Story {n}: " + "word " * 200)), SCALE)
        for n in range(QUESTIONS)
    ]


def ours(address: str) -> None:
    """With reasons, tries, probabilities and costs."""
    replies: list[Reply] = []
    backend = EndpointBackend(Endpoint(address, "m", concurrency=AT_ONCE, prompt_price=1.0, cap=1000.0))
    backend.ask(questions(), replies.append)
    assert len(replies) == QUESTIONS
    assert all(reply.probabilities for reply in replies)


def theirs(address: str) -> None:
    """With the client's own tries, and nothing kept."""

    async def all_of_them() -> None:
        places = asyncio.Semaphore(AT_ONCE)
        async with openai.AsyncOpenAI(api_key="-", base_url=address) as client:

            async def one(request: Request) -> None:
                async with places:
                    await client.chat.completions.create(
                        model="m",
                        messages=[{"role": m.role, "content": m.text} for m in request.messages],  # type: ignore[misc]
                        temperature=0,
                        max_tokens=1024,
                        logprobs=True,
                        top_logprobs=20,
                    )

            await asyncio.gather(*(one(request) for request in questions()))

    asyncio.run(all_of_them())


def run() -> list[Row]:
    """One row."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    address = f"http://127.0.0.1:{port}/v1"
    root = Path(__file__).resolve().parents[2]
    server = subprocess.Popen([sys.executable, "-m", "benchmarks.judges.endpoint", str(port)], cwd=root)
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{address}/models").read()
                break
            except OSError:
                time.sleep(0.2)
        work = f"{QUESTIONS:,} questions to an endpoint, {AT_ONCE} at once"
        peer = f"AsyncOpenAI {openai.__version__} and a semaphore"
        return [
            compare(
                work, peer, lambda: ours(address), lambda: theirs(address), rounds=3, units=QUESTIONS, unit="requests"
            )
        ]
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    routes = [Route("/v1/chat/completions", complete, methods=["POST"]), Route("/v1/models", models)]
    uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
