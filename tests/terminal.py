"""The command line as a user runs it: its output, its errors."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import cli
from tests.processes.forks import forked

ROOT = Path(__file__).resolve().parents[1]


def run(words: tuple[str, ...], environment: dict[str, str], out: Path, err: Path) -> None:
    """`python cli.py …` in a process that has the imports behind it."""
    for path, descriptor in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["cli.py", *words]
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115
    try:
        cli.main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def fabula(*words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command in its own process, forked from one that has imported it: most would do little but import."""
    environment = {**os.environ, "FABULA_HOME": str(home), "COLUMNS": "160"}
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        process = forked(run, words, environment, out, err)
        process.join(600)
        assert process.exitcode is not None, f"{words} does not end"
        return subprocess.CompletedProcess(words, process.exitcode, out.read_text(), err.read_text())


def good(*words: str, home: Path) -> str:
    done = fabula(*words, home=home)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_json(*words: str, home: Path) -> Any:
    return json.loads(good(*words, "--json", "-", home=home))


def bad(*words: str, home: Path) -> str:
    """A refusal is exit status 2 and one line on stderr. In this process: there are many, and all begin alike."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, {"FABULA_HOME": str(home)}),
        mock.patch.object(sys, "argv", ["cli.py", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    return refusal(int(str(ended.value.code)), out.getvalue(), err.getvalue())


def refusal(code: int, out: str, err: str) -> str:
    """The one line that a refusal says."""
    assert code == 2, out + err
    lines = err.strip().splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("fabula: ")
    return lines[0]
