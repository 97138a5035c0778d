"""What endpoints answer, in and out of form."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judges.asking import Message, Reply, Request
from core.judges.backends.completion import LONGEST_WORDS, models_in, read_completion, said

REQUEST = Request("k", (Message("user", "How good is it? " * 5),), ("1", "2", "3"))
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "logprobs",
                    "usage",
                    "error",
                    "token",
                    "top_logprobs",
                    "logprob",
                    "model",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


def body(message: Any, *, usage: Any = None, logprobs: Any = None, finish: Any = "stop") -> bytes:
    choice = {"message": message, "finish_reason": finish, "logprobs": logprobs}
    return json.dumps({"model": "m-2026", "choices": [choice], "usage": usage}).encode()


def reply(*args: Any, **more: Any) -> Reply:
    found = read_completion(body(*args, **more))
    assert found is not None
    return found.reply_to(REQUEST, 7)


def test_a_usual_answer() -> None:
    tokens = [
        {
            "token": "2",
            "logprob": math.log(0.5),
            "top_logprobs": [{"token": "2", "logprob": math.log(0.5)}, {"token": "3", "logprob": math.log(0.25)}],
        }
    ]
    usage = {"prompt_tokens": 21, "completion_tokens": 1}
    found = reply({"content": "2"}, usage=usage, logprobs={"content": tokens})
    assert found == Reply("k", "2", {"2": pytest.approx(0.5), "3": pytest.approx(0.25)}, "", 21, 1)


def test_tokens_that_nobody_counted_are_estimated() -> None:
    assert reply({"content": "2 of 3"}) == Reply("k", "2 of 3", None, "", 20, 2)
    odd = {"prompt_tokens": "many", "completion_tokens": -4}
    assert reply({"content": "2 of 3"}, usage=odd) == Reply("k", "2 of 3", None, "", 20, 2)


def test_only_the_token_itself_is_told() -> None:
    tokens = [{"token": "2", "logprob": math.log(0.5), "top_logprobs": []}]
    assert reply({"content": "2"}, logprobs={"content": tokens}).probabilities == {"2": pytest.approx(0.5)}


def test_an_end_token_is_no_part_of_the_text_and_a_thought_is_no_answer() -> None:
    def row(token: str) -> dict[str, Any]:
        return {"token": token, "logprob": 0.0, "top_logprobs": []}

    assert reply({"content": "2"}, logprobs={"content": [row("2"), row("<|im_end|>")]}).probabilities == {"2": 1.0}
    assert reply({"content": "2"}, logprobs={"content": [row("Let me think"), row("2")]}).probabilities is None


def test_text_in_parts() -> None:
    parts = [{"type": "text", "text": "I say "}, {"type": "text", "text": "2"}, {"type": "image"}]
    assert reply({"content": parts}).text == "I say 2"


@pytest.mark.parametrize(
    ("message", "finish", "problem"),
    [
        ({"content": None, "refusal": "I can't judge that."}, "stop", "The model refused: I can't judge that"),
        ({"content": ""}, "content_filter", "filter held the answer back"),
        ({"content": ""}, "length", "no answer within 7 tokens"),
        ({"content": " \n"}, "stop", "holds no words"),
        ({}, None, "holds no words"),
    ],
)
def test_answers_that_say_nothing(message: dict[str, Any], finish: str | None, problem: str) -> None:
    assert problem in reply(message, finish=finish).problem


def test_an_answer_that_was_cut_off_for_its_length_is_kept_as_it_is() -> None:
    assert reply({"content": '{"errors": ['}, finish="length") == Reply("k", '{"errors": [', None, "", 20, 3)


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"null", b'{"choices": []}', b'{"choices": [{}]}'])
def test_what_is_no_completion(content: bytes) -> None:
    assert read_completion(content) is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            b'{"error": {"message": "Too long.", "code": "context_length_exceeded"}}',
            ("Too long", "context_length_exceeded"),
        ),
        (
            b'{"object": "error", "message": "No such\\nmodel", "type": "NotFoundError"}',
            ("No such model", "NotFoundError"),
        ),
        (b'{"error": "model not found"}', ("model not found", "")),
        (b'{"detail": [{"loc": ["body", "seed"]}]}', ('[{"loc": ["body", "seed"]}]', "")),
        (b"Bad gateway", ("", "")),
    ],
)
def test_errors_in_the_endpoint_s_own_words(content: bytes, words: tuple[str, str]) -> None:
    assert said(content) == words


def test_long_words_are_cut() -> None:
    assert len(said(json.dumps({"error": {"message": "x" * 10_000}}).encode())[0]) == LONGEST_WORDS + 2


def test_models() -> None:
    assert models_in(b'{"data": [{"id": "a"}, {"id": "b"}, {}]}') == ["a", "b"]
    assert models_in(b"<html>") == models_in(b'{"data": 3}') == []


@given(ANY_JSON)
def test_whatever_comes_is_read_or_refused(value: Any) -> None:
    content = json.dumps(value).encode()
    found = read_completion(content)
    if found:
        found.reply_to(REQUEST, 7)
    said(content)
    models_in(content)
