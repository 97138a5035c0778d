"""Several processes of this machine: the same results, whoever dies."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.here import HereEngine
from core.engines.processes import Place, ProcessEngine, places, visible_gpu
from core.engines.work import DIED, Died
from core.errors import DeviceLostError, FabulaError, InputError
from core.notices import collecting
from tests.core.engines.conftest import Scored
from tests.core.engines.folders import parts, scores_of
from tests.core.engines.works import Squares

TWO = [Place(), Place()]


def of(engine: ProcessEngine | HereEngine, work: Squares, numbers: range = range(8)) -> tuple[list[Any], set[int]]:
    """Squares and items that died, in order, and the processes that made them."""
    results = list(engine.results(work.work, numbers))
    died = [result.item for result in results if isinstance(result, Died)]
    done = [result for result in results if not isinstance(result, Died)]
    return sorted(number for number, _ in done) + died, {process for _, process in done}


@given(st.integers(0, 9), st.none() | st.integers(1, 9), st.integers(1, 64))
def test_one_process_a_gpu_or_as_many_as_are_asked_for(gpus: int, workers: int | None, cores: int) -> None:
    made = places(gpus, workers, cores)
    assert len(made) == (min(gpus, workers or gpus) if gpus else workers or 1)
    assert [place.gpu for place in made] == (list(range(len(made))) if gpus else [None] * len(made))
    assert all(place.threads == max(1, cores // len(made)) for place in made)


@pytest.mark.parametrize(
    ("visible", "number", "there"), [(None, 2, "2"), (" ", 1, "1"), ("3, 5", 1, "5"), ("GPU-a,GPU-b", 0, "GPU-a")]
)
def test_a_process_sees_its_gpu_alone(visible: str | None, number: int, there: str) -> None:
    assert visible_gpu(visible, number) == there


def test_results_are_those_of_one_process() -> None:
    here, mine = of(HereEngine(), Squares())
    assert here == [number**2 for number in range(8)]
    assert mine == {os.getpid()}
    there, processes = of(ProcessEngine(TWO), Squares())
    assert there == here
    assert len(processes) == 2
    assert os.getpid() not in processes


@pytest.mark.parametrize("engine", [HereEngine(), ProcessEngine(TWO)])
def test_nothing_to_do(engine: HereEngine | ProcessEngine) -> None:
    assert list(engine.results(Squares().work, [])) == []


def test_a_process_that_is_killed_is_begun_anew(tmp_path: Path) -> None:
    done, _ = of(ProcessEngine(TWO), Squares(3, "killed once", str(tmp_path)))
    assert done == [number**2 for number in range(8)]


def test_an_item_that_no_process_outlives_is_named() -> None:
    done, _ = of(ProcessEngine(TWO), Squares(3, "killed"))
    assert done == [number**2 for number in range(8) if number != 3] + [3]


@pytest.mark.parametrize(
    ("what", "kind", "said"),
    [
        ("input error", InputError, "Nobody wants this number."),
        ("strange", RuntimeError, "StrangeError: 1"),
        ("os error", PermissionError, "of the work"),
    ],
)
def test_an_error_of_the_work_is_raised_here(what: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        of(ProcessEngine([Place()]), Squares(1, what), range(3))


@pytest.mark.slow
def test_the_others_do_the_work_of_a_gpu_that_goes() -> None:
    """Where there is no GPU, a process that was given one finds that it does not answer."""
    with collecting() as notices:
        done, processes = of(ProcessEngine([Place(0), Place()]), Squares())
    assert done == [number**2 for number in range(8)]
    assert len(processes) == 1
    (said,) = notices
    assert "does not answer" in said
    assert said.endswith("The others do its work.")


@pytest.mark.slow
def test_without_any_gpu_left_the_run_stops() -> None:
    with pytest.raises(DeviceLostError, match=r"GPU 0 of .* does not answer: see nvidia-smi\.$"):
        of(ProcessEngine([Place(0)]), Squares())


class Stop(BaseException):
    """Somebody wants an end."""


def test_it_ends_when_somebody_says_so_meanwhile() -> None:
    begun = time.monotonic()

    def stop() -> None:
        if time.monotonic() - begun > 1:
            raise Stop

    with pytest.raises(Stop):
        list(ProcessEngine(TWO).results(Squares(0, "sleep").work, [0, 0, 0], stop))
    assert time.monotonic() - begun < 60


@pytest.mark.slow
def test_scores_are_equal_to_the_last_bit_though_a_process_is_killed(
    tmp_path: Path, scored: Scored, deadly: str, without_poison: None
) -> None:
    metrics = ["bleu", "words", "bertscore-f1", deadly]
    scored("here", HereEngine(), metrics)
    (tmp_path / "trap").touch()
    summary = scored("there", ProcessEngine(TWO), metrics)
    assert not (tmp_path / "trap").exists()
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert len(parts(tmp_path / "there")) == summary.partitions == 4


@pytest.mark.slow
def test_a_story_that_ends_its_process_alone_has_no_score(tmp_path: Path, scored: Scored, deadly: str) -> None:
    summary = scored("there", ProcessEngine(TWO), [deadly, "words"], rows=5)
    assert summary.undefined == {"my-deadly": {DIED: 1}, "words": {DIED: 1}}
    rows = scores_of(tmp_path / "there")
    assert [row["id"] for row in rows if row["my-deadly"] is None] == ["s39"]
    assert len(rows) == 40
    assert all(row["my-deadly"] > 0 and row["words"] > 0 for row in rows if row["id"] != "s39")


def test_processes_that_die_while_they_load_are_no_items_fault() -> None:
    with pytest.raises(FabulaError, match=r"crashed while they loaded .* use fewer"):
        list(ProcessEngine(TWO).results(Squares(what="no memory").work, range(8)))
