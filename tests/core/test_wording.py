"""Nouns fit their numbers."""

from core.wording import so_many


def test_one_and_many() -> None:
    assert so_many(1, "metric") == "1 metric"
    assert so_many(0, "metric") == "0 metrics"
    assert so_many(1_056, "story", "stories") == "1,056 stories"
