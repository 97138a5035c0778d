"""A story's sentences are scored in the worker, as the metric scores them."""

from pathlib import Path

import pytest

import worker
from core.jobs import Job, JobState
from core.metrics.acceptability import Acceptability
from core.models.acceptability.settings import SentenceRequest
from core.people import TERMINAL
from core.stories import Corpus, Source, Story, StoryRecord
from db.engine import engine
from db.jobs import jobs
from db.jobs.lanes import is_quick
from db.migrate import migrate
from db.stories.view import story_view
from db.transfer import imports

TEXT = "The dog ran off. Dog the off ran to."


def run(text: str) -> Job:
    migrate()
    story = StoryRecord("a", "p", "An opening.", text, Source.SYSTEM, "one")
    study = imports.import_corpora(TERMINAL, "sentences", [Corpus("mans", (story,), (), ())])
    asked = SentenceRequest(text, story_view(TERMINAL, study.id, "a").id)
    ended = worker.run_job(jobs.add(TERMINAL, "sentences", None, asked.settings(), runner="test"))
    engine().dispose()
    return ended


def test_their_mean_is_the_metric_s_score(home: Path) -> None:
    ended = run(TEXT)
    assert ended.state is JobState.DONE, ended.message
    assert ended.result is not None
    right, wrong = ended.result["acceptable"]
    assert right > wrong
    assert (right + wrong) / 2 == pytest.approx(Acceptability().score([Story(TEXT, "")]).values[0])
    assert TEXT not in str((ended.settings, ended.result))
    assert is_quick(ended.kind)


def test_a_story_without_a_sentence_is_refused(home: Path) -> None:
    ended = run(" ")
    assert (ended.state, ended.message) == (JobState.FAILED, "The story is empty.")
