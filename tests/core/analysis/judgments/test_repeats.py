"""A rater's ratings of one story as one, against the plainest way to do it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.judgments import summarise
from core.analysis.judgments.rating_table import merged, table_of
from core.analysis.judgments.repeats import mean_per_rater
from core.annotation.builtin import MANS


def merged_story(ratings: Sequence[Rating]) -> tuple[Rating, ...]:
    """What a story's ratings come to."""
    table = table_of([JudgedStory("p", "s", tuple(ratings))])
    (story,) = replace(table, counted=merged(table.counted)).stories()
    return story.ratings


TRIPLES = st.lists(st.tuples(st.integers(-1, 4), st.integers(-3, 3), st.integers(1, 5)), max_size=30)


@given(TRIPLES)
def test_as_with_a_dictionary(rows: list[tuple[int, int, int]]) -> None:
    slow: dict[tuple[int, int], list[int]] = {}
    for unit, rater, value in rows:
        slow.setdefault((unit, rater), []).append(value)
    columns = np.array(rows, dtype=np.intp).reshape(-1, 3).T
    units, raters, values = mean_per_rater(columns[0], columns[1], columns[2].astype(np.float64))
    assert list(zip(units.tolist(), raters.tolist(), strict=True)) == list(slow)
    np.testing.assert_allclose(values, [np.mean(mine) for mine in slow.values()])


def test_what_is_not_repeated_stays_as_it_is() -> None:
    ratings = (Rating(3.0, annotator=1), Rating(4.0, annotator=2), Rating(4.0), Rating(4.0))
    assert merged_story(ratings) == ratings


def test_types_and_points_of_a_rater_are_put_together() -> None:
    twice = (
        Rating(2.0, frozenset({"a"}), 1, 10, None, (("a", 1),)),
        Rating(5.0, frozenset(), 2, 11),
        Rating(3.0, frozenset({"a", "b"}), 1, 12, None, (("a", 2), ("b", 1))),
    )
    assert merged_story(twice) == (
        Rating(2.5, frozenset({"a", "b"}), 1, 10, None, (("a", 2), ("b", 1)), times=2),
        twice[1],
    )


def test_nobody_agrees_with_themselves() -> None:
    given = [(Rating(v, annotator=1), Rating(v, annotator=1), Rating(6 - v, annotator=2)) for v in (1.0, 2.0, 5.0)]

    def of(ratings: list[tuple[Rating, ...]]) -> tuple[float | None, float | None, int]:
        stories = [JudgedStory(f"p{n}", "s", rating) for n, rating in enumerate(ratings)]
        judgments = summarise(stories, MANS, annotators=2, raters_identified=True)
        return judgments.alpha.interval, judgments.mean, judgments.repeated

    once = of([ratings[1:] for ratings in given])
    assert of([merged_story(ratings) for ratings in given]) == (*once[:2], 3)
    alpha = of(given)[0]
    assert alpha is not None
    assert once[0] is not None
    assert alpha > once[0]
