"""Every importer takes forty damaged files, or refuses each in a sentence: no traceback, no hang.

`FABULA_FUZZ=10000` gives each as many, for a night.
"""

import json
import os
import subprocess
import sys

import pytest

from core.home import ROOT
from tests.fuzz.importers import IMPORTERS

NUMBER = int(os.environ.get("FABULA_FUZZ", "40"))


@pytest.fixture(scope="module")
def failures() -> dict[str, list[dict[str, object]]]:
    """Of every importer, by its name: all begin in one process, as most of their time would go by with imports."""
    command = [sys.executable, "-m", "tests.fuzz.run", str(NUMBER), "0"]
    seconds = len(IMPORTERS) * (60 + NUMBER)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    result: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("name", IMPORTERS)
def test_damaged_files(failures: dict[str, list[dict[str, object]]], name: str) -> None:
    found = failures[name]
    assert not found, "\n".join(f"{failure['input']}: {failure['problem']}" for failure in found[:3])
