"""The command line as a user runs it: its output, its errors."""

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import cli

ROOT = Path(__file__).resolve().parents[1]


def fabula(*words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command in its own process."""
    environment = {**os.environ, "FABULA_HOME": str(home), "COLUMNS": "160"}
    return subprocess.run(
        [sys.executable, "cli.py", *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
    )


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
