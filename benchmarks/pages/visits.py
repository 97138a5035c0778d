"""Annotators at work in the real app, a websocket session each, in one process: `python -m benchmarks.pages.visits`.

Reads a Work as JSON from standard input and prints a Report: the clients' own cost stays in this
process, apart from the server's.
"""

import asyncio
import json
import random
import resource
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.pages.crowd import FORMS, Annotator, words
from benchmarks.pages.streamlit_client import Element, Session, SessionError, beside
from core.annotation.builtin import MANS
from core.annotation.scheme import Scheme

READER = "bidi_component"  # a story's text, where passages can be marked; of a panel of pairs, all texts
SAYING = ("markdown", "bidi_component", "alert")
"""What says whether an answer is saved: a line below a story, a component of ours below a pair, an error."""
AGREE, BEGIN = "I agree", ("Begin", "Begin the next panel")
STAGGER = 0.1
"""Seconds between two arrivals: fifty people do not press Enter at once."""
SECOND_THOUGHTS = 0.05
"""Share of answers to a story's first question that are first given otherwise: the last one must win."""
POLL = 0.5
PATIENCE = 45.0
"""Seconds that somebody waits for an answer before they open their link again."""
RETURN = 2.0
"""Seconds until somebody whose connection is lost opens their link again."""
MOST_ERRORS = 100


@dataclass(frozen=True)
class Work:
    """Who visits which address, for how many seconds, with how many seconds from one save to the next; `form`: which of
    `FORMS` they find there.

    `interval` None: at each annotator's own speed. `seconds` counts from when everybody holds a panel. `returns`:
    whoever loses their connection comes back by their link, until the time is over, which counts from the first arrival
    then.
    """

    address: str
    people: list[tuple[str, Annotator]]
    quality: dict[str, float]
    seconds: float
    interval: float | None = None
    returns: bool = False
    form: str = "mans"


@dataclass
class Report:
    """Seconds from an action to its answer, of every action; what was acknowledged last, by story token and field; the
    same of what was sent since and never answered, and how many saves that were. `lost_connections`: how often somebody
    came back.
    """

    saves: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    acknowledged: dict[str, dict[str, int]] = field(default_factory=dict)
    unanswered: dict[str, dict[str, int]] = field(default_factory=dict)
    in_vain: int = 0
    lost_connections: int = 0
    handed_in: int = 0
    begun_at: float = 0.0
    ended_at: float = 0.0
    cpu: float = 0.0


