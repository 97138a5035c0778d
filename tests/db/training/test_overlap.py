"""On which rated stories a study's metrics were trained, as their checkpoints' fingerprints tell."""

from pathlib import Path

import pytest

from core.people import TERMINAL
from db.training import checkpoints
from db.training.overlap import trained_on
from tests.db.training.contaminated import BARE, OTHER, WHOLE, made, signed
from tests.rated import rated_study


@pytest.mark.parametrize(
    ("texts", "kind", "number"),
    [
        ([WHOLE, OTHER], "union", 1),  # as stories are trained on that begin with their prompt
        ([BARE, "Story 0-2 is told.", OTHER], "ruber", 2),  # by themselves
        ([OTHER], "union", 0),
        ([], "union", 0),  # it does not say
        ([WHOLE], "bleurt", 0),  # cross-fitted
    ],
)
def test_rated_stories_that_were_trained_on_are_counted(
    database: str, tmp_path: Path, texts: list[str], kind: str, number: int
) -> None:
    study = rated_study(prompts=3, unrated=1)
    checkpoint = made(tmp_path / "made", texts, kind)
    assert trained_on(study.id, [signed(checkpoint)]) == {}  # it is not here
    checkpoints.add(TERMINAL, checkpoint)
    found = trained_on(study.id, ["bleu|v:1", signed(checkpoint), "union|checkpoint:000000000000"])
    assert found == ({signed(checkpoint): number} if number else {})


def test_people_s_stories_show_how_the_prompts_were_gone_on_with(database: str, tmp_path: Path) -> None:
    study = rated_study(prompts=3, scheme="turing")
    checkpoint = made(tmp_path / "made", ["Opening 1. Human 1.", OTHER])
    checkpoints.add(TERMINAL, checkpoint)
    assert trained_on(study.id, [signed(checkpoint)]) == {signed(checkpoint): 1}


def test_what_nobody_has_rated_counts_for_nothing(database: str, tmp_path: Path) -> None:
    study = rated_study(prompts=3, unrated=1)
    checkpoint = made(tmp_path / "made", ["Story 2-0 is told."])
    checkpoints.add(TERMINAL, checkpoint)
    assert trained_on(study.id, [signed(checkpoint)]) == {}
