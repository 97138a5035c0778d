"""A backend that replies what a test tells it to, and remembers what it was asked."""

from collections.abc import Callable, Sequence

from core.judges.asking import Backend, OnPart, OnReply, Reply, Request, unheard


class ScriptedBackend(Backend):
    """`script` makes the reply to each request; the key is put in."""

    def __init__(self, script: Callable[[Request], Reply | str]) -> None:
        self.script = script
        self.asked: list[Request] = []

    @property
    def model(self) -> str:
        return "scripted@1"

    def ask(self, requests: Sequence[Request], on_reply: OnReply, on_part: OnPart = unheard) -> None:
        for request in requests:
            self.asked.append(request)
            reply = self.script(request)
            if isinstance(reply, str):
                reply = Reply("", reply)
            on_reply(Reply(request.key, reply.text, reply.probabilities, reply.problem))
