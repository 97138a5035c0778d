"""The metric: sentences judged once, wherever they stand, and averaged."""

import numpy as np
import pytest

from core.errors import InputError
from core.metrics.acceptability import Acceptability
from core.metrics.base import Settings
from core.metrics.referenced import EMPTY_STORY
from core.models.acceptability.probability import acceptability
from core.models.acceptability.weights import revision
from core.models.catalogue import MINILM
from core.stories import Story

SENTENCES = [
    "The old man walked down to the harbour.",
    "His boat was gone, and so was his dog.",
    "Boat the was dog his gone and.",
    "Nobody had seen them leaves.",
]


@pytest.fixture(scope="module")
def judged() -> dict[str, float]:
    return dict(zip(SENTENCES, acceptability(SENTENCES, "cpu").tolist(), strict=True))


def values(*texts: str, **options: str) -> np.ndarray:
    return Acceptability(Settings(device="cpu", options=options)).score([Story(text) for text in texts]).values


def test_a_story_is_the_mean_of_its_sentences(judged: dict[str, float]) -> None:
    expected = np.mean(list(judged.values()))
    assert values(" ".join(SENTENCES)) == pytest.approx(expected, abs=1e-5)
    assert values(SENTENCES[0]) == pytest.approx(judged[SENTENCES[0]], abs=1e-5)
    assert all(0 <= value <= 1 for value in judged.values())


def test_or_the_share_of_sentences_that_are_accepted(judged: dict[str, float]) -> None:
    accepted = [value >= 0.5 for value in judged.values()]
    assert 0 < sum(accepted) < len(accepted)
    assert values(" ".join(SENTENCES), of="share") == pytest.approx(np.mean(accepted))


def test_a_number_does_not_depend_on_what_stands_beside_it() -> None:
    long = "The old man walked and walked " + "and walked " * 300 + "down to the harbour."
    together = values(*SENTENCES, long, "Yes.")
    apart = [values(text)[0] for text in (*SENTENCES, long, "Yes.")]
    assert together == pytest.approx(apart, abs=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_story_has_no_number(text: str) -> None:
    scores = Acceptability(Settings(device="cpu")).score([Story(text), Story("Yes.")])
    assert np.isnan(scores.values[0])
    assert not np.isnan(scores.values[1])
    assert scores.reasons == {0: EMPTY_STORY}


def test_progress_counts_stories() -> None:
    seen: list[int] = []
    Acceptability(Settings(device="cpu")).score([Story("Yes."), Story("")], seen.append)
    assert sum(seen) == 2


def test_normalisation_comes_first() -> None:
    assert values("[MALE] didn ' t go .", normalisation="named") == pytest.approx(values("Tom didn't go."), abs=1e-5)


def test_the_signature_names_encoder_and_head() -> None:
    signature = Acceptability().signature
    assert signature.startswith(f"acceptability|model:{MINILM}@0.1.0|dtype:float32|")
    assert f"|head:{revision()}|" in signature


def test_another_encoder_is_refused() -> None:
    Acceptability(Settings(model=MINILM))
    with pytest.raises(
        InputError, match="was trained on all-minilm-l6-v2 and runs on no other encoder: leave bert out"
    ):
        Acceptability(Settings(model="bert"))
