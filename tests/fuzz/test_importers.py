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


@pytest.mark.slow
@pytest.mark.parametrize("name", IMPORTERS)
def test_damaged_files(name: str) -> None:
    command = [sys.executable, "-m", "tests.fuzz.run", name, str(NUMBER)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120 + NUMBER, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    failures = json.loads(done.stdout)
    assert not failures, "\n".join(f"{failure['input']}: {failure['problem']}" for failure in failures[:3])
