"""A real server of the OpenAI API answers: Transformers' own, on the bundled model."""

from pathlib import Path

import pytest

from core.annotation.builtin import MANS
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.judges.judge import Question, judge
from core.judges.study import ReplyMemory
from core.judges.template import BUILT_IN, Way
from core.models.catalogue import ModelRole, locate
from core.notices import collecting
from core.stories import Story
from tests.judges.served import served

STORIES = [Story(f"The {animal} slept all day. Then it went home.", "It rained.") for animal in ("cat", "owl", "fox")]


@pytest.mark.slow
def test_it_is_asked_and_every_reply_is_kept(home: Path, tmp_path: Path) -> None:
    model = locate(None, ModelRole.LANGUAGE).folder
    question, store = Question(BUILT_IN[Way.POINTS], MANS, MANS.main), ReplyMemory()
    told: list[int] = []
    with served(model, tmp_path / "server.log") as address, collecting() as notices:
        backend = EndpointBackend(Endpoint(address, model, concurrency=2, most_tokens=4))
        values = judge(question, backend, backend.model, store, STORIES, told.append)
    assert sum(told) == len(STORIES)
    replies = store.find([question.request(backend.model, story).key for story in STORIES])
    assert [reply.problem for reply in replies.values()] == [""] * len(STORIES)
    assert all(reply.text and 0 < reply.reply_tokens <= 4 < reply.prompt_tokens for reply in replies.values())
    assert all(isinstance(value, str) or 1 <= value <= 5 for value in values)  # what a bad judge says may be no answer
    assert any("tells no probabilities of tokens" in notice for notice in notices)
    asked = backend.spent.replies
    # The server is gone, and nothing is asked of it that was replied to.
    assert judge(question, backend, backend.model, store, STORIES) == values
    assert backend.spent.replies == asked
