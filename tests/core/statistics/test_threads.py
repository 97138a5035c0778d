"""Work on columns by several threads gives what one thread gives."""

import threading

import numpy as np
import pytest

from core.analysis.correlation.partial import partials
from core.analysis.correlation.subsets import correlate_within
from core.statistics import threads
from core.statistics.correlation import correlate_columns, correlate_groups


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


def test_two_analyses_of_many_stories_are_made_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)
    with threads.side_by_side(threads.SEVERAL) as run:
        waits = [run.submit(both.wait), run.submit(both.wait)]  # each until the other is at work too
    assert sorted(wait.result() for wait in waits) == [0, 1]
    with threads.side_by_side(threads.SEVERAL - 1) as run:
        here = run.submit(threading.get_ident)
    assert here.result() == threading.get_ident()
    for stories in (1, threads.SEVERAL):
        with pytest.raises(ValueError, match="two"), threads.side_by_side(stories) as run:
            run.submit(int, "two").result()


def test_correlations_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, 300).astype(float)
    columns = [np.round(y + rng.normal(size=300), digits) for digits in (0, 1, 5)]
    columns[1][:40] = np.nan
    prompts = np.arange(300) // 5
    systems, words = [str(number % 5) for number in range(300)], rng.integers(9, 30, 300)
    names = [str(prompt) for prompt in prompts]
    alone = correlate_columns(columns, y, prompts, resamples=50), correlate_within(columns, y, prompts, resamples=50)
    held = partials(columns, y, systems, words, names, resamples=50)
    parts = [np.arange(300)[np.arange(300) % 5 == system] for system in range(5)]
    by_part = correlate_groups(columns, y, parts, prompts, resamples=50, of=3_000)  # their ranks are linearised
    assert by_part[0][0].linearised
    monkeypatch.setattr(threads, "LARGE", 1)
    assert partials(columns, y, systems, words, names, resamples=50) == held
    assert correlate_groups(columns, y, parts, prompts, resamples=50, of=3_000) == by_part
    assert (
        correlate_columns(columns, y, prompts, resamples=50),
        correlate_within(columns, y, prompts, resamples=50),
    ) == alone
