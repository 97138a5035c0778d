"""A real server and a real browser."""

import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


class Server:
    """Fabula on a port of its own, with the home folder of the test."""

    def __init__(self, home: Path) -> None:
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        log = (self.home / "server.log").open("ab")
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        log.close()
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=2) as answer:
                    assert answer.status == 200
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                assert time.monotonic() < deadline, (self.home / "server.log").read_text()
                assert self.process.poll() is None, (self.home / "server.log").read_text()
                time.sleep(0.2)

    def kill(self) -> None:
        """SIGKILL: no goodbye, as when the machine goes down."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def owner_link(self) -> str:
        return f"{self.address}/enter/{(self.home / 'owner-token').read_text()}"

    def log(self) -> str:
        return (self.home / "server.log").read_text()


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    """A served Fabula with an empty database."""
    from db.engine import engine

    made = Server(home)
    made.start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.terminate()
        made.process.wait(timeout=20)
    engine().dispose()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


def chromium() -> str | None:
    """Debian's Chromium, or None."""
    return shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A real browser."""
    if chromium() is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
    yield started
    started.close()


def settle(page: Page) -> None:
    """Wait until the page is connected and its script has run."""
    page.wait_for_selector("[data-testid=stApp][data-test-connection-state=CONNECTED]", timeout=30_000)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)


def visit(page: Page, address: str) -> None:
    page.goto(address)
    settle(page)
