"""Metrics of a language model that runs on a server: their numbers, signatures and runs."""

import numpy as np
import pytest

from core.errors import InputError
from core.judges.backends.endpoint import Endpoint
from core.judges.study import JudgedStudy
from core.metrics import build
from core.metrics.base import Settings
from core.metrics.naming import label
from core.metrics.perplexity import TOO_FEW
from core.metrics.run import checked, steps
from core.stories import Story
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import MODEL

STORIES = [
    Story("She felt for the matches. There were none.", "The lamp went out."),
    Story("", "The lamp went out."),
    Story("It rained all day.", ""),
]
FAMILY = ("perplexity", "perplexity-exp", "fp", "top-10", "entropy")
AT = Endpoint("https://api.example.org/v1", "org/big", start=START)


@pytest.mark.slow
def test_the_family_gives_this_machine_s_numbers_of_two_passes(likelihood_server: LikelihoodServer) -> None:
    """One for what the story is given its prompt, one for the story alone."""
    settings = Settings(
        device="cpu", endpoint=Endpoint(likelihood_server.address, MODEL, start=START), judged=JudgedStudy()
    )
    for name in FAMILY:
        here, there = (build(name, one).score(STORIES) for one in (Settings(device="cpu"), settings))
        assert there.values == pytest.approx(here.values, abs=1e-3 if name == "perplexity-exp" else 1e-4, nan_ok=True)
        assert there.reasons == here.reasons
    assert len(likelihood_server.asked) == 3  # a story without a prompt is the same in both
    fewer = [build(name, settings) for name in FAMILY]
    assert [metric.spent.replies for metric in fewer if metric.spent] == [0] * 5
    first = build("fp", Settings(device="cpu", endpoint=settings.endpoint, options={"first": "50"}))
    assert set(first.score(STORIES).reasons.values()) == {"the story has fewer than 50 tokens", "the story is empty"}


def test_what_a_server_does_not_tell_is_undefined(likelihood_server: LikelihoodServer) -> None:
    likelihood_server.most = 5
    settings = Settings(endpoint=Endpoint(likelihood_server.address, MODEL, start=START), judged=JudgedStudy())
    found = {name: build(name, settings).score(STORIES[:1]) for name in FAMILY}
    assert [name for name in FAMILY if found[name].reasons] == ["top-10", "entropy"]
    assert found["entropy"].reasons == {0: TOO_FEW}
    assert np.isnan(found["top-10"].values[0])


def test_signatures() -> None:
    signature = build("perplexity", Settings(endpoint=AT)).signature
    assert signature.startswith("perplexity|model:org/big@api.example.org|start:<%7Cendoftext%7C>|")
    assert "dtype" not in signature
    here = build("perplexity", Settings(device="cpu")).signature
    assert signature.split("|")[3:] == here.split("|")[3:]
    assert label("perplexity", signature) == "big"
    unsaid = build("fp", Settings(endpoint=Endpoint(AT.address, "m"))).signature
    assert "|start:server|" in unsaid
    words = build("words", Settings(endpoint=AT))
    assert (words.endpoint, words.spent, words.estimate(AT, 1, 1)) == (None, None, None)


def test_what_cannot_be() -> None:
    with pytest.raises(InputError, match=r"reads a text whole: leave fp\.window"):
        build("fp", Settings(endpoint=AT, options={"window": "512"}))
    with pytest.raises(InputError, match="as the model's tokenizer has it"):
        Endpoint(AT.address, "m", start="two\nlines")


def test_what_it_would_take() -> None:
    found = build("perplexity", Settings(endpoint=AT)).estimate(Endpoint(AT.address, "m", prompt_price=2.0), 4, 400)
    assert found is not None
    assert (found.requests, found.prompt_tokens, found.reply_tokens) == (4, 100, 4)
    assert found.cost == pytest.approx(100 * 2 / 1e6)


def test_runs() -> None:
    run = {"metrics": ["judge", "perplexity", "fp", "words"], "judge": {"endpoint": AT.as_settings()}}
    kept = checked(run)
    assert kept["judge"]["endpoint"]["start"] == START
    assert "start" not in Endpoint(AT.address, "m").as_settings()  # as jobs had it before
    name = "org/big@api.example.org"
    assert [(step.key, step.metrics) for step in steps(kept)] == [
        ("words", ("words",)),
        (f"{name} judge", ("judge",)),
        (name, ("perplexity", "fp")),
    ]
    with pytest.raises(InputError, match="leave one of them out"):
        checked({**run, "models": {"language": "gpt2"}})
    with pytest.raises(InputError, match="no judge is among the metrics of this run, nor a language model's"):
        checked({**run, "metrics": ["words"]})
