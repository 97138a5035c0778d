"""Ratings as columns say what the same ratings say one by one."""

from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.judgments import summarise
from core.analysis.judgments.rating_table import merged, shares_won, table_of, together
from core.annotation.builtin import MANS
from tests.core.analysis.judgments.merging import slowly_merged

TYPES = ("chaotic scenes", "conflicting logic", "gone")


@st.composite
def ratings(draw: st.DrawFn) -> Rating:
    """One of somebody known or not, with error types, some of which take points off."""
    types = draw(st.frozensets(st.sampled_from(TYPES)))
    points = tuple((name, draw(st.integers(1, 2))) for name in sorted(types) if draw(st.booleans()))
    return Rating(
        draw(st.sampled_from([1.0, 2.0, 3.5, 5.0])),
        types,
        draw(st.none() | st.integers(1, 3)),
        draw(st.none() | st.integers(1, 4)),
        draw(st.none() | st.integers(1, 3)),
        points,
        raters=draw(st.sampled_from([1, 1, 1, 4])),
    )


@st.composite
def stories(draw: st.DrawFn) -> list[JudgedStory]:
    """Rated stories, in no order."""
    several = st.lists(ratings(), max_size=4).map(tuple)
    return [
        JudgedStory(
            draw(st.sampled_from("pqr")),
            draw(st.sampled_from(["s", "t"])),
            draw(several),
            draw(st.booleans()),
            draw(several),
        )
        for _ in range(draw(st.integers(0, 6)))
    ]


@given(stories())
def test_there_and_back(judged: list[JudgedStory]) -> None:
    table = table_of(judged)
    assert table.stories() == judged
    assert table_of(table) is table
    for story, behind, mean in zip(judged, table.behind.tolist(), table.means.tolist(), strict=True):
        assert behind == story.behind
        assert np.isnan(mean) if not behind else mean == story.mean


@given(stories())
def test_one_annotators_ratings_are_one(judged: list[JudgedStory]) -> None:
    table = table_of(judged)
    result = replace(table, counted=merged(table.counted), rejected=merged(table.rejected)).stories()
    assert result == [
        replace(story, ratings=slowly_merged(story.ratings), rejected=slowly_merged(story.rejected)) for story in judged
    ]


@given(stories())
def test_comparisons_are_a_share(judged: list[JudgedStory]) -> None:
    table = table_of(judged)
    result = replace(table, counted=shares_won(table.counted)).stories()
    for story, won in zip(judged, result, strict=True):
        if not story.ratings:
            assert won.ratings == ()
            continue
        share = sum(rating.overall for rating in story.ratings) / len(story.ratings)
        assert won.ratings == (Rating(share, raters=len(story.ratings), compared=True),)
        assert won.single == ()


@given(stories(), st.data())
def test_some_of_the_stories(judged: list[JudgedStory], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(judged), max_size=len(judged)))
    table = table_of(judged)
    part = table.of(np.array(kept, dtype=bool))
    assert part.stories() == [story for story, wanted in zip(judged, kept, strict=True) if wanted]
    assert table.of(np.ones(len(judged), dtype=bool)) is table
    single = replace(table, counted=table.counted.single).stories()
    assert [story.ratings for story in single] == [story.single for story in judged]
    both = replace(table, counted=together(table.counted, table.rejected)).stories()
    assert [story.ratings for story in both] == [story.ratings + story.rejected for story in judged]


@given(stories())
def test_summaries_do_not_depend_on_the_way(judged: list[JudgedStory]) -> None:
    named = {"annotators": 3, "raters_identified": True, "resamples": 20}
    assert repr(summarise(judged, MANS, **named)) == repr(summarise(table_of(judged), MANS, **named))  # type: ignore[arg-type]
    counted = [story for story in judged if story.ratings]
    result = summarise(judged, MANS, **named)  # type: ignore[arg-type]
    given = [rating for story in judged if not story.control for rating in story.ratings]
    assert result.ratings == sum(rating.raters for rating in given)
    shown = {rating.panel for story in counted for rating in story.ratings if rating.position}
    assert result.panels_valid == len(shown)
    assert result.panels_rejected == len({rating.panel for story in judged for rating in story.rejected})
    for group, row in result.distribution.counts.items():
        single = [rating for story in counted if story.group == group for rating in story.single]
        expected = Counter(rating.overall for rating in single)
        steps = [step.low for step in result.distribution.steps]
        assert dict(zip(steps, row, strict=True)) == {step: expected[step] for step in steps}
