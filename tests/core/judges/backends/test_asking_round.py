"""Many requests at once: nothing lost, nothing paid twice, all reasons told."""

import json
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.judges.asking import AGAIN, Message, Reply, Request
from core.judges.backends.asking_round import MOST_FAILURES
from core.judges.backends.endpoint import EndpointBackend
from core.judges.backends.form import ENOUGH_UNTOLD
from core.judges.backends.transport import TRIES
from core.notices import collecting
from tests.apart import run_apart
from tests.judges.server import MODEL, USUAL, JudgeServer, Spoilt, score_of

Backends = Callable[..., EndpointBackend]
Questions = Callable[..., list[Request]]


def texts(requests: list[Request]) -> list[str]:
    return [request.messages[-1].text for request in requests]


def test_replies_and_their_probabilities(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    wanted = questions(5)
    replies, why = ask(backend(), [*wanted, wanted[0]])
    assert why == ""
    assert sorted(reply.key for reply in replies) == [request.key for request in wanted]
    assert sorted(asked.text for asked in judge_server.asked) == texts(wanted)  # the second time is not asked
    for request in wanted:
        (reply,) = (reply for reply in replies if reply.key == request.key)
        assert reply.text == score_of(request.messages[-1].text)
        assert reply.probabilities is not None
        assert max(reply.probabilities, key=reply.probabilities.__getitem__) == reply.text
        assert 0.7 < sum(reply.probabilities.values()) < 1
        assert (reply.prompt_tokens, reply.reply_tokens) == (sum(len(m.text) for m in request.messages) // 3, 2)
    assert ask(backend(), []) == ([], "")


@pytest.mark.slow
def test_two_hundred_at_once_at_a_server_that_fails(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    """5 % are refused or fail, 1 % are cut short, 1 % are nonsense."""
    judge_server.faults, judge_server.seconds = USUAL, 0.2
    wanted = questions(1500)
    asking = backend(concurrency=200, patience=30.0)
    replies, why = ask(asking, wanted)
    assert why == ""
    assert sorted(reply.key for reply in replies) == sorted(request.key for request in wanted)
    assert set(judge_server.told) == set(texts(wanted))
    assert set(judge_server.told.values()) == {1}  # each was answered to the end once, and so paid once
    assert {"too_many", "broken", "cut", "garbled", "nonsense", "told"} == set(judge_server.outcomes)
    assert 100 < judge_server.most_at_once <= 200
    nonsense = {asked.text for asked in judge_server.asked if asked.outcome == "nonsense"}
    for request in wanted:
        (reply,) = (reply for reply in replies if reply.key == request.key)
        text = request.messages[-1].text
        assert reply.problem == ""
        assert reply.text == ("Banana! The answer is 7 or -3." if text in nonsense else score_of(text))
    assert asking.spent.replies == len(wanted)


def test_a_request_that_fails_for_good_has_its_reason(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.spoilt.extend(Spoilt(503, b'{"error": "Warming up."}') for _ in range(TRIES))
    judge_server.spoilt.append(Spoilt(413, b'{"error": "Too much."}'))
    replies, why = ask(backend(concurrency=1), questions(4))
    assert why == ""
    assert [bool(reply.problem) for reply in replies] == [True, True, False, False]
    assert f"fails just now (503) (Warming up). It was asked {TRIES} times. {AGAIN}" in replies[0].problem
    assert "too long for stand-in-judge (Too much)" in replies[1].problem
    assert AGAIN not in replies[1].problem  # it would be as long
    assert len(judge_server.asked) == TRIES + 3


def test_what_the_endpoint_asks_to_wait_is_heeded(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.spoilt.append(Spoilt(429, retry_after="0.4"))
    began = time.monotonic()
    replies, _ = ask(backend(), questions(1))
    assert time.monotonic() - began >= 0.4
    assert replies[0].problem == ""


def test_a_cut_answer_is_asked_again(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.spoilt.append(Spoilt())
    replies, why = ask(backend(), questions(2))
    assert ([reply.problem for reply in replies], why) == (["", ""], "")
    assert judge_server.outcomes == {"cut": 1, "told": 2}


def test_an_endpoint_that_rejects_everything_is_asked_no_more(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.spoilt.extend(Spoilt(400, b'{"error": "Not like this."}') for _ in range(2000))
    replies, why = ask(backend(), questions(1000))
    assert MOST_FAILURES <= len(replies) < 2 * MOST_FAILURES
    assert all("(400): Not like this" in reply.problem for reply in replies)
    assert f"{MOST_FAILURES} requests in a row came to nothing" in why
    assert "Not like this" in why
    assert "is kept" not in why  # there is nothing


def test_stories_that_are_too_long_stop_nothing_once_others_went_well(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    too_long = b'{"error": {"message": "Maximum context length is 2048 tokens."}}'
    asking = backend(concurrency=1)
    ask(asking, questions(1))
    judge_server.spoilt.extend(Spoilt(400, too_long) for _ in range(30))
    replies, why = ask(asking, questions(40, 1))
    assert (sum(bool(reply.problem) for reply in replies), why) == (30, "")


def test_a_server_that_goes_away_for_good(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    asking = backend(concurrency=2)
    ask(asking, questions(2))
    judge_server.spoilt.extend(Spoilt(401) for _ in range(3))
    replies, why = ask(asking, questions(50, 2))
    assert len(replies) <= 2
    assert "wants a key" in why
    assert "What it had replied is kept." in why


def test_the_cap_stops_the_run_and_is_never_passed(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    wanted = questions(300)
    asking = backend(concurrency=50, prompt_price=1000.0, reply_price=1000.0, cap=1.0, most_tokens=20)
    replies, why = ask(asking, wanted)
    assert "The cap of 1.00 is reached" in why
    assert "Raise the cap to go on. What it had replied is kept." in why
    assert 0.95 < asking.spent.cost <= 1.0
    assert asking.spent.replies == len(replies) == len(judge_server.asked)
    more, why = ask(asking, wanted)  # nothing more is paid
    assert (more, "The cap of 1.00 is reached" in why) == ([], True)


def test_who_listens_may_end_it(backend: Backends, questions: Questions, judge_server: JudgeServer) -> None:
    heard: list[Reply] = []

    def listen(reply: Reply) -> None:
        heard.append(reply)
        if len(heard) == 7:
            raise KeyError("no more")

    judge_server.seconds = 0.01
    with pytest.raises(KeyError, match="no more"):
        backend(concurrency=20).ask(questions(500), listen)
    assert len(heard) == 7
    assert len(judge_server.asked) < 100


def test_requests_at_once(backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer) -> None:
    judge_server.seconds = 0.03
    ask(backend(concurrency=5), questions(30))
    assert judge_server.most_at_once == 5


def test_a_pace_is_kept_and_ends_with_the_run(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    began = time.monotonic()
    replies, _ = ask(backend(concurrency=10, requests_a_minute=600), questions(5))
    assert len(replies) == 5
    assert time.monotonic() - began >= 0.4
    asking = backend(concurrency=20, requests_a_minute=60)
    judge_server.spoilt.append(Spoilt(401))
    began = time.monotonic()
    assert "wants a key" in ask(asking, questions(30))[1]
    assert time.monotonic() - began < 10  # nobody waits for turns that do not come


def test_halves_of_a_sign_are_no_hindrance(backend: Backends, ask: Callable, questions: Questions) -> None:
    (wanted,) = questions(1)
    replies, why = ask(backend(), [replace(wanted, messages=(Message("user", "A half \ud83e here."),))])
    assert (replies[0].problem, why) == ("", "")


def test_probabilities_are_refused(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.probabilities = "refused"
    with collecting() as notices:
        replies, why = ask(backend(), questions(20))
    assert (len(replies), why) == (20, "")
    assert all(reply.probabilities is None and not reply.problem for reply in replies)
    assert judge_server.outcomes == {"refused": 1, "told": 20}  # remembered
    assert len(notices) == 1
    assert "no probabilities" in notices[0]


def test_probabilities_are_left_out(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.probabilities = "ignored"
    with collecting() as notices:
        replies, _ = ask(backend(concurrency=4), questions(20))
    assert all(reply.probabilities is None and not reply.problem for reply in replies)
    asked_for = sum("logprobs" in asked.body for asked in judge_server.asked)
    assert ENOUGH_UNTOLD <= asked_for < ENOUGH_UNTOLD + 4  # those under way are not written anew
    assert len(notices) == 1


def test_one_answer_without_probabilities_is_no_proof(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    refusal = {"choices": [{"message": {"role": "assistant", "content": "I cannot rate this."}}]}
    judge_server.spoilt.append(Spoilt(200, json.dumps(refusal).encode()))
    with collecting() as notices:
        replies, _ = ask(backend(), questions(20))
    assert sum(reply.probabilities is None for reply in replies) == 1
    assert not notices


def test_fewer_alternatives(backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer) -> None:
    judge_server.spoilt.append(Spoilt(400, b'{"error": "top_logprobs must be 5 or less"}'))
    replies, _ = ask(backend(), questions(4))
    assert [asked.body["top_logprobs"] for asked in judge_server.asked] == [20, 5, 5, 5, 5]
    assert all(reply.probabilities for reply in replies)


def test_settings_that_a_service_calls_otherwise_or_does_not_know(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.unknown = ("max_tokens", "seed")
    with collecting() as notices:
        replies, _ = ask(backend(temperature=1.0, most_tokens=9), questions(10))
    assert all(not reply.problem for reply in replies)
    assert judge_server.outcomes == {"refused": 2, "told": 10}
    assert all(asked.body["max_completion_tokens"] == 9 for asked in judge_server.asked if asked.outcome == "told")
    assert ["takes no seed" in text for text in notices] == [True]


def test_samples_have_seeds_of_their_own(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    ask(backend(temperature=0.7), questions(3))
    seeds = {asked.text: asked.body["seed"] for asked in judge_server.asked}
    assert len(set(seeds.values())) == 3
    assert all(0 <= seed < 2**31 for seed in seeds.values())
    ask(backend(temperature=0.7), questions(3))
    assert all(asked.body["seed"] == seeds[asked.text] for asked in judge_server.asked)
    assert {asked.body["temperature"] for asked in judge_server.asked} == {0.7}
    judge_server.asked.clear()
    ask(backend(), [replace(request, scale=()) for request in questions(1)])
    assert set(judge_server.asked[0].body) == {"model", "messages", "temperature", "max_tokens"}
    assert judge_server.asked[0].body["messages"][0] == {"role": "system", "content": "You judge stories."}


def test_another_model_answers(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.reports = f"{MODEL}-2026-08-06"
    asking = backend()
    with collecting() as notices:
        ask(asking, questions(2))
    assert asking.model == f"{MODEL}@{judge_server.address.split('/')[2]}"
    assert [f"answered as {MODEL}-2026-08-06, not {MODEL}; name it so" in text for text in notices] == [True]


def test_tokens_that_the_endpoint_does_not_count(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    judge_server.counts_tokens = False
    (request,) = questions(1)
    replies, _ = ask(backend(), [request])
    assert (replies[0].prompt_tokens, replies[0].reply_tokens) == (10, 1)


def test_where_a_loop_runs_already(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    async def from_within() -> tuple[list[Reply], str]:
        return ask(backend(), questions(3))  # type: ignore[no-any-return]

    with collecting() as notices:
        replies, why = run_apart(from_within())
    assert (len(replies), why, notices) == (3, "", [])
