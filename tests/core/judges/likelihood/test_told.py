"""What servers answer, in both forms, and what is no answer."""

import json
import math
from typing import Any

import pytest

from core.judges.likelihood.told import Told, ToldToken, read_told


def told(choice: dict[str, Any], most: int = 3, *, echo: bool = False, **more: Any) -> Told:
    body = {"model": "m", "choices": [{"text": "x", **choice}], **more}
    found = read_told(json.dumps(body).encode(), most, echo=echo)
    assert found is not None
    return found


def entry(log_p: float, rank: int, text: str) -> dict[str, Any]:
    return {"logprob": log_p, "rank": rank, "decoded_token": text}


BEYOND = {"7": entry(-5.0, 40, " d"), "1": entry(-0.5, 1, " a"), "2": entry(-1.5, 2, " b"), "3": entry(-2.0, 3, " c")}


def test_by_id() -> None:
    among = {"2": entry(-1.5, 2, " b"), "1": entry(-0.5, 1, " a"), "3": entry(-2.0, 3, " c")}
    found = told({"prompt_logprobs": [None, BEYOND, among]}, usage={"prompt_tokens": 3})
    top = ((" a", -0.5), (" b", -1.5), (" c", -2.0))
    assert found.tokens == (ToldToken(), ToldToken(" d", -5.0, 40, top), ToldToken(" b", -1.5, 2, top))
    assert (found.model, found.prompt_tokens) == ("m", 3)


def test_the_text_s_own_ids_say_which_token_it_is() -> None:
    """Some list the likeliest first."""
    last = dict(sorted(BEYOND.items()))
    found = told({"prompt_logprobs": [None, last], "prompt_token_ids": [9, 7]}).tokens
    assert found is not None
    assert (found[1].text, found[1].log_p) == (" d", -5.0)
    lost = told({"prompt_logprobs": [None, last], "prompt_token_ids": [9, 8]}).tokens
    assert lost is not None
    assert lost[1].log_p is None


@pytest.mark.parametrize("value", [-9999.0, None, "x", True, math.nan])
def test_what_is_no_likelihood(value: Any) -> None:
    """vLLM writes -9999 for that of a probability of 0."""
    found = told({"prompt_logprobs": [None, {"7": {"logprob": value, "decoded_token": "x"}}]}).tokens
    assert found is not None
    assert found[1] == ToldToken("x")


def test_a_little_above_one_is_one() -> None:
    found = told({"prompt_logprobs": [None, {"7": entry(1e-7, 1, "x")}]}).tokens
    assert found is not None
    assert found[1].log_p == 0.0


def echoed(*tops: dict[str, float] | None, tokens: str = "abc", most: int = 3) -> tuple[ToldToken, ...] | None:
    values = [None if top is None else top.get(text, -8.0) for text, top in zip(tokens, tops, strict=True)]
    logprobs = {"tokens": list(tokens), "token_logprobs": values, "top_logprobs": list(tops)}
    return told({"logprobs": logprobs}, most, echo=True).tokens


def test_by_text() -> None:
    found = echoed(None, {"x": -0.5, "b": -1.0, "y": -2.0}, {"x": -0.1, "y": -3.0, "z": -4.0, "c": -7.0})
    assert found is not None
    assert found[0] == ToldToken("a")
    assert found[1] == ToldToken("b", -1.0, None, (("x", -0.5), ("b", -1.0), ("y", -2.0)))
    assert found[2] == ToldToken("c", -7.0, None, (("x", -0.1), ("y", -3.0), ("z", -4.0)))


def test_fewer_than_were_asked_for_count_where_all_have_as_many() -> None:
    found = echoed(None, {"x": -0.5, "b": -1.0}, {"x": -0.1, "y": -3.0, "c": -7.0}, most=10)
    assert found is not None
    assert [len(token.likeliest) for token in found] == [0, 2, 2]


@pytest.mark.parametrize(
    "top",
    [{"x": -0.5, "y": -1.0}, {"b": -0.5, "y": -1.0}, {"x": -0.5, "\ufffd": -1.0, "b": -6.0}],
)
def test_two_tokens_of_one_text_are_not_known(top: dict[str, float]) -> None:
    found = echoed(None, top, {"x": -0.1, "y": -3.0, "z": -4.0, "c": -7.0})
    assert found is not None
    assert found[1].likeliest == ()
    assert len(found[2].likeliest) == 3


def test_the_last_of_the_likeliest_is_one_of_them() -> None:
    found = echoed(None, {"x": -0.5, "y": -1.0, "b": -6.0}, {"x": -0.1, "y": -3.0, "z": -4.0, "c": -7.0})
    assert found is not None
    assert [text for text, _ in found[1].likeliest] == ["x", "y", "b"]


@pytest.mark.parametrize(
    "choice",
    [{}, {"prompt_logprobs": []}, {"prompt_logprobs": "no"}, {"logprobs": None}, {"logprobs": {"tokens": ["a"]}}],
)
def test_nothing_told(choice: dict[str, Any]) -> None:
    assert told(choice).tokens is None
    assert told(choice, echo=True).tokens is None


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": [1]}', b"[" * 100_000])
def test_no_completion(body: bytes) -> None:
    assert read_told(body, 10, echo=False) is None
