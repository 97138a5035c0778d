"""A real server and a real browser."""

import os
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Download,
    Error,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from playwright.sync_api import TimeoutError as TooLong

from tests.processes.forks import forked
from tests.terminal import good

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    # Pages are gone before an optimised program pays off, or most of what they ask to compile at once.
    "--js-flags=--no-maglev --no-turbofan --max-lazy",
]  # fmt: skip
expect.set_options(timeout=30_000)  # a busy machine is no fault of the page


def serve(settings: dict[str, str], log: Path, *options: str) -> None:
    """What `streamlit run app.py` with these options does, in a process that is forked already."""
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(settings)
    sys.argv = ["streamlit", "run", "app.py", *options]
    from streamlit.web.cli import main

    main()


class Server:
    """Fabula on a port of its own, with the home folder of the test."""

    def __init__(self, home: Path) -> None:
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: BaseProcess | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        self.process = forked(serve, dict(os.environ), self.home / "server.log", "--server.port", str(self.port))
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=2) as answer:
                    assert answer.status == 200
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                assert time.monotonic() < deadline, self.log()
                assert self.process.is_alive(), self.log()
                time.sleep(0.05)

    def stop(self) -> None:
        """SIGTERM, and wait until all is put away; nothing where it has stopped already."""
        if self.process is not None:
            self.process.terminate()
            self.process.join(20)
            assert not self.process.is_alive(), self.log()

    def kill(self) -> None:
        """SIGKILL: no goodbye, as when the machine goes down."""
        assert self.process is not None
        self.process.kill()
        self.process.join()

    def owner_link(self) -> str:
        return f"{self.address}/enter/{(self.home / 'owner-token').read_text()}"

    def log(self) -> str:
        return (self.home / "server.log").read_text()


@pytest.fixture
def server(home: Path, migrated: Path) -> Iterator[Server]:
    """A served Fabula with an empty database, which is made already unless the test has one."""
    from db.engine import engine

    if "DATABASE_URL" not in os.environ and not (home / "fabula.db").exists():
        shutil.copy(migrated, home / "fabula.db")
    new_server = Server(home)
    new_server.start()
    yield new_server
    new_server.stop()
    engine().dispose()


@contextmanager
def _at(home: Path) -> Iterator[None]:
    """What this process does meanwhile is done in this home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FABULA_HOME", str(home))
        patch.delenv("DATABASE_URL", raising=False)
        yield


@pytest.fixture(scope="session")
def _standing(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Server]:
    """A server for many tests, and beside its database a copy of what that held once it had started.

    It stands to the end of the session, when other modules have a model of the real home folder for all their tests.
    """
    from db.engine import engine

    server = Server(tmp_path_factory.mktemp("standing"))
    with _at(server.home):
        shutil.copy(migrated, server.home / "fabula.db")
        server.start()
        with closing(connect(server.home / "fabula.db")) as now, closing(connect(server.home / "at-start.db")) as copy:
            now.backup(copy)
    yield server
    server.stop()
    with _at(server.home):
        engine().dispose()


@pytest.fixture
def standing(_standing: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A served Fabula with an empty database, for tests of what it stores and sends: the process has served others.

    Tests of the process itself, of its settings and of analyses, which it keeps, take a `server` of their own.
    """
    monkeypatch.setenv("FABULA_HOME", str(_standing.home))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if _standing.process is None or not _standing.process.is_alive():  # the test before has failed with it killed
        _standing.start()
    at_start, live = _standing.home / "at-start.db", _standing.home / "fabula.db"
    with closing(connect(at_start)) as copy, closing(connect(live, timeout=30)) as now:
        copy.backup(now)
    os.truncate(_standing.home / "server.log", 0)
    return _standing


@pytest.fixture
def scored(home: Path, server: Server) -> Server:
    """A server with the demonstration study, number 1, scored by two metrics."""
    from core.people import TERMINAL
    from db.transfer.demonstration import NAME, load_demonstration

    assert load_demonstration(TERMINAL).id == 1
    good("score", "--study", NAME, "--metric", "bleu", "--metric", "words", home=home)
    return server


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


def chromium() -> str | None:
    """Debian's Chromium, best without what draws windows, or None."""
    known = ("chromium-headless-shell", "chromium", "google-chrome")
    return next(filter(None, map(shutil.which, known)), None)


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A real browser."""
    if chromium() is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium-headless-shell)")
    started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
    _listen(started)
    yield started
    started.close()


@pytest.fixture(autouse=True)
def windows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Less motion where much would be painted, and close what the test opened: pages that look for a server that has
    gone keep the machine busy to the very end.

    Nothing that a page wants may have been refused by the server's own Content-Security-Policy.
    """
    browser = request.getfixturevalue("browser") if "browser" in request.fixturenames else None
    if browser is not None:
        _refused.clear()
        # Of those who run studies, whose pages show it most, to spare a tenth of the browser's work.
        _usual["reduced_motion"] = "no-preference" if "annotating" in request.path.parts else "reduce"
    yield
    for context in browser.contexts if browser else []:
        context.close()
    assert not _refused, _refused


