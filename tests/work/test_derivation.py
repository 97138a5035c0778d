"""A logit is made of a stored probability, and a probability of a stored logit: no story is read for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import worker
from core.annotation.studies import Study
from core.metrics import build
from core.metrics.base import Scores, Settings
from core.metrics.run import checked
from core.metrics.trained.odds import LOGIT, PROBABILITY, logit, probability
from core.metrics.trained.union_scorer import Scorer
from core.people import TERMINAL
from core.stories import Corpus, StoryRecord
from db.jobs import jobs
from db.scores import scores, tables
from db.studies import studies
from db.transfer import imports
from pages.ui.score.run_estimate import estimate
from tests.tested import discrimination, keep

STORIES = tuple(
    StoryRecord(f"s{day}", "p", "A dog barked.", f"It was day {day}. The dog went home. It slept." if day else " ")
    for day in range(4)
)
"""One of them is empty."""


@pytest.fixture
def made(database: str) -> Study:
    return imports.import_corpora(TERMINAL, "s", [Corpus("", STORIES)])


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every story that the base is given to read, in order."""
    texts: list[str] = []
    plain = Scorer.logits

    def counting(scorer: Scorer, stories: Sequence[str], *rest: Any) -> Any:
        texts.extend(stories)
        return plain(scorer, stories, *rest)

    monkeypatch.setattr(Scorer, "logits", counting)
    return texts


def settings(of: str, **options: str) -> dict[str, Any]:
    return {"metrics": ["union"], "options": {"union": {"of": of, **options}}, "models": {}, "precision": "bfloat16"}


def run(made: Study, of: str, **options: str) -> dict[str, Any]:
    job = worker.run_job(jobs.add(TERMINAL, "score", made.id, checked(settings(of, **options)), runner="test"))
    assert job.result is not None, job.message
    return dict(job.result["rows"][0])


def signature(of: str) -> str:
    return build("union", Settings(precision="bfloat16", options={"of": of})).signature


def values(made: Study, of: str) -> list[float]:
    (column,) = tables.table(made.id, [signature(of)]).columns
    assert column.reasons == {0: "the story is empty"}
    return column.values.tolist()[1:]


@pytest.mark.parametrize(("first", "then"), [(LOGIT, PROBABILITY), (PROBABILITY, LOGIT)])
def test_a_story_is_read_for_one_of_both_alone(made: Study, read: list[str], first: str, then: str) -> None:
    assert run(made, first)["scored"] == 4
    assert len(read) == 3
    summary = next(study_summary for study_summary in studies.summaries(TERMINAL) if study_summary.study.id == made.id)
    assert estimate(checked(settings(then)), summary.study.id).startswith("All of this is stored already")
    row = run(made, then)
    assert (row["scored"], row["reused"], row["undefined"]) == (0, 4, 1)
    assert len(read) == 3
    by = {first: values(made, first), then: values(made, then)}
    assert by[PROBABILITY] == [probability(value) for value in by[LOGIT]]
    assert by[LOGIT] == [logit(value) for value in by[PROBABILITY]]


@pytest.mark.parametrize("of", [LOGIT, PROBABILITY])
def test_windows_are_read_of_long_stories_alone_where_cut_ones_are_scored(
    made: Study, read: list[str], of: str
) -> None:
    """Days 1 to 3 have 13 words with their prompt."""
    cut = {"first_words": "13", "long": "cut"}
    longer = StoryRecord("s9", "p", "A dog barked.", f"{STORIES[1].text} Then it woke up.")
    imports.import_corpora(TERMINAL, "s", [Corpus("", (longer,))])
    assert run(made, PROBABILITY, **cut)["scored"] == 5
    del read[:]
    summary = next(study_summary for study_summary in studies.summaries(TERMINAL) if study_summary.study.id == made.id)
    message = estimate(checked(settings(of, first_words="13")), summary.study.id)
    assert message.startswith("At most, as short stories' scores follow from stored ones: 5 scores to compute")
    row = run(made, of, first_words="13")
    assert (row["scored"], row["reused"]) == (1, 4)
    assert read == [f"{longer.prompt} {longer.text}"]
    assert run(made, of, first_words="13", long="cut")["scored"] == 0
    assert len(read) == 1


def test_a_probability_that_tells_no_logit_has_its_story_read(made: Study, read: list[str]) -> None:
    of = scores.begin_run(made.id, "union", signature(PROBABILITY))
    hashes = {pending.story.text: pending.content_hash for pending in scores.pending(made.id, [of], -1, 9)[0]}
    older = Scores.collect(["the story is empty", 1.0, 0.25, 0.5])
    scores.store(made.id, of, [hashes[record.text] for record in STORIES], older)
    assert run(made, LOGIT)["scored"] == 1
    assert read == [f"{STORIES[1].prompt} {STORIES[1].text}"]
    result = values(made, LOGIT)
    assert result[1:] == [logit(0.25), 0.0]
    assert np.isfinite(result[0])


def test_a_test_set_is_not_read_for_the_other_of_both(database: str, read: list[str]) -> None:
    number = keep("set", discrimination(4))
    told = []
    for of in (LOGIT, PROBABILITY):
        asked = {**checked(settings(of)), "test_set": number}
        job = worker.run_job(jobs.add(TERMINAL, "capability", None, asked, runner="test"))
        assert job.result is not None, job.message
        told.append((job.result["rows"][0]["scored"], len(read)))
    assert told[0][0] == told[0][1] > 0
    assert told[1] == (0, told[0][1])
