"""A judge on a server: what its signature names, what it costs, and with which run it goes."""

from dataclasses import replace

import pytest

from core.errors import InputError
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.metrics import build
from core.metrics.base import Settings
from core.metrics.judging.judge import Judge
from core.metrics.run import checked, endpoint_of, steps

AT = Endpoint("https://api.example.org/v1", "big-model", prompt_price=1.0, reply_price=2.0, most_tokens=10)
RUN = {"metrics": ["judge", "judge:coherence", "words"], "judge": {"endpoint": AT.as_settings()}}


def judge(**options: str) -> Judge:
    metric = build("judge", Settings(endpoint=AT, options=options))
    assert isinstance(metric, Judge)
    return metric


def test_its_signature_names_the_model_and_where_it_is() -> None:
    signature = judge().signature
    assert signature.startswith("judge:overall|model:big-model@api.example.org|")
    assert "dtype" not in signature
    here = build("judge").signature
    assert "dtype:float32" in here
    assert signature.split("|")[2:] == here.split("|")[3:]


def test_how_replies_are_drawn_is_the_judge_s_option() -> None:
    backend = judge(samples="5").backend
    assert isinstance(backend, EndpointBackend)
    assert backend.endpoint == replace(AT, temperature=1.0)
    assert judge().spent is not None
    assert Judge().spent is None


def test_what_it_would_cost() -> None:
    found = judge(samples="5").estimate(AT, 4, 400)
    assert (found.requests, found.reply_tokens) == (20, 200)
    instructions = 4 * found.prompt_tokens / 20 - 100
    assert 300 < instructions < 5000
    assert found.cost == pytest.approx((found.prompt_tokens + 400) / 1e6)


def test_runs() -> None:
    kept = checked(RUN)
    assert endpoint_of(kept) == AT
    assert endpoint_of({"metrics": ["judge"]}) is None
    assert [step.key for step in steps(kept)] == [
        "words",
        "big-model@api.example.org judge",
        "big-model@api.example.org judge:coherence",
    ]
    with pytest.raises(InputError, match="no judge is among"):
        checked({**RUN, "metrics": ["words"]})
