"""Workers of servers that tests start, forked from a process that has imported what jobs need: a worker takes seconds
of a core to import PyTorch alone.

What starts a worker as a process of its own, and what becomes of one that is killed, other tests see to.
"""

import asyncio
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from core.home import ROOT
from tests.processes.forks import forked

_FIRST_LINE = 2**20
"""Bytes that the surroundings of a worker stay below."""


class Worker:
    """What `keep_worker` wants to know of a process."""

    def __init__(self, answers: asyncio.StreamReader, ending: asyncio.StreamWriter, number: int) -> None:
        self.returncode: int | None = None
        self._answers = answers
        self._ending = ending
        self._number = number

    async def wait(self) -> int:
        """Its exit status, below 0 where a signal ended it."""
        self.returncode = int(await self._answers.readline())
        self._ending.close()
        return self.returncode

    def kill(self) -> None:
        """At once."""
        with suppress(ProcessLookupError):
            os.kill(self._number, signal.SIGKILL)


async def started(address: str, log: str, environment: dict[str, str]) -> Worker:
    """A worker whose standard input ends with this process."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    answers, ending = await asyncio.open_unix_connection(sock=connection)
    ending.write(json.dumps([log, environment]).encode() + b"\n")
    return Worker(answers, ending, int(await answers.readline()))


def fork_workers(address: str) -> None:
    """In a server's process: start workers there, and all else as ever."""
    usual = asyncio.create_subprocess_exec

    async def create(*command: str, **settings: Any) -> Any:
        if len(command) == 2 and command[1].endswith("worker.py"):
            log: BinaryIO = settings["stdout"]
            return await started(address, str(log.name), dict(settings["env"]))
        return await usual(*command, **settings)

    asyncio.create_subprocess_exec = create  # type: ignore[assignment]


def workers_at(address: str) -> Any:
    """The process that starts them; it ends with the one that calls this."""
    return forked(_serve, address, daemon=True)


def _serve(address: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who mind the workers
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _mind(connection)
            connection.close()


def _mind(connection: socket.socket) -> None:
    """Start one, and say its number and then how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with connection.makefile("rb") as asked:
        log, environment = json.loads(asked.readline(_FIRST_LINE))
    number = os.fork()
    if number == 0:
        _work(connection, log, environment)
    connection.sendall(b"%d\n" % number)
    _, status = os.waitpid(number, 0)
    with suppress(OSError):  # the server has gone before
        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _work(connection: socket.socket, log: str, environment: dict[str, str]) -> None:
    """What `python worker.py` does."""
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for descriptor, place in ((connection.fileno(), 0), (out, 1), (out, 2)):
        os.dup2(descriptor, place)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["worker.py"]
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    import worker

    code = 1
    try:
        worker.main()
        code = 0
    except SystemExit as ended:
        code = int(str(ended.code or 0))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
