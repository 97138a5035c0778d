"""A run on few of a study's stories scores some of each prompt; one on all of them does the others."""

from collections import Counter

import pytest

import worker
from core.annotation.studies import Study
from core.durations import duration
from core.errors import InputError
from core.jobs import Job, JobState
from core.metrics.run import checked
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.jobs import jobs
from db.jobs.queue import queue
from db.scores import scores, tables
from db.transfer import imports
from pages.ui.score.run_estimate import so_far, work_of
from tests.db.conftest import SYSTEMS, make_study
from work.scoring import score_study

PROMPTS = 6
STORIES = PROMPTS * len(SYSTEMS)


@pytest.fixture
def study(database: str) -> Study:
    return make_study(prompts=PROMPTS)


def run(study: Study, most: int | None, *metrics: str) -> Job:
    settings = {"metrics": list(metrics), **({} if most is None else {"most": most})}
    jobs.add(TERMINAL, "score", study.id, checked(settings))
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)
    return jobs.get(job.id)


def scored(study: Study, metric: str) -> list[bool]:
    """Which of the study's stories have a score, in its order."""
    columns = tables.table(study.id).columns
    values = next(column.values for column in columns if column.metric == metric)
    return [value == value for value in values.tolist()]


def taken(study: Study, metric: str) -> tuple[dict[str, int], dict[str, int]]:
    """How many stories of each prompt and of each system have a score."""
    table = tables.table(study.id)
    values = next(column.values for column in table.columns if column.metric == metric)
    have = [value == value for value in values.tolist()]
    prompts = Counter(key for key, one in zip(table.prompts, have, strict=True) if one)
    return prompts, Counter(system for system, one in zip(table.systems, have, strict=True) if one)


def test_some_of_every_prompt_then_others_then_all(study: Study) -> None:
    first = run(study, 4, "words")
    assert (first.done, first.total) == (4, 4)
    assert first.result is not None
    (row,) = first.result["rows"]
    assert (row["scored"], row["reused"], row["undefined"]) == (4, 0, 0)
    assert first.result["notices"] == [f"words: {STORIES - 4} stories left for another run."]
    prompts, systems = taken(study, "words")
    assert list(prompts.values()) == [1] * 4
    assert max(systems.values()) == 1
    (row,) = run(study, 8, "words").result["rows"]  # type: ignore[index]
    assert (row["scored"], row["reused"]) == (8, 4)
    prompts, systems = taken(study, "words")
    assert list(prompts.values()) == [2] * PROMPTS
    assert max(systems.values()) - min(systems.values()) <= 1
    assert len(systems) == len(SYSTEMS)
    last = run(study, None, "words")
    assert last.result is not None
    assert last.result["notices"] == []
    assert (last.result["rows"][0]["scored"], last.result["rows"][0]["reused"]) == (STORIES - 12, 12)
    assert all(scored(study, "words"))


def test_each_metric_reads_the_same_few(study: Study) -> None:
    run(study, 5, "words", "sentences")
    assert scored(study, "words") == scored(study, "sentences")
    assert sum(scored(study, "words")) == 5


def test_a_text_that_several_stories_have_is_read_once_and_all_of_them_have_its_score(database: str) -> None:
    records = [StoryRecord(f"{text}-{twin}", "p", "Opening.", f"Story {text}.") for text in "abcd" for twin in "12"]
    study = imports.import_corpora(TERMINAL, "twins", [Corpus("", tuple(records))])
    first = run(study, 3, "words")
    assert first.result is not None
    (row,) = first.result["rows"]
    assert (row["scored"], row["reused"], row["undefined"]) == (3, 3, 0)
    assert scored(study, "words") == [True] * 6 + [False] * 2
    asked = {"metrics": ["words"], "models": {}}
    work = work_of(asked, study.id)
    assert so_far(work, asked, study.id) == "6 of 8 stories are scored."
    assert (work.most, work.rest) == (1, "2 stories")


def test_more_than_there_are_is_all(study: Study) -> None:
    job = run(study, 10 * STORIES, "words")
    assert job.result is not None
    assert (job.total, job.result["notices"]) == (scores.count_stories(study.id, (Source.SYSTEM,)), [])


@pytest.mark.parametrize("most", [0, -1, True, "4"])
def test_a_number_that_is_none(most: object) -> None:
    with pytest.raises(InputError, match="one story or more"):
        checked({"metrics": ["words"], "most": most})


def test_the_time_left_is_told_from_the_beginning_where_it_has_run_before(study: Study) -> None:
    before = jobs.add(TERMINAL, "score", study.id, {"metrics": ["words"]}, runner="test")
    steps = [{"key": "words", "characters": 10_000, "seconds": 100_000.0}]
    jobs.finish(before.id, JobState.DONE, "finished", {"rows": [], "steps": steps})
    seconds = scores.count_pending(study.id, [[]])[0].characters * 10
    said: list[str] = []
    job = jobs.add(TERMINAL, "score", study.id, {"metrics": ["words", "sentences"]}, runner="test")
    score_study(job, lambda _done, _total, message: said.append(message))
    assert said[0] == f"words: about {duration(seconds)} left, then sentences"  # whose pace nobody knows
    assert "sentences" in said


def test_the_queue_names_the_metrics_that_have_scores_still_to_come(study: Study) -> None:
    run(study, None, "bleu")
    names = ["words", "bleu", "rouge-l"]  # of bleu all are stored
    jobs.add(TERMINAL, "score", study.id, checked({"metrics": names}))
    job = jobs.claim("test")
    assert job is not None
    seen: list[tuple[str, ...]] = []

    def watch(done: int, total: int, message: str) -> None:
        (waiting,) = queue(TERMINAL)
        seen.append(waiting.metrics)

    score_study(job, watch)
    assert list(dict.fromkeys(seen)) == [("words", "bleu", "rouge-l"), ("words", "rouge-l"), ("rouge-l",)]