class Visits:
    """All the sessions of one load, and what comes of them."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.report = Report()
        self._scheme = FORMS[work.form].scheme
        self._holding = 0

    async def run(self) -> Report:
        """Everybody arrives, then everybody works until the time is over or nothing is left to rate."""
        if self.work.returns:
            return await self._whatever_happens()
        async with AsyncExitStack() as stack:
            people = [
                (await stack.enter_async_context(Session(self.work.address, token)), annotator)
                for token, annotator in self.work.people
            ]
            await asyncio.gather(*(self._arrive(session, i * STAGGER) for i, (session, _) in enumerate(people)))
            with self._measured():
                until = time.monotonic() + self.work.seconds
                await asyncio.gather(*(self._stay(session, annotator, until) for session, annotator in people))
        return self.report

    async def _whatever_happens(self) -> Report:
        """The same, where the server, its proxy and its database may be gone for a while."""
        with self._measured():
            until = time.monotonic() + self.work.seconds
            await asyncio.gather(
                *(
                    self._return(token, annotator, i * STAGGER, until)
                    for i, (token, annotator) in enumerate(self.work.people)
                )
            )
        return self.report

    @contextmanager
    def _measured(self) -> Iterator[None]:
        cpu = _cpu()
        self.report.begun_at = time.time()
        yield
        self.report.ended_at = time.time()
        self.report.cpu = _cpu() - cpu

    async def _return(self, token: str, annotator: Annotator, after: float, until: float) -> None:
        """Arrive, work, and come back whenever the connection is lost."""
        await asyncio.sleep(after)
        while time.monotonic() < until:
            try:
                async with Session(self.work.address, token, wait=PATIENCE) as session:
                    await self._timed(self.report.opened, session, session.open("/annotate"))
                    await self._begin(session)
                    await self._rate(session, annotator, until)
            except SessionError:
                self.report.lost_connections += 1
                await asyncio.sleep(RETURN)

    async def _arrive(self, session: Session, after: float) -> None:
        await asyncio.sleep(after)
        try:
            await self._timed(self.report.opened, session, session.open("/annotate"))
            await self._begin(session)
        except SessionError as error:
            self._problem(error)

    async def _stay(self, session: Session, annotator: Annotator, until: float) -> None:
        try:
            await self._rate(session, annotator, until)
        except SessionError as error:
            self._problem(error)

    async def _rate(self, session: Session, annotator: Annotator, until: float) -> None:
        """Rate panel after panel."""
        rng = random.Random(annotator.seed)
        pace = self.work.interval or annotator.seconds
        due = time.monotonic() + rng.random() * pace
        while time.monotonic() < until:
            if not self._controls(session):
                if not (self.work.returns or _button(session, AGREE, *BEGIN) or self._holding):
                    return
                await asyncio.sleep(POLL)
                await session.open("/annotate")  # a rejected panel may have reopened a slot
                await self._begin(session)
                continue
            for key, index in list(self._answers(session, annotator, rng)):
                if self.work.returns and self._stands(key, index):
                    continue
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                due = max(due + pace, time.monotonic())
                if time.monotonic() >= until:
                    return
                await self._save(session, session.find("button_group", key=key), index)
            await self._hand_in(session)
            await self._begin(session)

    async def _hand_in(self, session: Session) -> None:
        """Hand the panel in, a second time where it is asked whether ratings far from their deductions are meant: they
        are. A single story is followed by the next one at once.
        """
        held = _hand_in_button(session)
        if held is None:
            raise SessionError("There is no button that hands this panel in.")
        for _ in range(2):
            button = _hand_in_button(session)
            if button is not None and button.key == held.key:
                await self._timed(self.report.turned, session, session.press(button))
        follower = _hand_in_button(session)
        if follower is None or follower.key != held.key:
            self._holding -= follower is None
            self.report.handed_in += 1

    def _controls(self, session: Session) -> list[Element]:
        return first_controls(session, self._scheme)

    def _answers(self, session: Session, annotator: Annotator, rng: random.Random) -> Iterator[tuple[str, int]]:
        """The panel's answers, story by story or pair by pair: the widget's key and the index of the option."""
        main = self._scheme.main
        for group in self._controls(session):
            token = group.key.removeprefix(f"{main.name}-")
            texts = [e.text for e in beside(session, group, READER)] + compared_texts(session, token)
            read = [words(text) for text in texts if words(text) in self.work.quality]
            if len(read) != 1 + self._scheme.unit.of_pairs:
                raise SessionError(f"There is a form with {len(read)} stories that this annotator can read.")
            opinion = annotator.answer(self._scheme, self.work.quality, read)
            if rng.random() < SECOND_THOUGHTS:
                yield group.key, rng.randrange(len(main.steps))
            for part, value in {**opinion.values, **opinion.deductions}.items():
                yield f"{part}-{token}", options(self._scheme, part).index(value)

    def _stands(self, key: str, index: int) -> bool:
        """Whether an answer has been acknowledged as it is, on an earlier visit."""
        part, _, token = key.partition("-")
        answered = part not in self.report.unanswered.get(token, {})
        return answered and self.report.acknowledged.get(token, {}).get(part) == index

    async def _save(self, session: Session, group: Element, index: int) -> None:
        """Choose, and wait until the page says that it is saved."""
        part, _, token = group.key.partition("-")
        pending = self.report.unanswered.setdefault(token, {})
        pending[part] = index
        self.report.in_vain += 1
        await session.choose(group, index)
        said = [e for kind in SAYING for e in beside(session, group, kind)]
        elements = [e for e in said if e.at >= session.sent_at and "Saved" in e.text]
        if not elements:
            seen = " / ".join(e.text for e in said)
            self._problem(SessionError(f"{part} was not saved: {seen}"))
            return
        self.report.in_vain -= 1
        self.report.saves.append(elements[-1].at - session.sent_at)
        self.report.acknowledged.setdefault(token, {})[part] = pending.pop(part)

    async def _begin(self, session: Session) -> None:
        """Agree if asked to, and take a panel if there is one."""
        if (agree := _button(session, AGREE)) is not None:
            await session.press(agree)
        button = _button(session, *BEGIN)
        if button is not None:
            self._holding += 1
            await self._timed(self.report.turned, session, session.press(button))
            if not self._controls(session):
                self._holding -= 1

    async def _timed(self, times: list[float], session: Session, action: Coroutine[Any, Any, None]) -> None:
        await action
        times.append(time.monotonic() - session.sent_at)

    def _problem(self, error: Exception) -> None:
        if len(self.report.errors) < MOST_ERRORS:
            self.report.errors.append(str(error))


def first_controls(session: Session, scheme: Scheme = MANS) -> list[Element]:
    """The first question of each form on the page, from top to bottom; none where there is no panel."""
    first = f"{scheme.main.name}-"
    return [e for e in session.elements() if e.kind == "button_group" and e.key.startswith(first)]


def compared_texts(session: Session, token: str) -> list[str]:
    """The two stories of a pair; none where stories are not compared.

    The browser has all pairs of a panel and shows one at a time: to go to another one asks nothing of the server.
    """
    shown = [e.data for e in session.elements() if e.kind == READER]
    pairs = [pair for data in shown for pair in data.get("pairs", ())]
    return [story["text"] for pair in pairs if pair["token"] == token for story in pair["stories"]]


def options(scheme: Scheme, part: str) -> tuple[int, ...]:
    """What the control of a criterion, or of an error type, offers, in its order."""
    return scheme.criterion(part).steps if part in scheme.names else scheme.error_type(part).points


def _hand_in_button(session: Session) -> Element | None:
    """The button that hands the panel on the page in; its key has the panel's token."""
    return next((e for e in session.elements() if e.kind == "button" and e.key.startswith("submit-")), None)


def _button(session: Session, *labels: str) -> Element | None:
    return next((e for e in session.elements() if e.kind == "button" and e.text in labels), None)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    given = json.load(sys.stdin)
    given["people"] = [(token, Annotator(**annotator)) for token, annotator in given["people"]]
    print(json.dumps(asdict(asyncio.run(Visits(Work(**given)).run()))))
