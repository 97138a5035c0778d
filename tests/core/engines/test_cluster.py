"""A Ray cluster: the same results, whichever worker or node dies."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
from tests.core.engines.works import Squares

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[Nodes]:
    """A head and two nodes, in a folder whose name leaves room for those of sockets."""
    pytest.importorskip("ray", reason="requirements-ray.txt is not installed")
    here = tempfile.TemporaryDirectory(prefix="nodes-", ignore_cleanup_errors=True)
    with here as folder, nodes(Path(folder) / "r", 2) as made:
        yield made


def of(engine: RayEngine, work: Squares, numbers: range = range(8)) -> tuple[list[Any], set[int]]:
    """Squares and items that died, in order, and the processes that made them."""
    results = list(engine.results(work.work, numbers))
    died = [result.item for result in results if isinstance(result, Died)]
    done = [result for result in results if not isinstance(result, Died)]
    return sorted(number for number, _ in done) + died, {process for _, process in done}


def test_results_are_those_of_one_process_and_items_that_no_worker_outlives_are_named(cluster: Nodes) -> None:
    done, processes = of(RayEngine(cluster.address, 2), Squares(3, "killed"), range(12))
    assert done == [number**2 for number in range(12) if number != 3] + [3]
    assert len(processes) >= 2


def test_scores_are_equal_to_the_last_bit_though_a_worker_is_killed(
    tmp_path: Path, cluster: Nodes, scored: Scored, deadly: str, without_poison: None
) -> None:
    metrics = ["bleu", "words", "bertscore-f1", deadly]
    scored("here", HereEngine(), metrics)
    (tmp_path / "trap").touch()
    summary = scored("there", RayEngine(cluster.address, 2), metrics)
    assert not (tmp_path / "trap").exists()
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert len(parts(tmp_path / "there")) == summary.partitions == 4


def test_a_story_that_ends_its_worker_alone_has_no_score(
    tmp_path: Path, cluster: Nodes, scored: Scored, deadly: str
) -> None:
    summary = scored("there", RayEngine(cluster.address, 1), [deadly, "words"], rows=2)
    assert summary.undefined == {"my-deadly": {DIED: 1}, "words": {DIED: 1}}
    rows = scores_of(tmp_path / "there")
    assert [row["id"] for row in rows if row["my-deadly"] is None] == ["s29"]
    assert len(rows) == 40


def test_an_error_of_the_work_is_raised_here(cluster: Nodes) -> None:
    with pytest.raises(InputError, match=r"^Nobody wants this number\.$"):
        of(RayEngine(cluster.address, 1), Squares(1, "input error"), range(3))


def test_a_worker_that_wants_more_than_any_node_has(cluster: Nodes) -> None:
    with pytest.raises(InputError, match=r"to have 0\.5 GPUs, and no node of the Ray cluster has more than 0"):
        of(RayEngine(cluster.address, 1, 0.5), Squares())


class Stop(BaseException):
    """Somebody wants an end."""


def test_it_ends_when_somebody_says_so_meanwhile(cluster: Nodes, tmp_path: Path) -> None:
    mark = tmp_path / "asleep"

    def stop() -> None:
        if mark.exists():
            raise Stop

    begun = time.monotonic()
    with pytest.raises(Stop):
        list(RayEngine(cluster.address, 1).results(Squares(0, "sleep", str(mark)).work, [0, 0], stop))
    assert time.monotonic() - begun < 120


def test_without_its_token_a_cluster_says_so(cluster: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_NUM_REDIS_GET_RETRIES", "1")
    with pytest.raises(InputError, match=r"it wants its token: set RAY_AUTH_MODE=token\. See docs/ray\.md\.$"):
        of(RayEngine(cluster.address), Squares())


def test_a_node_that_is_killed_midway_loses_nothing(cluster: Nodes, tmp_path: Path) -> None:
    """The last test here: one node is left."""
    done, _ = of(RayEngine(cluster.address, 2), Squares(3, "node killed once", str(tmp_path)), range(12))
    assert (tmp_path / "killed").exists()
    assert done == [number**2 for number in range(12)]


RUN = """
from core.engines.cluster import RayEngine
from tests.core.engines.works import Squares

if __name__ == "__main__":
    list(RayEngine(None, 1).results(Squares(0, "sleep", {mark!r}).work, [0]))
"""


def test_a_cluster_of_our_own_ends_with_whoever_made_it(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="requirements-ray.txt is not installed")
    script, mark = tmp_path / "run.py", tmp_path / "asleep"
    script.write_text(RUN.format(mark=str(mark)), encoding="utf-8")
    mine = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": "/tmp"}
    process = subprocess.Popen([sys.executable, str(script)], env=mine)
    deadline = time.monotonic() + 120
    while not mark.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.2)
    made = psutil.Process(process.pid).children(recursive=True)
    assert len(made) > 3
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(made, timeout=60)
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
    assert of(RayEngine("127.0.0.1:1"), Squares(), range(0)) == ([], set())
