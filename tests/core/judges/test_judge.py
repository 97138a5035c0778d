"""A judge at work: scores from replies, one question more after an unreadable one, and nothing asked twice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.annotation.builtin import HANNA, MANS, PREFERENCES, UNION
from core.errors import InputError
from core.judges.asking import AGAIN, OnPart, OnReply, Reply, Request, unheard
from core.judges.judge import Question, draw_shots, judge
from core.judges.prompt import Shot
from core.judges.study import JudgedStudy, ReplyMemory
from core.judges.template import BUILT_IN, Template, Way
from core.stories import Story
from tests.core.judges.scripted import ScriptedBackend

POINTS = Question(BUILT_IN[Way.POINTS], MANS, MANS.main)
STORIES = [Story(f"Story {number}.", "An opening.") for number in range(4)]


def of_story(request: Request, replies: list[Reply | str]) -> Reply | str:
    """The reply to the story whose number the prompt has."""
    return replies[next(n for n in range(len(replies)) if f"Story {n}." in request.messages[1].text)]


def test_scores_come_from_probabilities_or_words() -> None:
    replies = [Reply("", "1", {"4": 0.3, "5": 0.1}), "4", Reply("", problem="the server was away"), "Rating: 2/5"]
    backend = ScriptedBackend(lambda request: of_story(request, replies))
    told: list[float] = []
    assert judge(POINTS, backend, "m", ReplyMemory(), STORIES, told.append) == [4.25, 4, "the server was away", 2]
    assert sum(told) == len(STORIES)
    assert all(request.scale == ("1", "2", "3", "4", "5") for request in backend.asked)


def test_stories_count_once_their_replies_can_be_read() -> None:
    """Also in part, while replies are written; an unreadable one counts half until it has been asked for once more."""
    steps: list[tuple[str, float]] = []

    class Writing(ScriptedBackend):
        def ask(self, requests: Sequence[Request], on_reply: OnReply, on_part: OnPart = unheard) -> None:
            keys = [request.key for request in requests]
            on_part(keys, 0.5)
            steps.append(("half written", sum(told)))
            super().ask(requests, on_reply, on_part)
            steps.append(("written", sum(told)))

    def script(request: Request) -> str:
        return "3" if len(request.messages) > 2 or "Story 0." in request.messages[1].text else "I like it."

    told: list[float] = []
    judge(POINTS, Writing(script), "m", ReplyMemory(), STORIES, told.append)
    assert steps == [("half written", 1.0), ("written", 2.5), ("half written", 3.25), ("written", 4.0)]


def test_an_unreadable_reply_is_asked_for_once_more() -> None:
    def script(request: Request) -> str:
        if len(request.messages) == 2:
            return "I like it."
        assert [message.role for message in request.messages[2:]] == ["assistant", "user"]
        assert "the reply holds no number" in request.messages[3].text
        return "5" if "Story 1." in request.messages[1].text else "4 or 5"

    backend = ScriptedBackend(script)
    values = judge(POINTS, backend, "m", ReplyMemory(), STORIES[:2])
    assert values == ["the reply holds different numbers: 4, 5", 5]
    assert len(backend.asked) == 4


def test_nothing_is_asked_twice_but_problems() -> None:
    store = ReplyMemory()
    first = ScriptedBackend(lambda request: of_story(request, ["1", "?", Reply("", problem="busy"), "2"]))
    judge(POINTS, first, "m", store, STORIES)
    again = ScriptedBackend(lambda _: "3")
    assert judge(POINTS, again, "m", store, [*STORIES, *STORIES])[:4] == [1, "the reply holds no number", 3, 2]
    assert len(again.asked) == 1
    other = ScriptedBackend(lambda _: "3")
    judge(POINTS, other, "another model", store, STORIES)
    assert len(other.asked) == len(STORIES)


def test_what_was_replied_before_a_stop_is_kept() -> None:
    store = ReplyMemory()

    def script(request: Request) -> str:
        if "Story 2." in request.messages[1].text:
            raise KeyboardInterrupt
        return "4"

    with pytest.raises(KeyboardInterrupt):
        judge(POINTS, ScriptedBackend(script), "m", store, STORIES)
    rest = ScriptedBackend(lambda _: "4")
    assert judge(POINTS, rest, "m", store, STORIES) == [4, 4, 4, 4]
    assert len(rest.asked) == 2


def test_samples_are_averaged_where_half_can_be_read() -> None:
    question = replace(POINTS, samples=4, temperature=1.0)
    replies = {0: ["1", "2", "3", "4"], 1: ["5", "?", "5", "?"], 2: ["?", "?", "1", "?"]}
    backend = ScriptedBackend(
        lambda request: replies[next(n for n in replies if f"Story {n}." in request.messages[1].text)][request.sample]
    )
    values = judge(question, backend, "m", ReplyMemory(), STORIES[:3])
    assert values == [2.5, 5, "3 of 4 samples: the reply holds no number"]
    assert all(not request.scale for request in backend.asked)
    assert Counter(request.sample for request in backend.asked[:12]) == {0: 3, 1: 3, 2: 3, 3: 3}
    busy = f"busy. {AGAIN}"
    replies[2] = ["?", "2", "?", Reply("", problem=busy)]  # with one more, half can be read
    assert judge(question, backend, "other", ReplyMemory(), STORIES[2:3]) == [f"3 of 4 samples: {busy}"]
    with pytest.raises(InputError, match="above 0 only"):
        replace(POINTS, samples=4)


def test_all_criteria_come_from_one_reply() -> None:
    store, answer = ReplyMemory(), '{"relevance": 1, "coherence": 2, "empathy": 3}'
    backend = ScriptedBackend(lambda _: answer)
    coherence, surprise = (
        Question(BUILT_IN[Way.CRITERIA], HANNA, HANNA.criterion(name)) for name in ("coherence", "surprise")
    )
    assert judge(coherence, backend, "m", store, STORIES) == [2] * 4
    assert len(backend.asked) == 4
    assert judge(surprise, backend, "m", store, STORIES) == ["the reply says nothing of surprise"] * 4
    assert len(backend.asked) == 8  # once more, after a reply that says nothing of it


def test_deductions_imply_a_rating() -> None:
    question = Question(BUILT_IN[Way.DEDUCTIONS], MANS, MANS.main)
    reply = '{"errors": [{"type": "conflicting logic", "points": 1, "quote": "Story"}]}'
    assert judge(question, ScriptedBackend(lambda _: reply), "m", ReplyMemory(), STORIES[:1]) == [4]
    for scheme in (HANNA, UNION):
        with pytest.raises(InputError, match="error types take points"):
            replace(question, scheme=scheme, criterion=scheme.main)


RATED = [Shot(f"Opening {p}.", f"Text {p} {n}.", {"overall": 1.0 + n}) for p in range(6) for n in range(3)]


def test_examples_are_of_other_openings() -> None:
    shots = draw_shots(RATED, ["overall"], 3, seed=1)
    assert len({shot.prompt for shot in shots}) == len(shots) == 4
    assert shots == draw_shots(RATED, ["overall"], 3, seed=1)
    assert len({str(draw_shots(RATED, ["overall"], 3, seed=seed)) for seed in range(5)}) > 1
    question = replace(POINTS, shots=shots)
    for prompt in range(6):
        system = question.messages(Story("A story.", f" Opening {prompt}.\n"))[0].text
        assert f"Opening {prompt}." not in system
        assert system.count("Text ") == 3
    with pytest.raises(InputError, match="stories of 7 openings must be rated on overall; there are 6"):
        draw_shots(RATED, ["overall"], 6, seed=1)
    with pytest.raises(InputError, match="rated on coherence; there are 0"):
        draw_shots(RATED, ["coherence"], 1, seed=1)


def test_examples_need_a_place_and_a_number() -> None:
    shots = draw_shots(RATED, ["overall"], 2, seed=1)
    with pytest.raises(InputError, match=r"has no \{rated\}"):
        replace(POINTS, shots=shots, template=Template("bare", Way.POINTS, "", "{story}", 1))
    with pytest.raises(InputError, match="not with deductions"):
        replace(POINTS, shots=shots, template=BUILT_IN[Way.DEDUCTIONS])


def test_the_hash_is_of_the_whole_prompt() -> None:
    shots = draw_shots(RATED, ["overall"], 2, seed=1)
    others = [
        replace(POINTS, template=replace(POINTS.template, user=POINTS.template.user + " Be strict.")),
        replace(POINTS, criterion=replace(MANS.main, question="Is it good?")),
        replace(POINTS, criterion=replace(MANS.main, scale=((1, "Bad"), (2, "Good")))),
        replace(POINTS, shots=shots),
        replace(POINTS, shots=draw_shots(RATED, ["overall"], 2, seed=2)),
    ]
    assert len({question.prompt_hash for question in (POINTS, *others)}) == 6
    assert replace(POINTS, template=replace(POINTS.template, name="renamed")).prompt_hash == POINTS.prompt_hash


def test_criteria_are_the_study_s_and_else_fabula_s() -> None:
    study = JudgedStudy(HANNA)
    assert study.criterion("") == HANNA.main
    assert study.criterion(" Empathy") == HANNA.criterion("empathy")
    assert study.form(HANNA.criterion("empathy")) is HANNA
    assert study.criterion("overall") == MANS.main
    assert study.form(MANS.main).criteria == (MANS.main,)
    assert JudgedStudy(PREFERENCES).criterion("") == MANS.main
    with pytest.raises(InputError, match="no criterion 'cohesion' to judge"):
        study.criterion("cohesion")
    with pytest.raises(InputError, match="no criterion 'preference'"):
        JudgedStudy(PREFERENCES).criterion("preference")
