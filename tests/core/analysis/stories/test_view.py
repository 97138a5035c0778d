"""What counts of a story's ratings, and what they mark."""

from core.analysis.judgments.evidence import EvidenceMark
from core.analysis.stories.view import GivenDeduction, StoryRating, StoryView
from core.stories import Source


def test_only_ratings_that_count_mark_passages() -> None:
    marks = (GivenDeduction("logic", 1, ((0, 3), (4, 7))), GivenDeduction("chaos", 2))
    ratings = (
        StoryRating("Ada", counts=True, values={"overall": 4.0}),
        StoryRating("Bob", counts=True, values={"overall": 2.0}, deductions=marks),
        StoryRating("Eve", counts=False, values={"overall": 1.0}, deductions=marks, verdict="control"),
    )
    view = StoryView(1, "k", Source.SYSTEM, "", "p", "Once", "One two three", ((0, 13),), 0, ratings)
    assert [rating.rater for rating in view.counted] == ["Ada", "Bob"]
    assert view.group == "unknown"
    assert view.marked.ratings == 2
    assert view.marked.marks == (EvidenceMark(1, "logic", 0, 3), EvidenceMark(1, "logic", 4, 7))