_usual: dict[str, Any] = {}
"""Settings of every window that has no others."""
_refused: list[str] = []
"""What browsers said that a Content-Security-Policy forbids."""


def _listen(started: Browser) -> None:
    """Hear what every page of this browser writes to its console."""
    usual = started.new_context

    def new_context(**settings: Any) -> BrowserContext:
        context = usual(**(_usual | settings))
        context.on("console", _heard)
        return context

    started.new_context = new_context  # type: ignore[method-assign, assignment]


def _heard(message: ConsoleMessage) -> None:
    if "Content Security Policy" in message.text:
        _refused.append(message.text)


SETTLED = """() => {
  const { testConnectionState, testScriptState } = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
  return testConnectionState === "CONNECTED" && testScriptState === "notRunning";
}"""


def settle(page: Page) -> None:
    """Wait until the page is connected and its script has run.

    Playwright's own way looks at every frame, for which the browser draws each: a quarter of all its work.
    """
    until(page, SETTLED, seconds=90)


def still(locator: Locator) -> None:
    """Wait until it stands still: tables grow once they are drawn, and push away what is below them."""
    deadline = time.monotonic() + 30
    before = None
    while (box := locator.bounding_box(timeout=30_000)) != before:
        assert time.monotonic() < deadline, f"{locator} moves and moves"
        before = box
        locator.page.wait_for_timeout(300)


def until(page: Page, holds: str, argument: object = None, seconds: float = 30) -> None:
    """Wait until a JavaScript function is true of the page; Playwright's own way needs `eval`, which pages refuse."""
    deadline, pause = time.monotonic() + seconds, 50.0
    while True:
        try:
            if page.evaluate(holds, argument):
                return
        except Error as error:  # the page is just being loaded anew
            if "context was destroyed" not in str(error):
                raise
        assert time.monotonic() < deadline, f"never true: {holds}"
        page.wait_for_timeout(pause)
        pause = min(1.2 * pause, 400)  # twenty looks a second at a page that waits for a job take a tenth of a core


def open_tab(page: Page, name: str) -> None:
    """Press a tab, and again where a run that was on its way has put the old one back, as a person would."""
    tab = page.get_by_role("tab", name=name, exact=True)
    deadline = time.monotonic() + 60
    while True:
        settle(page)
        tab.click()
        page.wait_for_timeout(200)
        settle(page)
        if tab.get_attribute("aria-selected") == "true":
            return
        assert time.monotonic() < deadline, f"the tab {name!r} does not open"


def choose(box: Locator, option: str, *, exact: bool = True) -> None:
    """Choose from the list of a box, which is opened anew where a run, or a page that moved, has closed it."""
    page = box.page
    deadline = time.monotonic() + 60
    while True:
        settle(page)
        still(box)
        box.click()
        try:
            page.get_by_role("option", name=option, exact=exact).click(timeout=5_000)
            settle(page)
            return
        except TooLong:
            if time.monotonic() > deadline:
                raise
            page.keyboard.press("Escape")


def go_on(page: Page, key: str, comes: Locator) -> None:
    """Press a button's key until `comes` is there: a key is lost while Streamlit still puts its button on the page."""
    deadline = time.monotonic() + 60
    while True:
        settle(page)
        page.keyboard.press(key)
        try:
            expect(comes).to_be_visible(timeout=5_000)
            return
        except AssertionError:
            assert time.monotonic() < deadline, f"{key!r} does not lead to {comes}"


def downloaded(button: Locator) -> Download:
    """The file that this button or link gives, pressed again where a run has just replaced it, as a person would."""
    deadline = time.monotonic() + 60
    while True:
        settle(button.page)
        still(button)
        try:
            with button.page.expect_download(timeout=20_000) as download:
                button.click()
            return download.value
        except TooLong:
            if time.monotonic() > deadline:
                raise


WHOLE = """() => {
  const body = document.querySelector("[data-testid=stPopoverBody]"), box = body.getBoundingClientRect();
  return body.scrollHeight <= body.clientHeight && box.top >= 0 && box.bottom <= innerHeight;
}"""
"""Whether all of the popover that is open is in sight."""


def close_popover(page: Page) -> None:
    """Press beside the popover that is open; a key would reach it only while something in it has the focus."""
    page.mouse.click(1, 1)
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    settle(page)


def sign_in(page: Page, server: Server) -> None:
    """Follow the owner's link for its cookie alone: the page that it leads to is not loaded."""
    answer = page.context.request.get(server.owner_link())
    assert answer.ok, answer.status_text


def visit(page: Page, address: str) -> None:
    """Open the address and wait until the page's script has run: it counts as not running before it first does."""
    page.goto(address)
    until(page, "() => document.querySelector('[data-testid=stElementContainer]') !== null", seconds=60)
    settle(page)
