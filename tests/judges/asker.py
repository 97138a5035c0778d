"""Asks a stand-in for an endpoint, and keeps the replies in the database: a process of its own, to be killed.

`python -m tests.judges.asker ADDRESS N CONCURRENCY`: N questions, less those that are replied to already.
"""

import sys

from core.judges.asking import Message, Request
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.judges.backends.key import judge_key
from db.engine import engine
from db.judges import replies
from tests.judges.server import MODEL, SCALE


def questions(number: int) -> list[Request]:
    """So many."""
    return [
        Request(f"key {n}", (Message("system", "You judge."), Message("user", f"Story {n}.")), SCALE)
        for n in range(number)
    ]


def main() -> None:
    """Ask what is not kept yet; a line of output for each reply once it is kept."""
    address, number, concurrency = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    wanted = {request.key: request for request in questions(number)}
    kept = replies.replies_for(wanted)
    backend = EndpointBackend(Endpoint(address, MODEL, concurrency=concurrency), judge_key(address), first_pause=0.05)
    left = [request for key, request in wanted.items() if key not in kept or kept[key].problem]

    def keep(reply: replies.Reply) -> None:
        replies.keep_reply(backend.model, wanted[reply.key], reply)
        print(reply.key, flush=True)

    backend.ask(left, keep)
    engine().dispose()


if __name__ == "__main__":
    main()
