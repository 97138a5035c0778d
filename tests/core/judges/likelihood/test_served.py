"""Likelihoods from a server of the bundled model are those of this machine, and what a server cannot tell is not
guessed.
"""

from collections.abc import Callable

import numpy as np
import pytest

from core.errors import FabulaError
from core.judges.asking import Reply, Request
from core.judges.backends.endpoint import Endpoint
from core.judges.likelihood.reading import UNSPELT
from core.judges.likelihood.served import ServedLanguageModel
from core.judges.study import ReplyMemory
from core.models.catalogue import ModelRole, locate
from core.models.runtime import language_model
from core.models.statistics import Rows
from core.notices import collecting
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import GARBLED, MODEL, JudgeServer, Spoilt

PAIRS = [
    ("The lamp went out.", "She felt for the matches. There were none."),
    ("Ends in 🦊", "🦊 ran — naïve café 日本語 — away."),
    ("", "It rained all day, and the 🦊 slept."),
    ("Once", "upon"),
]
FORMS = ("prompt_logprobs", "echo")
Served = Callable[..., ServedLanguageModel]


@pytest.fixture
def served(likelihood_server: LikelihoodServer) -> Served:
    def made(store: ReplyMemory | None = None, **settings: object) -> ServedLanguageModel:
        given = {"start": START, "patience": 20.0, **settings}
        endpoint = Endpoint(likelihood_server.address, MODEL, **given)  # type: ignore[arg-type]
        return ServedLanguageModel(endpoint, "", store or ReplyMemory(), first_pause=0.01)

    return made


def here(pairs: list[tuple[str, str]], **options: int) -> list[Rows]:
    return language_model(locate(None, ModelRole.LANGUAGE), "cpu", "float32").measures(pairs, **options)


def rows_of(model: ServedLanguageModel, pairs: list[tuple[str, str]], first: int | None = None) -> list[Rows]:
    result = []
    for rows in model.measures(pairs, [""] * len(pairs), first=first):
        assert not isinstance(rows, str), rows
        result.append(rows)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_they_are_those_of_this_machine(form: str, served: Served, likelihood_server: LikelihoodServer) -> None:
    """In the old form places where two of the likeliest tokens have one text, as parts of characters have, are left
    open.
    """
    likelihood_server.knows = (form,)
    for mine, theirs in zip(here(PAIRS), rows_of(served(), PAIRS), strict=True):
        assert theirs.shape == mine.shape
        open_ones = np.isnan(theirs)
        assert not open_ones[:, 0].any()
        assert not open_ones.any() or form == "echo"
        assert theirs[~open_ones] == pytest.approx(mine[~open_ones], abs=1e-4)
    for mine, theirs in zip(here(PAIRS, first=5), rows_of(served(), PAIRS, first=5), strict=True):
        assert theirs[:, 0] == pytest.approx(mine[:, 0], abs=1e-4)


@pytest.mark.slow
def test_a_server_that_begins_texts_itself(served: Served, likelihood_server: LikelihoodServer) -> None:
    likelihood_server.begins = True
    for start in ("", START):  # named as well, it is asked to add none
        for mine, theirs in zip(here(PAIRS), rows_of(served(start=start), PAIRS), strict=True):
            assert theirs == pytest.approx(mine, abs=1e-4)


