"""Ratings of a bias run come back as they were, a later run takes their place, and they go with their story."""

import numpy as np
import pytest
from sqlalchemy import func, select

from core.analysis.judges.probes import Check, ProbeRatings
from core.annotation.studies import Study
from core.errors import NotFound
from core.people import TERMINAL
from core.stories import Source
from db.engine import reading
from db.judges import probes
from db.schema import judge_probe
from db.studies import lifecycle, studies

pytestmark = pytest.mark.both_databases
JUDGE = "judge:overall", "judge:overall|model:m|v:1"


def ratings(study: Study, check: Check, *after: float) -> ProbeRatings:
    """Of the study's first stories, which are of one prompt."""
    stories = probes.stories(study.id)[: len(after)]
    return ProbeRatings(
        check,
        tuple(f"v{number % 2}" for number in range(len(after))),
        np.array([story.number for story in stories]),
        tuple(story.prompt for story in stories),
        np.linspace(1, 4.2, len(after)),
        np.array(after),
        tuple("cut off" if np.isnan(value) else "" for value in after),
    )


def alike(one: ProbeRatings, other: ProbeRatings) -> bool:
    arrays = ("stories", "before", "after")
    texts = ("check", "variants", "prompts", "reasons")
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in arrays) and all(
        getattr(one, name) == getattr(other, name) for name in texts
    )


def test_the_stories_are_those_of_the_systems(study: Study) -> None:
    stories = probes.stories(study.id)
    assert len(stories) == 10
    assert {story.system for story in stories} == {"one", "two", "three", "four", "five"}
    assert len({story.prompt for story in stories}) == 2
    assert all(story.story.prompt.startswith("Opening") for story in stories)
    assert Source.HUMAN not in {story.system for story in stories}
    assert len({story.content_hash for story in stories}) == 10


def test_ratings_come_back_and_the_latest_run_counts(study: Study) -> None:
    assert probes.probed(study.id) == {}
    first = ratings(study, Check.INJECTION, 2.5, np.nan, 5)
    repeat = ratings(study, Check.REPEAT, 3.0)
    probes.keep(study.id, *JUDGE, first)
    probes.keep(study.id, *JUDGE, repeat)
    probes.keep(study.id, "judge:overall", "another", repeat)
    found = probes.probed(study.id)
    assert set(found) == {JUDGE, ("judge:overall", "another")}
    assert all(alike(one, other) for one, other in zip(found[JUDGE], (first, repeat), strict=True))
    later = ratings(study, Check.INJECTION, 1.5)
    probes.keep(study.id, *JUDGE, later)
    by_check = {of.check: of for of in probes.probed(study.id)[JUDGE]}
    assert alike(by_check[Check.INJECTION], later)
    assert alike(by_check[Check.REPEAT], repeat)
    probes.keep(study.id, *JUDGE, ratings(study, Check.REPEAT))  # nothing could be asked this time
    assert [of.check for of in probes.probed(study.id)[JUDGE]] == [Check.INJECTION]


def test_another_study_has_ratings_of_its_own_and_they_go_with_it(study: Study) -> None:
    probes.keep(study.id, *JUDGE, ratings(study, Check.REPEAT, 3.0, 4.0))
    copy = lifecycle.clone(TERMINAL, study.id, "copy")
    assert probes.probed(copy.id) == {}
    probes.keep(copy.id, *JUDGE, ratings(copy, Check.REPEAT, 1.0))
    assert len(probes.probed(study.id)[JUDGE][0].after) == 2
    studies.remove(TERMINAL, study.id, study.name)
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(judge_probe)) == 1
    with pytest.raises(NotFound):
        probes.keep(study.id, *JUDGE, ratings(copy, Check.REPEAT, 1.0))
