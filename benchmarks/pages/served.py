"""Fabula as its users meet it: `streamlit run app.py` in a process of its own, on a free port of this machine."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Self

import psutil  # type: ignore[import-untyped]

from core.home import ROOT

SLOWEST_START = 90.0


class Served:
    """A running app: `with Served(home) as app`. `home` becomes its FABULA_HOME; DATABASE_URL is as in this process."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.log = home / "server.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://localhost:{free.getsockname()[1]}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it and wait until its database answers; raises RuntimeError with the server's log."""
        port = self.address.rpartition(":")[2]
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", port]
        with self.log.open("ab") as log:
            environment = {**os.environ, "FABULA_HOME": str(self.home)}
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + SLOWEST_START
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=2):
                    return self
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
        self.__exit__()
        raise RuntimeError(f"The app did not start:\n{self.log.read_text(encoding='utf-8')}")

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def cpu(self) -> float:
        """Seconds of processor time that the server and its worker have taken so far."""
        return cpu_of(self._process.pid) if self._process is not None else 0.0

    def memory(self) -> float:
        """Megabytes that the server itself holds at present."""
        return float(psutil.Process(self._process.pid).memory_info().rss) / 2**20 if self._process is not None else 0.0


def cpu_of(pid: int) -> float:
    """Seconds of processor time of a process, its present children, and the ended ones it has waited for."""
    process = psutil.Process(pid)
    children = sum(sum(child.cpu_times()[:2]) for child in process.children(recursive=True))
    return float(sum(process.cpu_times()[:4]) + children)


def cpu_of_all() -> float:
    """Seconds of processor time that everything on this machine has taken so far."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0))
