"""When the owner's link is opened in a browser by itself, and that nothing depends on whether it does."""

import asyncio
import socket
import webbrowser
from pathlib import Path

import pytest

from routes.desktop import open_where_asked, wanted
from tests.apart import run_apart

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Linux machine with a screen and a browser, whose user asks for it."""
    monkeypatch.setattr("routes.desktop.sys.platform", "linux")
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("browser"))
    monkeypatch.setenv("FABULA_OPEN", "1")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


def test_a_browser_is_wanted_on_a_desktop_whose_user_asks(desktop: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wanted()
    monkeypatch.delenv("FABULA_OPEN")
    assert not wanted()


def test_linux_has_a_desktop_where_it_has_a_display(desktop: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY")
    assert not wanted()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert wanted()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setattr("routes.desktop.sys.platform", "darwin")  # which always has one
    assert wanted()


def test_without_a_browser_none_is_wanted(desktop: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> webbrowser.BaseBrowser:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    assert not wanted()


@pytest.mark.parametrize("status", [0, 1])
def test_the_link_is_opened_once_the_server_answers_and_a_browser_that_fails_costs_nothing(
    status: int, desktop: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\nexit {status}\n')
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{browser} %s")

    async def run() -> None:
        opening = asyncio.create_task(open_where_asked("http://localhost/enter/it", port))
        await asyncio.sleep(0.3)
        assert not opened.exists()  # nobody answers yet
        async with await asyncio.start_server(lambda _, writer: writer.close(), "localhost", port):
            await asyncio.wait_for(opening, 30)

    run_apart(run())
    assert opened.read_text() == "http://localhost/enter/it\n"
