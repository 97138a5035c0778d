"""The same scores do not come in under a second name."""

import pytest

from core.annotation.studies import Study
from core.errors import InputError
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.scores import scores
from db.scores.same_scores import ENOUGH
from tests.rated import rated_study

VALUES = tuple(1.0 + number % 5 for number in range(ENOUGH))


def brought(study: Study, metric: str, values: tuple[float, ...]) -> None:
    keys = scores.story_keys(study.id)
    record = ScoreRecord(metric, f"file:{metric}", dict(zip(keys, values, strict=False)))
    scores.import_scores(TERMINAL, study.id, record)


@pytest.fixture
def study(database: str) -> Study:
    study = rated_study(prompts=ENOUGH)
    brought(study, "gpt4_judge", VALUES)
    return study


def test_a_judge_s_scores_that_are_a_metric_s_already_are_refused(study: Study) -> None:
    before = scores.begun(study.id)
    with pytest.raises(
        InputError, match=r"'gpt4_judge:overall' are those of 'gpt4_judge'.*Take that import back first"
    ):
        brought(study, "gpt4_judge:overall", VALUES)
    assert scores.begun(study.id) == before


@pytest.mark.parametrize(
    ("metric", "values", "more"),
    [
        ("other", (*VALUES[:-1], VALUES[-1] + 1), 1),  # one differs
        ("other", VALUES[:-1], 1),  # too few to tell
        ("gpt4_judge", VALUES, 0),  # the same again, under the same name
    ],
)
def test_others_come_in(study: Study, metric: str, values: tuple[float, ...], more: int) -> None:
    before = len(scores.begun(study.id))
    brought(study, metric, values)
    assert len(scores.begun(study.id)) == before + more


def test_judges_may_give_the_same_on_two_criteria(study: Study) -> None:
    before, values = len(scores.begun(study.id)), tuple(value + 1 for value in VALUES)
    brought(study, "mine:coherence", values)
    brought(study, "mine:empathy", values)
    assert len(scores.begun(study.id)) == before + 2
