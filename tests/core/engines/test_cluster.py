"""A Ray cluster: the same results, whichever worker or node dies."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.engines.cluster import RayEngine
from core.engines.here import HereEngine
from core.engines.work import DIED, Died
from core.errors import FabulaError, InputError
from core.home import ROOT
from tests.core.engines.conftest import Scored
from tests.core.engines.folders import parts, scores_of
from tests.core.engines.nodes import Nodes, nodes
from tests.core.engines.works import POISON, Squares

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[Nodes]:
    """A head and two nodes, in a folder whose name leaves room for those of sockets."""
    pytest.importorskip("ray", reason="requirements-ray.txt is not installed")
    here = tempfile.TemporaryDirectory(prefix="nodes-", ignore_cleanup_errors=True)
    with here as folder, nodes(Path(folder) / "r", 2) as made:
        yield made


def of(engine: RayEngine, work: Squares, numbers: range = range(8)) -> list[int]:
    """Squares, in order; no item died."""
    results = list(engine.results(work.work, numbers))
    assert not [result for result in results if isinstance(result, Died)]
    return sorted(result[0] for result in results if not isinstance(result, Died))


def test_scores_are_equal_to_the_last_bit_though_workers_are_killed_and_a_story_that_kills_them_has_none(
    tmp_path: Path, cluster: Nodes, scored: Scored, deadly: str, stories: Path
) -> None:
    """Of metrics without a model, which every worker that comes in place of another would load for seconds; and what
    becomes of stories beside such a one is the same on any engine: see those of processes.
    """
    metrics = ["bleu", "words", deadly]
    poisoned = stories.read_text(encoding="utf-8")
    stories.write_text(poisoned.replace(POISON, "she ran"), encoding="utf-8")
    scored("here", HereEngine(), metrics, rows=13)
    stories.write_text(poisoned, encoding="utf-8")
    (tmp_path / "trap").touch()
    summary = scored("there", RayEngine(cluster.address, 1), metrics, rows=13)
    assert not (tmp_path / "trap").exists()
    here, there = parts(tmp_path / "here"), parts(tmp_path / "there")
    assert len(there) == summary.partitions == 4
    assert [name for name in here if there[name] != here[name]] == [list(here)[3]]
    assert list(summary.undefined.values()) == [{DIED: 1}] * len(metrics)
    rows = scores_of(tmp_path / "there")
    assert [row["id"] for row in rows if any(row[name] is None for name in summary.undefined)] == ["s39"]
    assert len(rows) == 40


def test_a_models_scores_are_equal_to_the_last_bit(
    tmp_path: Path, cluster: Nodes, scored: Scored, without_poison: None
) -> None:
    scored("here", HereEngine(), ["bertscore-f1"], rows=20)
    scored("there", RayEngine(cluster.address, 1), ["bertscore-f1"], rows=20)
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert len(parts(tmp_path / "there")) == 2


def test_an_error_of_the_work_is_raised_here(cluster: Nodes) -> None:
    with pytest.raises(InputError, match=r"^Nobody wants this number\.$"):
        of(RayEngine(cluster.address, 1), Squares(1, "input error"), range(3))


def test_a_worker_that_wants_more_than_any_node_has(cluster: Nodes) -> None:
    with pytest.raises(InputError, match=r"to have 0\.5 GPUs, and no node of the Ray cluster has more than 0"):
        of(RayEngine(cluster.address, 1, 0.5), Squares())


class Stop(BaseException):
    """Somebody wants an end."""


def test_two_work_at_once_until_somebody_says_so_meanwhile(cluster: Nodes, tmp_path: Path) -> None:
    def stop() -> None:
        if len(list(tmp_path.iterdir())) == 2:
            raise Stop

    begun = time.monotonic()
    with pytest.raises(Stop):
        list(RayEngine(cluster.address, 2).results(Squares(0, "sleep", str(tmp_path)).work, [0, 0], stop))
    assert time.monotonic() - begun < 120


def test_without_its_token_a_cluster_says_so(cluster: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_NUM_REDIS_GET_RETRIES", "1")
    with pytest.raises(InputError, match=r"it wants its token: set RAY_AUTH_MODE=token\. See docs/ray\.md\.$"):
        of(RayEngine(cluster.address), Squares())


def test_a_node_that_is_killed_midway_loses_nothing(cluster: Nodes, tmp_path: Path) -> None:
    """The last test here: one node is left."""
    done = of(RayEngine(cluster.address, 2), Squares(3, "node killed once", str(tmp_path)))
    assert (tmp_path / "killed").exists()
    assert done == [number**2 for number in range(8)]


RUN = """
from core.engines.cluster import RayEngine
from tests.core.engines.works import Squares

if __name__ == "__main__":
    list(RayEngine(None, 1).results(Squares(0, "sleep", {folder!r}).work, [0]))
"""


def test_a_cluster_of_our_own_ends_with_whoever_made_it(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="requirements-ray.txt is not installed")
    script = tmp_path / "run.py"
    script.write_text(RUN.format(folder=str(tmp_path)), encoding="utf-8")
    mine = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": "/tmp"}
    process = subprocess.Popen([sys.executable, str(script)], env=mine)
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob("asleep-*")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.2)
    made = psutil.Process(process.pid).children(recursive=True)
    assert len(made) > 3
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(made, timeout=180)  # Ray's workers look for their node now and then
    assert left == []


def test_a_cluster_that_does_not_answer_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        begun = time.monotonic()
        with pytest.raises(InputError, match=rf"^No Ray cluster answers at {address}: start it with ray start --head"):
            of(RayEngine(address), Squares())
        assert time.monotonic() - begun < 20
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(InputError, match=address):
            of(RayEngine(None), Squares())


@pytest.mark.parametrize("address", ["nowhere", "ray://host:10001", "host:port", ":6379"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="is no address of a Ray cluster: give its head's, such as"):
        of(RayEngine(address), Squares())


def test_without_ray_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(FabulaError, match=r"^Ray is not installed here: pip install -r requirements-ray\.txt\.$"):
        of(RayEngine(None), Squares())


def test_nothing_to_do_needs_no_cluster() -> None:
    assert of(RayEngine("127.0.0.1:1"), Squares(), range(0)) == []
