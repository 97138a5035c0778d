"""The token view's table from a server of the bundled model is that of this machine."""

import numpy as np
import pytest

from core.errors import FabulaError, InputError
from core.judges.backends.endpoint import Endpoint
from core.judges.likelihood.table import ServedTokens
from core.models.tokens.table import read_tokens
from core.notices import collecting
from core.tokens import Mode
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import MODEL

TEXTS = ["She felt for the matches, naïve as a 🦊.", "", "It rained."]


def served(server: LikelihoodServer, top: int = 5, start: str = START) -> ServedTokens:
    return ServedTokens(Endpoint(server.address, MODEL, start=start), "", top, first_pause=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("top", [0, 5, 12])
def test_it_is_that_of_this_machine(top: int, likelihood_server: LikelihoodServer) -> None:
    done: list[tuple[int, int]] = []
    mine = read_tokens(TEXTS, top=top)
    theirs = served(likelihood_server, top).read(TEXTS, lambda *numbers: done.append(numbers))
    assert done == [(1, 2), (2, 2)]
    for one, other in zip(mine, theirs, strict=True):
        assert (other.text, other.mode, len(other)) == (one.text, Mode.CAUSAL, len(one))
        for name in ("starts", "ends", "words", "rank"):
            assert getattr(other, name).tolist() == getattr(one, name).tolist()
        for name in ("log_p", "fraction", "entropy", "top_p"):
            assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-4)
            assert getattr(other, name).shape == getattr(one, name).shape
        plain = [[text for text in row if "\\x" not in text] for row in one.top]
        assert [[text for text in row if "\ufffd" not in text] for row in other.top] == plain
    assert theirs[0].model == f"{MODEL}@{likelihood_server.address.split('/')[2]}"


def test_without_its_first_token(likelihood_server: LikelihoodServer) -> None:
    with collecting() as notices:
        (table,) = served(likelihood_server, start="").read(["It rained all day."])
    assert "first token has no likelihood" in notices[0]
    assert table.starts[0] == len("It")
    assert table.ends[-1] == len(table.text)
    assert np.isfinite(table.log_p).all()


def test_what_cannot_be_read(likelihood_server: LikelihoodServer) -> None:
    """The old form tells no ranks, and a server may name fewer tokens than are wanted."""
    with pytest.raises(InputError, match="cannot be shown"):
        served(likelihood_server, -1)
    with pytest.raises(FabulaError, match="greater than max allowed: 20"):
        served(likelihood_server, 40).read(TEXTS)
    likelihood_server.most, likelihood_server.quietly = 5, True
    with pytest.raises(FabulaError, match="tells too little of each token"):
        served(likelihood_server).read(TEXTS)
    likelihood_server.knows = ("echo",)
    with pytest.raises(FabulaError, match="tells no likelihoods"):
        served(likelihood_server).read(TEXTS)
    likelihood_server.knows, likelihood_server.most, likelihood_server.window = ("prompt_logprobs",), 20, 8
    with pytest.raises(FabulaError, match="A text cannot be read: The story and what is asked of it are too long"):
        served(likelihood_server).read([TEXTS[2], TEXTS[0]])
