"""A Ray cluster of several nodes on this machine, each of which can be killed."""

import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STORE = 100 * 2**20
_PORTS = iter(range(6400, 9000))
"""Below those that Ray gives its workers."""


def free_port() -> int:
    """One that nobody listens at, nor has been given."""
    for port in _PORTS:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port
    raise RuntimeError("no port is free")


class Nodes:
    """`address`: of the head, which works on nothing itself."""

    def __init__(self, folder: Path) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        port = self.address.rpartition(":")[2]
        self._start("--head", f"--port={port}", "--num-cpus=0", "--include-dashboard=false", f"--temp-dir={folder}")

    def add(self) -> None:
        """A node that has room for one worker and what reads for it."""
        self._start(f"--address={self.address}", "--num-cpus=2")

    def _start(self, *options: str) -> None:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--disable-usage-stats", *options]
        # Two nodes of one machine would want the same port for their agents, without which they end.
        command += [f"--object-store-memory={STORE}", f"--dashboard-agent-listen-port={free_port()}"]
        log = self._folder.with_suffix(f".{len(self._processes)}")
        with log.open("wb") as stream:
            process = subprocess.Popen(command, cwd=ROOT, stdout=stream, stderr=stream, start_new_session=True)
        self._processes.append(process)
        while b"Ray runtime started" not in log.read_bytes():
            try:
                process.wait(0.2)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError(log.read_text())

    def kill(self) -> None:
        """All of them."""
        for process in self._processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def nodes(folder: Path, workers: int) -> Iterator[Nodes]:
    """A head and so many nodes with a worker's room each, and the token that they want in the environment."""
    mine = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "PYTHONPATH": str(ROOT)}
    # A node that is gone is missed sooner than usual.
    mine |= {"RAY_health_check_period_ms": "500", "RAY_health_check_failure_threshold": "10"}
    before = {name: os.environ.get(name) for name in mine}
    os.environ.update(mine)
    made = None
    try:
        made = Nodes(folder)
        for _ in range(workers):
            made.add()
        yield made
    finally:
        if made:
            made.kill()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
