"""Ctrl-C ends a command with one sentence, whatever it is doing, and leaves nothing half stored."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands.interrupt import INTERRUPTED, STOPPED
from tests.terminal import ROOT, good

MIGRATED = 2_000_000
"""Bytes of a database without a story, at most."""


def begun(*words: str, home: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "FABULA_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # as the terminal does, the signal goes to all of its processes
        preexec_fn=_heed,
    )


def _heed() -> None:
    """Whatever began these tests, in the background perhaps, may have had Ctrl-C ignored, which goes on to children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_while_its_modules_load(home: Path) -> None:
    with begun("-X", "importtime", "cli.py", "studies", home=home) as process:
        assert process.stderr is not None
        assert any(line.split()[-1] == "typer" for line in process.stderr), "typer is never loaded"
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == INTERRUPTED
    assert [line for line in rest.splitlines() if not line.startswith("import time:")] == [STOPPED]


def written(home: Path) -> int:
    """Bytes in the database's files. Not its rows: who reads while it is being made keeps it busy."""
    return sum(path.stat().st_size for path in home.glob("fabula.db*"))


@pytest.mark.slow
def test_while_stories_come_in(home: Path, tmp_path: Path) -> None:
    table = tmp_path / "stories.csv"
    rows = (f"k{number},P{number % 50},s,It rained on day {number}.\n" for number in range(100_000))
    table.write_text("id,prompt,system,text\n" + "".join(rows))
    with begun("cli.py", "import", "stories", str(table), "--study", "mine", home=home) as process:
        while written(home) < MIGRATED + 5_000_000:
            assert process.poll() is None, "the import has ended before it is stopped"
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read().splitlines() == [STOPPED]
    assert process.returncode == INTERRUPTED
    assert good("studies", home=home).startswith("There are no studies yet")
