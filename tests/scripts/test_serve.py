"""The port that a server gets, and what is said where it is another one, or not the only server of its folder."""

import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.home import ROOT
from scripts.serve import free_port, is_free, main


@contextmanager
def taken() -> Iterator[int]:
    """A port that somebody has."""
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        yield other.getsockname()[1]


def test_the_next_free_port_is_found() -> None:
    with taken() as port:
        assert not is_free("localhost", port)
        found = free_port("localhost", port)
        assert found is not None
        assert port < found <= port + 99
        assert is_free("localhost", found)


@pytest.mark.parametrize("port", ["none", "0", "65536", "-1", "8501.5", "²"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([port]) == 2
    assert f"not {port!r}" in capsys.readouterr().err


def test_without_any_free_port_nothing_is_served(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.serve.free_port", lambda address, wanted: None)
    assert main(["9000"]) == 2
    assert "port 9000 and the 100 after it are taken" in capsys.readouterr().err


@contextmanager
def served(port: int) -> Iterator[str]:
    """A server by the script; what it says until its link."""
    process = subprocess.Popen(
        [sys.executable, "scripts/serve.py", str(port)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    timer = threading.Timer(120, process.kill)
    timer.start()
    said = ""
    try:
        assert process.stdout is not None
        while "/enter/" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        yield said
    finally:
        timer.cancel()
        process.terminate()
        process.communicate(timeout=60)


@pytest.mark.slow
def test_two_servers_of_one_folder_have_a_port_and_a_link_each(home: Path) -> None:
    with taken() as near:
        wanted = free_port("localhost", near)
    assert wanted is not None
    with served(wanted) as first, served(wanted) as second:
        assert f"http://localhost:{wanted}/enter/" in first
        assert "Another server" not in first
        port = re.search(rf"Port {wanted} is taken, so Fabula uses (\d+)\.", second)
        assert port is not None, second
        assert f"http://localhost:{port[1]}/enter/" in second
        assert f"Another server, last at http://localhost:{wanted}, works on {home} already." in second
