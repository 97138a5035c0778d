"""One round of requests to an endpoint: many at once, each tried again where that may help, until all are replied to or
nothing more can be asked.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.errors import FabulaError
from core.judges.asking import AGAIN, OnReply, Reply, Request
from core.judges.backends.limits import pause
from core.judges.backends.memory import Memory
from core.judges.backends.transport import Failed, Transport

MOST_FAILURES = 20
"""Requests in a row that come to nothing, after which no more are asked."""
KEPT = "What it had replied is kept."


@dataclass(frozen=True)
class _Outcome:
    """`blames`: that it came to nothing is to be blamed on the endpoint, or on how it is asked, not on this request."""

    reply: Reply
    blames: bool


class Round:
    """Workers that share the requests that are left. `first_pause`: seconds before a second try."""

    def __init__(
        self,
        memory: Memory,
        transport: Transport,
        requests: Sequence[Request],
        on_reply: OnReply,
        *,
        most_tokens: int,
        first_pause: float,
    ) -> None:
        self._memory = memory
        self._transport = transport
        self._left = iter(requests)
        self._on_reply = on_reply
        self._most_tokens = most_tokens
        self._first_pause = first_pause
        self._stopping = asyncio.Event()
        self._settled = asyncio.Event()
        self._turns = asyncio.Lock()
        self._why: FabulaError | None = None
        self._failures = 0

    async def go(self, workers: int) -> None:
        """Ask them all. Raises FabulaError where nothing more can be asked: what is under way then is waited for, as
        it is paid. Whatever `on_reply` raises ends all at once.
        """
        try:
            if not self._memory.has_answered:
                await self._ask(next(self._left))
            tasks = [asyncio.create_task(self._work()) for _ in range(workers)]
            try:
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._stopping.set()
        if self._why:
            raise self._why

    async def _work(self) -> None:
        for request in self._left:
            if self._stopping.is_set():
                return
            await self._ask(request)

    async def _ask(self, request: Request) -> None:
        """Ask one, within the cap, and tell its reply, unless all has stopped before there is one."""
        if not await self._afford(request):
            return
        outcome = None
        try:
            outcome = await self._outcome(request)
        finally:
            self._memory.meter.settle(request, outcome.reply if outcome else None)
            self._settled.set()
        if outcome:
            self._tell(outcome)

    async def _afford(self, request: Request) -> bool:
        """Set aside what a request can cost, once what is under way leaves room for it."""
        meter = self._memory.meter
        while not self._stopping.is_set():
            if meter.reserve(request):
                return True
            if not meter.is_waiting_for_replies:
                self._stop(meter.cap_reached(request))
                break
            self._settled.clear()
            await self._settled.wait()
        return False

    async def _outcome(self, request: Request) -> _Outcome | None:
        """What comes of a request; None where all has stopped before it is known."""
        form, tries = self._memory.form, 0
        while True:
            if not await self._turn():
                return None
            body = form.body(request)
            try:
                answer = await self._transport.complete(form.path, body, partial(form.read, body))
            except Failed as failure:
                if failure.refused and form.can_be_otherwise(request, body, failure.refused):
                    continue
                if form.impossible:
                    self._stop(form.impossible)
                    return None
                tries += 1
                if not self._worth_another(failure, tries):
                    return self._given_up(request, failure, tries)
                if await self._stopped_within(pause(tries, failure.asked, self._first_pause)):
                    return None
                continue
            if form.learn(request, body, answer):
                if not form.impossible:
                    continue
                self._stop(form.impossible)
                return None
            if answer.model:
                self._memory.reported.add(self._transport.hidden(answer.model))
            reply = answer.reply_to(request, self._most_tokens)
            reply = replace(
                reply, text=self._transport.hidden(reply.text), problem=self._transport.hidden(reply.problem)
            )
            self._memory.has_answered |= not reply.problem
            return _Outcome(reply, blames=form.blames(answer, reply))

    async def _turn(self) -> bool:
        """Wait until another request may go; False where all stops before."""
        async with self._turns:
            if self._stopping.is_set() or await self._stopped_within(self._memory.pace.wait()):
                return False
            self._memory.pace.take()
            return True

    def _worth_another(self, failure: Failed, tries: int) -> bool:
        """A server that has never answered is not there; one that has may come back."""
        return tries < failure.tries and (self._memory.has_answered or not failure.fatal)

    def _given_up(self, request: Request, failure: Failed, tries: int) -> _Outcome | None:
        if failure.fatal:
            self._stop(str(failure))
            return None
        asked = f" It was asked {tries} times. {AGAIN}" if failure.tries > 1 else ""
        blames = not (failure.too_long and self._memory.has_answered)
        return _Outcome(Reply(request.key, problem=f"{failure}{asked}"), blames)

    async def _stopped_within(self, seconds: float) -> bool:
        """Wait so long; True as soon as all stops."""
        if not seconds:
            return self._stopping.is_set()
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return False
        return True

    def _tell(self, outcome: _Outcome) -> None:
        try:
            self._on_reply(outcome.reply)
        except BaseException:
            self._on_reply = _unheard
            self._stopping.set()
            raise
        self._failures = self._failures + 1 if outcome.blames else 0
        if self._failures >= MOST_FAILURES:
            self._stop(
                f"{self._failures} requests in a row came to nothing, so no more are asked. The last: "
                f"{outcome.reply.problem}"
            )

    def _stop(self, sentence: str) -> None:
        """Ask nothing more; the first reason is the one that is told."""
        if self._why is None:
            kept = f" {KEPT}" if self._memory.has_answered else ""
            self._why = FabulaError(f"{sentence}{kept}")
        self._stopping.set()
        self._settled.set()


def _unheard(_reply: Reply) -> None:
    """Nobody listens any more."""
