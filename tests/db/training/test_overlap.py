"""On which rated stories a study's metrics were trained, as their checkpoints' fingerprints tell."""

import json
from pathlib import Path

import pytest

from core.checkpoints.checkpoint import overlap
from core.checkpoints.store import shipped_checkpoint
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.training import checkpoints
from db.training.overlap import NONE_OF_THESE, judged_stories, trained_on, trainings, weights_of
from db.transfer import imports
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


def test_people_s_stories_beside_which_no_system_stands_may_be_trained_on(database: str, tmp_path: Path) -> None:
    """They lend sentences to damaged stories, and no metric is ever tested on them."""
    study = rated_study(prompts=3)
    lent = StoryRecord("lent", "lent", "", "He ran home. She sang.", Source.HUMAN)
    imports.import_corpora(TERMINAL, study.name, [Corpus("", (lent,))])
    texts = {text for name, text in judged_stories(TERMINAL) if name == study.name}
    assert WHOLE in texts
    assert lent.text not in texts
    checkpoint = made(tmp_path / "made", [lent.text, OTHER])
    checkpoints.add(TERMINAL, checkpoint)
    assert trained_on(study.id, [signed(checkpoint)]) == {}


def test_what_comes_with_fabula_is_looked_at_too(database: str, shared: Path) -> None:
    union = shipped_checkpoint("union").checkpoint()
    with (shared / "stories" / "rocstories.jsonl").open(encoding="utf-8") as lines:
        told = (json.loads(line)["sentences"] for line in lines)
        opening, *rest = next(sentences for sentences in told if overlap(union, [" ".join(sentences)]))
    person = StoryRecord("a", "p", opening, " ".join(rest), Source.HUMAN)
    system = StoryRecord("b", "p", opening, "And then nothing.", system="one")
    seen = imports.import_corpora(TERMINAL, "seen", [Corpus("", (person, system))])
    fresh = imports.import_corpora(TERMINAL, "fresh", [Corpus("", (system,))])
    mark = signed(union)
    assert trained_on(seen.id, [mark]) == {mark: 1}
    assert trained_on(fresh.id, [mark]) == {}
    assert trainings(TERMINAL, fresh.id, [mark])[mark].endswith(f" {NONE_OF_THESE}")
    assert NONE_OF_THESE not in trainings(TERMINAL, seen.id, [mark])[mark]
    assert weights_of({"union", "elsewhere"}) == {"union": union.card.weights[:12]}
