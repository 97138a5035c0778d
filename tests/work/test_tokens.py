"""Texts are read in the worker, in a lane of their own, and never twice."""

from pathlib import Path

import numpy as np
import pytest

import worker
from core.jobs import Job, JobState
from core.metrics.base import Settings
from core.metrics.perplexity import Perplexity
from core.models.tokens.settings import TokenRequest
from core.people import TERMINAL
from core.stories import Story
from core.tokens import Mode, summarise
from db.engine import engine
from db.jobs import jobs, token_tables
from db.studies import story_list, studies
from db.transfer import imports
from tests.core.made_tokens import made_table
from tests.db.conftest import small_corpus
from tests.db.jobs.jobs import SLOW, big_corpus, start_worker, stop, wait_for

TEXT = "The fox went home. 🦊 Then it rained."


@pytest.fixture
def ready(database: str) -> None:
    """A migrated database."""


def run(asked: TokenRequest) -> Job:
    return worker.run_job(jobs.add(TERMINAL, "tokens", None, asked.settings(), runner="test"))


def test_a_text_is_read_once_and_kept_and_not_after_a_cancel(ready: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    job = jobs.add(TERMINAL, "tokens", None, TokenRequest(TEXT).settings(), runner="test")
    ended = worker.run_job(job, lambda done, total, what: jobs.cancel(TERMINAL, job.id) if what == "Reading" else None)
    assert ended.state is JobState.CANCELLED
    assert token_tables.find(TokenRequest(TEXT).signature(), TEXT) is None

    ended = run(TokenRequest(TEXT))
    assert ended.state is JobState.DONE, ended.message
    assert ended.result is not None
    assert ended.result["signature"] == TokenRequest(TEXT).signature()
    table = token_tables.find(ended.result["signature"], TEXT)
    assert table is not None
    assert (len(table), table.mode, table.model) == (
        ended.result["tokens"], Mode.CAUSAL, "smollm2-135m-instruct@0.1.2-q4_1",
    )  # fmt: skip
    assert (ended.done, ended.total) == (len(table), len(table))
    assert 0 < (summarise(table).fp or 0) < 1
    assert np.isfinite(table.log_p).all()

    def nothing(*_args: object, **_more: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr("core.models.tokens.table.read_tokens", nothing)
    assert run(TokenRequest(TEXT)).result == ended.result
    engine().dispose()


def test_a_story_is_read_by_its_id_and_one_that_is_gone_is_a_sentence(ready: None) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus(1)])
    (listed,) = story_list.stories(TERMINAL, study.id, "one")[0]
    asked = TokenRequest(story_list.text_of(listed.id), story=listed.id)
    token_tables.store(asked.signature(), made_table(asked.text))  # as if it had been read
    job = jobs.add(TERMINAL, "tokens", None, asked.settings(), runner="test")
    assert "text" not in job.settings
    assert worker.run_job(job).result == {
        "signature": asked.signature(), "tokens": len(made_table(asked.text)), "notices": [],
    }  # fmt: skip
    prompt = story_list.read(listed.id).prompt
    behind = TokenRequest(asked.text, story=listed.id, prompt=prompt)
    ended = run(behind)
    assert ended.result is not None
    assert ended.result["signature"] == behind.signature() != asked.signature()
    table = token_tables.find(behind.signature(), asked.text)
    assert table is not None
    (score,) = Perplexity(Settings({})).score([Story(asked.text, prompt)]).values
    assert float(table.log_p.mean()) == pytest.approx(score, abs=1e-4)
    studies.remove(TERMINAL, study.id, "s")
    ended = run(asked)
    assert ended.state is JobState.FAILED
    assert ended.message == "The story of this job has been deleted."
    engine().dispose()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (TokenRequest(""), "The text is empty"),
        (TokenRequest("x", "nobody/no-such-model"), "not on this machine"),
        (TokenRequest("x", "all-minilm-l6-v2"), "here a causal language model is needed"),
        (TokenRequest("x", "smollm2-135m-instruct", Mode.MASKED), "a masked language model"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(ready: None, asked: TokenRequest, words: str) -> None:
    ended = run(asked)
    assert ended.state is JobState.FAILED
    assert words in ended.message
    assert ended.message.count(". ") == 0
    engine().dispose()


def test_a_long_run_of_scoring_does_not_keep_a_text_waiting(home: Path, ready: None) -> None:
    study = imports.import_corpora(TERMINAL, "s", [big_corpus(3000)])
    (home / "slow.py").write_text(SLOW.replace("0.002", "0.05"))
    token_tables.store(
        TokenRequest(TEXT).signature(), made_table(TEXT)
    )  # a model takes long to load where tests share a machine
    scoring = jobs.add(TERMINAL, "score", study.id, {"metrics": [f"{home / 'slow.py'}:Slow"]})
    process = start_worker()
    try:
        wait_for(lambda: jobs.get(scoring.id).done > 0, 60)
        reading = jobs.add(TERMINAL, "tokens", None, TokenRequest(TEXT).settings())
        wait_for(lambda: not jobs.get(reading.id).state.active, 30)
        assert jobs.get(reading.id).state is JobState.DONE
        assert jobs.get(scoring.id).state is JobState.RUNNING
    finally:
        stop(process)
    engine().dispose()
