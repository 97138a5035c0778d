"""The words that a story shares with what a person wrote, by hand."""

from core.analysis.stories.overlap import overlap

STORY, NEAR, FAR = "The fox, the FOX ran.", "A fox sat. The end", "Nothing here"


def test_the_nearest_reference_and_the_words_in_both() -> None:
    found = overlap(STORY, [FAR, NEAR])
    assert found is not None
    assert found.reference == NEAR
    assert [STORY[start:end] for start, end in found.in_story] == ["The", "fox", "the", "FOX"]
    assert [NEAR[start:end] for start, end in found.in_reference] == ["fox", "The"]
    assert (found.share, found.own, found.theirs) == (2, 3, 5)  # the, fox; and ran; and a, sat, end


def test_nothing_to_compare() -> None:
    assert overlap(STORY, []) is None
    assert overlap("... !", [NEAR]) is None
    none = overlap(STORY, [FAR])
    assert none is not None
    assert none.in_story == none.in_reference == ()
