"""A server keeps to one core where it is told to, its worker does not; its linear algebra keeps to its thread."""

import os
import subprocess
import sys

import pytest

from core.errors import InputError
from core.home import ROOT
from core.serving.cores import keep_to_one, use_all

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux binds threads to cores")
SHOWN = (
    "import os, threading; from core.serving.cores import keep_to_one, use_all; keep_to_one(); seen = [];"
    "t = threading.Thread(target=lambda: seen.append(sorted(os.sched_getaffinity(0)))); t.start(); t.join();"
    "use_all(); print(seen[0], sorted(os.sched_getaffinity(0)))"
)


@pytest.mark.parametrize("given", ["0", "1", "8501", ""])
def test_threads_keep_to_the_core_and_the_worker_to_none(given: str) -> None:
    mine = sorted(os.sched_getaffinity(0))
    done = subprocess.run(
        [sys.executable, "-c", SHOWN], cwd=ROOT, env={**os.environ, "FABULA_CORE": given},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    kept = [mine[int(given) % len(mine)]] if given else mine
    assert done.stdout.strip() == f"{kept} {mine}"


@pytest.mark.parametrize("given", ["first", "-1", "0.5"])
def test_what_is_no_core_is_a_sentence(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_CORE", given)
    with pytest.raises(InputError, match="FABULA_CORE"):
        keep_to_one()


def test_without_the_setting_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABULA_CORE", raising=False)
    before = os.sched_getaffinity(0)
    keep_to_one()
    use_all()
    assert os.sched_getaffinity(0) == before


ALGEBRA = (
    "import resource, time, numpy as np; from core.serving.cores import algebra_in_one_thread; algebra_in_one_thread();"
    "a = np.ones((1500, 1500)); a @ a; wall = time.perf_counter(); used = time.process_time();"
    "[a @ a for _ in range(5)]; print((time.process_time() - used) / (time.perf_counter() - wall))"
)


def test_products_stay_in_their_thread() -> None:
    done = subprocess.run([sys.executable, "-c", ALGEBRA], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.2, "several threads were at work"
