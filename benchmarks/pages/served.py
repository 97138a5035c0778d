"""Fabula as its users meet it: `streamlit run app.py`, in one process or in several behind Caddy, on free ports."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import psutil  # type: ignore[import-untyped]

from core.home import ROOT

SLOWEST_START = 90.0
CADDYFILE = ROOT / "deploy" / "Caddyfile"


class Served:
    """A running app: `with Served(home) as app`. `home` becomes its FABULA_HOME; DATABASE_URL is as in this process.

    Several `processes` share the home folder and the database, and keep to a core each. They stand behind Caddy, as
    `deploy/Caddyfile` has them, unless somebody else is to be their proxy.
    """

    def __init__(self, home: Path, processes: int = 1, *, proxied: bool = True) -> None:
        self.home = home
        self.log = home / "server.log"
        self.ports = [free_port() for _ in range(processes)]
        self._proxy = f"http://localhost:{free_port()}" if proxied and processes > 1 else ""
        self.address = self._proxy or f"http://localhost:{self.ports[0]}"
        self._running: list[subprocess.Popen[bytes]] = []
        self._caddy: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it and wait until its database answers; raises RuntimeError with the server's log."""
        for number in range(len(self.ports)):  # one after the other, as the first one makes the owner's link
            self._running.append(self._serve(number))
        if self._proxy:
            self.start_proxy()
        return self

    def start_proxy(self) -> None:
        """Start Caddy, for the first time or again; raises RuntimeError where it is not installed."""
        caddy = shutil.which("caddy")
        if caddy is None:
            self.__exit__()
            raise RuntimeError("Several processes need Caddy in front of them: apt-get install caddy.")
        self._caddy = self._start(
            [caddy, "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"],
            FABULA_SITE=self._proxy,
            FABULA_PROCESSES=" ".join(f"localhost:{port}" for port in self.ports),
            XDG_DATA_HOME=str(self.home),
            XDG_CONFIG_HOME=str(self.home),
            CADDY_ADMIN=f"unix/{self.home / 'caddy.sock'}",
        )
        self._wait(self._caddy, self._proxy)

    def kill_proxy(self) -> None:
        """SIGKILL to Caddy."""
        if self._caddy is not None:
            self._caddy.kill()
            self._caddy.wait()

    def kill(self, number: int, by: signal.Signals) -> None:
        """Send a signal to a process of the server, from 0, and wait until it is gone."""
        self._running[number].send_signal(by)
        self._running[number].wait()

    def restart(self, number: int) -> None:
        """Start a process of the server again, on the port that it had."""
        self._running[number] = self._serve(number)

    def _serve(self, number: int) -> subprocess.Popen[bytes]:
        port = self.ports[number]
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        server = self._start(command, **({"FABULA_CORE": str(number)} if len(self.ports) > 1 else {}))
        self._wait(server, f"http://localhost:{port}")
        return server

    def _start(self, command: Sequence[str], **settings: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "FABULA_HOME": str(self.home), **settings}
        with self.log.open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment)

    def _wait(self, process: subprocess.Popen[bytes], address: str) -> None:
        deadline = time.monotonic() + SLOWEST_START
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{address}/health", timeout=2):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
        process.kill()
        self.__exit__()
        raise RuntimeError(f"The app did not start:\n{self.log.read_text(encoding='utf-8')}")

    def __exit__(self, *_: object) -> None:
        """Stop it, the proxy first."""
        for process in self._all():
            process.terminate()
        for process in self._all():
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def cpu(self) -> float:
        """Seconds of processor time that the server, its worker and its proxy have taken so far."""
        return sum(cpu_of(process.pid) for process in self._all())

    def memory(self) -> float:
        """Megabytes that the server's processes hold at present."""
        return sum(float(psutil.Process(server.pid).memory_info().rss) for server in self._running) / 2**20

    def _all(self) -> list[subprocess.Popen[bytes]]:
        return [*([self._caddy] if self._caddy else []), *self._running]


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def cpu_of(pid: int) -> float:
    """Seconds of processor time of a process, its present children, and the ended ones it has waited for."""
    process = psutil.Process(pid)
    children = sum(sum(child.cpu_times()[:2]) for child in process.children(recursive=True))
    return float(sum(process.cpu_times()[:4]) + children)


def cpu_of_all() -> float:
    """Seconds of processor time that everything on this machine has taken so far."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0))
