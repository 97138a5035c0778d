"""Work on columns by several threads gives what one thread gives."""

import threading

import numpy as np
import pytest

from core.analysis.correlation.subsets import correlate_within
from core.statistics import threads
from core.statistics.correlation import correlate_columns


def test_many_stories_are_worked_on_at_the_same_time_and_stay_in_order() -> None:
    both = threading.Barrier(2, timeout=30)

    def work(item: int) -> int:
        both.wait()  # passes only where another thread is at work too
        return item * item

    assert threads.each(work, [1, 2], threads.LARGE) == [1, 4]
    assert threads.each(lambda item: item + 1, [1, 2, 3], threads.LARGE - 1) == [2, 3, 4]


def test_an_error_of_one_is_an_error_of_all() -> None:
    def work(item: int) -> int:
        if item == 2:
            raise ValueError("two")
        return item

    with pytest.raises(ValueError, match="two"):
        threads.each(work, [1, 2, 3], threads.LARGE)


def test_correlations_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, 300).astype(float)
    columns = [np.round(y + rng.normal(size=300), digits) for digits in (0, 1, 5)]
    columns[1][:40] = np.nan
    prompts = np.arange(300) // 5
    alone = correlate_columns(columns, y, prompts, resamples=50), correlate_within(columns, y, prompts, resamples=50)
    monkeypatch.setattr(threads, "LARGE", 1)
    assert (
        correlate_columns(columns, y, prompts, resamples=50),
        correlate_within(columns, y, prompts, resamples=50),
    ) == alone
