"""People who work at the same moment: threads that start together, and other processes, which can be killed."""

import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Barrier
from typing import Any

from sqlalchemy import text

from core.annotation.panel import Panel
from core.people import Person
from db.annotation import assignments, panel_submission
from db.engine import reading, writing
from db.migrate import migrate
from db.ratings import ratings
from tests.db.annotation.assignments import sources
from tests.processes.forks import CONTEXT, forked

PATIENCE = 120
"""Seconds that a slow machine may take for what takes one."""
OVERALL = {"human": 5, "negative": 1, "system": 3}
SPOILT = {"human": 1, "negative": 1, "system": 3}
"""Ratings that the rule accepts, and such that it rejects."""


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make the calls in threads that start together; gives what each returned, or the exception that it raised."""
    gate = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        gate.wait(PATIENCE)
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def failures(results: Iterable[Any]) -> list[Exception]:
    """The exceptions among what `at_once` gives."""
    return [result for result in results if isinstance(result, Exception)]


class Worker:
    """A process that works on the test's database; what it says, it has said before it went on."""

    def __init__(self, work: Callable[..., None], *args: Any) -> None:
        self._ear, mouth = CONTEXT.Pipe(duplex=False)
        settings = {name: os.environ.get(name) for name in ("FABULA_HOME", "DATABASE_URL")}
        self.process = forked(_run, settings, work, mouth, *args, daemon=True)
        mouth.close()

    def hear(self) -> Any:
        """The next thing it says; None once it has ended."""
        assert self._ear.poll(PATIENCE), "the process says nothing"
        try:
            return self._ear.recv()
        except (EOFError, OSError):  # the second: killed in the middle of a word
            return None

    def kill(self) -> None:
        """SIGKILL: no goodbye, as when the machine goes down."""
        self.process.kill()

    def end(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        self.process.join(PATIENCE)
        self._ear.close()
        assert self.process.exitcode is not None, "the process does not end"
        code = int(self.process.exitcode)
        self.process.close()
        return code


def _run(settings: dict[str, str | None], work: Callable[..., None], mouth: Connection, *args: Any) -> None:
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    work(mouth, *args)


def barrier(parties: int) -> Any:
    """A gate for that many processes."""
    return CONTEXT.Barrier(parties, timeout=PATIENCE)


def everything(workers: Iterable[Worker]) -> list[Any]:
    """All that these workers say until their ends, which must be good."""
    said = []
    for worker in workers:
        while (word := worker.hear()) is not None:
            said.append(word)
        assert worker.end() == 0
    return said


@dataclass
class Ledger:
    """What a worker set out to do, and what it was told is done, by (what, token)."""

    tried: dict[tuple[str, str], Any] = field(default_factory=dict)
    done: dict[tuple[str, str], Any] = field(default_factory=dict)
    last: str = ""
    """Whether the last word was "try" or "done"."""

    def note(self, word: tuple[str, str, str, Any]) -> None:
        """Add one message of `annotate`."""
        stage, what, token, value = word
        self.last = stage
        if stage == "try":
            self.tried[what, token] = value
        else:
            self.done[what, token] = self.tried.pop((what, token))


def claim_together(mouth: Connection, gate: Barrier, person: Person) -> None:
    """Connect, wait for all the others, claim; says the prompt got, or None."""
    with reading() as connection:
        connection.execute(text("SELECT 1"))
    gate.wait()
    panel = assignments.turn(person, claim=True).panel
    mouth.send((person.id, panel and panel.prompt))


def annotate(mouth: Connection, crowd: list[Person], overall: dict[str, int], gate: Barrier | None = None) -> None:
    """Rate and hand in all there is for these people; says before each call what it tries and after it that it is done.

    Every story is rated twice, so that a change of mind is on its way, too.
    """
    if gate is not None:
        gate.wait()

    def step(what: str, token: str, value: Any, call: Callable[[], Any]) -> Any:
        mouth.send(("try", what, token, value))
        result = call()
        mouth.send(("done", what, token, value))
        return result

    for person in crowd:
        while panel := step("claim", str(person.id), None, lambda p=person: assignments.turn(p, claim=True).panel):
            _fill_in(step, person, panel, overall)
            step("submit", panel.token, None, lambda p=person, t=panel.token: panel_submission.submit(p, t))


def _fill_in(step: Callable[..., Any], person: Person, panel: Panel, overall: dict[str, int]) -> None:
    where = sources(panel)
    for shown in panel.stories:
        wanted = overall[where[shown.token]]
        if shown.answer.overall == wanted:
            continue  # somebody killed here goes on where they were
        for value in (4, wanted):
            step("save", shown.token, value, lambda t=shown.token, v=value: ratings.save_value(person, t, v))
    token = panel.stories[-1].token
    step("tick", token, 1, lambda: ratings.save_deduction(person, token, "unrelated events", 1))


def migrate_now(mouth: Connection) -> None:
    """Migrate to the newest revision; says when it begins."""
    mouth.send("begin")
    migrate()


def hold_the_lock(mouth: Connection, seconds: float) -> None:
    """Hold what every save needs, for so long; says when it has it and when it gives it back."""
    with writing() as connection:  # on SQLite that is the only writer
        if connection.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE rating IN ACCESS EXCLUSIVE MODE"))
        mouth.send("locked")
        time.sleep(seconds)
        mouth.send("free")


def wait_for_the_dead(database: str) -> None:
    """Until PostgreSQL has noticed that a client was killed, and has finished or taken back what that was doing."""
    deadline = time.monotonic() + PATIENCE
    busy = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
        "AND backend_type = 'client backend' AND state <> 'idle'"
    )
    while database == "postgresql":
        with reading() as connection:
            if not connection.scalar(busy):
                return
        assert time.monotonic() < deadline, "the server still works for a process that was killed"
        time.sleep(0.005)
