"""Validity: what most people said of each case, tied ones as half, with Wilson's interval."""

import pytest

from core.analysis.capability.validity import validity
from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.errors import InputError
from core.perturb.test_sets.human_check import BAD_ENGLISH
from core.statistics.intervals import wilson

BAD = frozenset({BAD_ENGLISH})


def story(group: str, *given: tuple[int, bool], number: int = 0) -> JudgedStory:
    ratings = tuple(Rating(overall, BAD if bad else frozenset()) for overall, bad in given)
    return JudgedStory(f"{group}{number}", group, ratings)


def test_shares_by_hand() -> None:
    stories = [
        story("causal: changed", (0, False), (0, True), (1, False)),  # fits, and good English
        story("causal: changed", (0, True), (0, True), (0, False)),  # fits, and bad English
        story("causal: changed", (0, False), (1, False)),  # divided
        story("causal: changed", (1, False)),  # nobody sees anything
        story("causal: coherent", (1, False), (1, False)),
        story("temporal: coherent", (0, False)),
        story("temporal: changed"),  # not rated yet
        story("gpt", (1, False)),
    ]
    causal, temporal, every = validity(stories)
    assert [row.aspect for row in (causal, temporal, every)] == ["causal", "temporal", "all"]
    assert [row.cases for row in (causal, temporal, every)] == [5, 1, 6]
    assert (causal.changed.value, causal.coherent.value) == (2.5 / 4, 1.0)
    assert (causal.grammatical.value, causal.valid.value) == (3 / 4, 1.5 / 4)
    assert (causal.changed.low, causal.changed.high) == pytest.approx(wilson(2.5 / 4, 4))
    assert (temporal.changed.value, temporal.valid.value, temporal.coherent.value) == (None, None, 0.0)
    assert every.coherent.value == 0.5


def test_other_words_are_valid_where_the_story_still_makes_sense() -> None:
    stories = [
        story("synonyms: changed", (1, False)),
        story("synonyms: changed", (1, True)),  # bad English
        story("synonyms: changed", (0, False)),  # it makes no sense any more
        story("synonyms: coherent", (1, False)),
        story("typos: changed", (1, True)),  # as meant
        story("typos: changed", (0, True)),
    ]
    synonyms, typos, every = validity(stories)
    assert (synonyms.changed.value, synonyms.valid.value) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (synonyms.coherent.value, synonyms.grammatical.value) == (1.0, pytest.approx(2 / 3))
    assert (typos.changed.value, typos.grammatical.value, typos.valid.value) == (0.5, 0.0, 0.5)
    assert every.valid.value == pytest.approx(2 / 5)


def test_a_study_of_something_else() -> None:
    for stories in ([], [story("gpt", (1, False))], [story("causal: changed")]):
        with pytest.raises(InputError, match="has no ratings of a test set's cases"):
            validity(stories)
