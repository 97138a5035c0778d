"""The cache of arrays: what was kept comes back, and what is damaged, old or too much does not."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.home import ROOT
from db import array_files

ARRAYS = {"values": np.array([1.5, np.nan, -np.inf]), "at": np.arange(4), "none": np.zeros(0)}
KEY = ("metric", ("2026-01-01",), 3)


def files(home: Path) -> list[Path]:
    """What there is."""
    return sorted((home / array_files.FOLDER).iterdir())


def test_what_was_kept_comes_back_under_its_key_alone(home: Path) -> None:
    assert array_files.load(1, "scores", KEY) is None
    array_files.keep(1, "scores", KEY, ARRAYS)
    found = array_files.load(1, "scores", KEY)
    assert found is not None
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
    for other in ((1, "scores", (*KEY, 4)), (2, "scores", KEY), (1, "words", KEY)):
        assert array_files.load(*other) is None


def test_a_newer_one_takes_the_place_of_the_older(home: Path) -> None:
    array_files.keep(1, "scores-1", KEY, ARRAYS)
    array_files.keep(1, "scores-11", KEY, ARRAYS)
    array_files.keep(1, "scores-1", (*KEY, "newer"), {"values": np.ones(2)})
    assert len(files(home)) == 2
    assert array_files.load(1, "scores-1", KEY) is None
    assert array_files.load(1, "scores-11", KEY) is not None


def test_a_damaged_file_is_as_if_it_were_not_there(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    array_files.keep(1, "scores", KEY, ARRAYS)
    (path,) = files(home)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    damaged = [whole[:number] for number in (0, 3, 4, len(whole) // 2, len(whole) - 1)]
    for place in (0, 4, *rng.integers(0, len(whole), 40).tolist()):
        changed = bytearray(whole)
        changed[place] ^= 1 << int(rng.integers(0, 8))
        damaged.append(bytes(changed))
    for content in damaged:
        path.write_bytes(content)
        caplog.clear()
        assert array_files.load(1, "scores", KEY) is None
        assert "is damaged" in caplog.text
    array_files.keep(1, "scores", KEY, ARRAYS)
    assert path.read_bytes() == whole
    assert array_files.load(1, "scores", KEY) is not None


def test_what_was_not_read_for_longest_goes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        array_files.keep(number, "scores", KEY, {"values": np.zeros(1000)})
    paths = {int(path.name.split("-")[0]): path for path in files(home)}
    for number, path in paths.items():
        os.utime(path, (number, number))
    assert array_files.load(0, "scores", KEY) is not None  # is the newest from now on
    monkeypatch.setattr(array_files, "MOST_BYTES", 4 * paths[0].stat().st_size)
    array_files.keep(4, "scores", KEY, {"values": np.zeros(1000)})
    assert {int(path.name.split("-")[0]) for path in files(home)} == {0, 2, 3, 4}


def test_a_study_is_forgotten_alone(home: Path) -> None:
    array_files.forget([1])  # there is no folder yet
    array_files.forget_all()
    for number in (1, 11, 2):
        array_files.keep(number, "scores", KEY, ARRAYS)
    array_files.forget([1])
    assert [array_files.load(number, "scores", KEY) is None for number in (1, 11, 2)] == [True, False, False]
    array_files.forget_all()
    assert not (home / array_files.FOLDER).exists()


def test_nobody_else_may_look(home: Path) -> None:
    array_files.keep(1, "scores", KEY, ARRAYS)
    assert [path.stat().st_mode & 0o077 for path in (home / array_files.FOLDER, *files(home))] == [0, 0]


def test_a_disk_that_takes_nothing_is_said_in_the_log(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    (home / array_files.FOLDER).write_text("no folder")
    with caplog.at_level(logging.WARNING):
        array_files.keep(1, "scores", KEY, ARRAYS)
    assert "could not be kept" in caplog.text
    assert array_files.load(1, "scores", KEY) is None


WORK = """
import sys
import numpy as np
from db import array_files
mine, rounds = int(sys.argv[1]), int(sys.argv[2])
for number in range(rounds):
    array_files.keep(1, "scores", ("same",), {"values": np.full(5000, mine)})
    found = array_files.load(1, "scores", ("same",))
    if found is not None:
        assert len(found["values"]) == 5000 and len(set(found["values"].tolist())) == 1
    array_files.keep(1, f"own-{mine}", (number,), {"values": np.arange(number)})
    own = array_files.load(1, f"own-{mine}", (number,))
    assert own is not None and len(own["values"]) == number
"""


@pytest.mark.slow
def test_processes_read_and_write_at_once(home: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", WORK]
    running = [
        subprocess.Popen([*command, str(mine), "60"], cwd=ROOT, stderr=subprocess.PIPE, text=True) for mine in range(3)
    ]
    for process in running:
        assert process.communicate(timeout=120) == (None, "")
        assert process.returncode == 0
    assert len(files(home)) == 4
    assert not [path for path in files(home) if path.suffix == array_files.PARTIAL]