def test_without_a_start_the_first_token_is_left_out(served: Served, likelihood_server: LikelihoodServer) -> None:
    with collecting() as notices:
        given, alone = rows_of(served(start=""), [PAIRS[0], PAIRS[2]])
    assert (len(given), len(alone)) == (len(here([PAIRS[0]])[0]), len(here([PAIRS[2]])[0]) - 1)
    assert len(notices) == 1
    assert "first token has no likelihood" in notices[0]
    assert served(start="").measures([("", "Rain")], [""])[0] == (
        "the story is a single token, of which the endpoint tells no likelihood, as nothing stands before it"
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_start_that_does_not_fit(form: str, served: Served, likelihood_server: LikelihoodServer) -> None:
    likelihood_server.knows = (form,)
    (reason,) = served(start="Once upon a time").measures([PAIRS[0]], [""])
    assert "does not read the start 'Once upon a time' as one token" in str(reason)
    likelihood_server.knows, likelihood_server.begins = ("echo",), True
    (reason,) = served().measures([PAIRS[0]], [""])
    assert "puts a token of its own before a text" in str(reason)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("quietly", [False, True])
def test_five_of_the_likeliest(form: str, quietly: bool, served: Served, likelihood_server: LikelihoodServer) -> None:
    """Perplexity and Fp are there, the others are open."""
    likelihood_server.knows, likelihood_server.most, likelihood_server.quietly = (form,), 5, quietly
    (mine,), (theirs,) = here([PAIRS[0]]), rows_of(served(), [PAIRS[0]])
    assert theirs[:, :2] == pytest.approx(mine[:, :2], abs=1e-4)
    assert np.isnan(theirs[:, 3]).all()
    known = ~np.isnan(theirs[:, 2])
    assert (theirs[known, 2] == 1).all()
    assert (mine[known, 2] == 1).all()
    assert not known.all()


@pytest.mark.parametrize(
    "refuses", ["", "Only no echo is supported", "Unrecognized request argument supplied: {}, logprobs"]
)
def test_a_server_that_tells_none(refuses: str, served: Served, likelihood_server: LikelihoodServer) -> None:
    likelihood_server.knows, likelihood_server.refuses = (), refuses
    with pytest.raises(FabulaError, match="tells no likelihoods of a text that it reads") as raised:
        served().measures(PAIRS, [""] * len(PAIRS))
    assert len(likelihood_server.asked) <= 6
    assert str(raised.value).count(". ") == 0


def test_a_failure_that_is_a_refusal(served: Served, likelihood_server: LikelihoodServer) -> None:
    """As llama.cpp's server says it, after it has passed over vLLM's field."""
    likelihood_server.knows = ()
    body = b'{"error": {"code": 500, "message": "Only no echo is supported", "type": "server_error"}}'
    likelihood_server.spoilt.extend([Spoilt(seconds=0.01), *[Spoilt(status=500, body=body)] * 5])
    with pytest.raises(FabulaError, match="tells no likelihoods of a text that it reads"):
        served().measures(PAIRS, [""] * len(PAIRS))


def test_entries_that_are_missing(served: Served, likelihood_server: LikelihoodServer) -> None:
    """As after a prefix that a server had kept: their number, or their texts, say so."""
    likelihood_server.loses = 3
    likelihood_server.token_ids = False
    for start, counts in ((START, True), ("", True), (START, False)):
        likelihood_server.counts_tokens = counts
        assert served(start=start).measures(PAIRS[:1], [""]) == [UNSPELT]


def test_a_story_that_is_too_long(served: Served, likelihood_server: LikelihoodServer) -> None:
    likelihood_server.window = 16
    short, long = served().measures([PAIRS[3], ("", "It rained. " * 20)], ["", ""])
    assert not isinstance(short, str)
    assert "too long for" in str(long)


def test_failures_are_tried_again(served: Served, likelihood_server: LikelihoodServer) -> None:
    likelihood_server.spoilt.extend(
        [Spoilt(status=429, retry_after="0"), Spoilt(status=503), Spoilt(), Spoilt(body=GARBLED)]
    )
    (mine,), (theirs,) = here([PAIRS[0]]), rows_of(served(), [PAIRS[0]])
    assert theirs == pytest.approx(mine, abs=1e-4)
    assert len(likelihood_server.asked) == 5


def test_nothing_is_asked_twice(served: Served, likelihood_server: LikelihoodServer) -> None:
    kept: list[tuple[str, Request]] = []

    class Store(ReplyMemory):
        def keep(self, model: str, request: Request, reply: Reply) -> None:
            kept.append((model, request))
            super().keep(model, request, reply)

    store, done = Store(), list[int]()
    pairs = [PAIRS[0], ("", ""), PAIRS[0], PAIRS[3]]
    model = served(store, prompt_price=1.0)
    first = model.measures(pairs, ["a", "b", "c", "d"], done.append)
    assert (sum(done), len(likelihood_server.asked)) == (4, 2)
    assert len(first[1]) == 0
    assert {(name, request.content_hash) for name, request in kept} == {
        (f"likelihood of {MODEL}@{likelihood_server.address.split('/')[2]}", "c"),
        (f"likelihood of {MODEL}@{likelihood_server.address.split('/')[2]}", "d"),
    }
    assert (model.spent.replies, model.spent.reply_tokens) == (2, 2)
    assert model.spent.cost > 0
    again = served(store).measures(pairs, [""] * 4, done.append)
    assert (sum(done), len(likelihood_server.asked)) == (8, 2)
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one, other)
    served(store, start="").measures(pairs, [""] * 4)
    assert len(likelihood_server.asked) == 4


def test_what_is_sent(served: Served, likelihood_server: LikelihoodServer) -> None:
    served().measures([PAIRS[0]], [""])
    (asked,) = likelihood_server.asked
    assert asked.body == {
        "model": MODEL,
        "prompt": f"{START}{PAIRS[0][0]} {PAIRS[0][1]}",
        "max_tokens": 1,
        "temperature": 1.0,
        "prompt_logprobs": 10,
        "return_token_ids": True,
        "add_special_tokens": False,
    }


def test_a_server_without_the_old_api(judge_server: JudgeServer) -> None:
    """It has the model, for chat alone."""
    served = ServedLanguageModel(Endpoint(judge_server.address, MODEL), "", ReplyMemory(), first_pause=0.01)
    with pytest.raises(FabulaError, match=f"has {MODEL}, but no completions at {judge_server.address}"):
        served.measures(PAIRS, [""] * len(PAIRS))
