"""RUBER's halves: a checkpoint's numbers under a signature that names it, and pooled input embeddings."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import Embeddings
from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Metric, Settings
from core.metrics.trained.odds import probability
from core.metrics.trained.ruber_scorer import RuberScorer
from core.models.catalogue import ModelRole, locate
from core.models.encoder import Encoder
from core.stories import Story, first_words
from core.training.engine.recipe import Recipe
from core.training.ruber.settings import RuberSettings
from core.training.ruber.train import train_ruber
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.union.task import STORIES

METRIC = {"ruber-u-bert": Embeddings.BERT, "ruber-u": Embeddings.WORDS}
LONG = " ".join(f"Then the dog went home {i} times." for i in range(60))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


@pytest.fixture(scope="module")
def trained(base: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checkpoint]:
    """By the metric that each is for."""
    checkpoints = {}
    for metric, kind in METRIC.items():
        layers = (2,) if kind is Embeddings.BERT else ()
        recipe = Recipe(epochs=1, learning_rate=5e-3, seed=3)
        plan = RuberSettings(layers=layers, embeddings=kind, words=40, loop=recipe, batch=8, held_out=0.2)
        folder = tmp_path_factory.mktemp(metric)
        checkpoints[metric], _ = train_ruber(
            "mine", {"a": STORIES[:20]}, plan, locate(base, ModelRole.BASE), folder, None, "cpu"
        )
    return checkpoints


def made(name: str, checkpoint: Checkpoint, base: str | None, **options: str) -> Metric:
    chosen = {"checkpoint": str(checkpoint.folder), **options}
    return build(name, Settings(model=base, device="cpu", options=chosen))


@pytest.mark.parametrize("name", METRIC)
def test_a_score_is_the_probability_that_the_story_follows(
    name: str, trained: dict[str, Checkpoint], base: str
) -> None:
    prompt, rest = STORIES[0].split(". ", 1)
    prompt += "."
    stories = [
        Story(rest, prompt), Story(STORIES[0], prompt), Story(" ", prompt), Story(prompt, prompt), Story(rest),
        Story(LONG, prompt),
    ]  # fmt: skip
    metric = made(name, trained[name], base)
    told: list[int] = []
    scores = metric.score(stories, told.append)
    assert sum(told) == len(stories)
    assert scores.reasons == {
        2: "the story is empty", 3: "the story is empty", 4: "there is no prompt that the story could follow from",
    }  # fmt: skip
    scorer = RuberScorer(trained[name], locate(base, ModelRole.BASE), "cpu")
    wanted = scorer.logits([(prompt, rest), (prompt, first_words(LONG, 40))], words=0)
    numbers = [probability(float(wanted[i])) for i in (0, 0, 1)]
    np.testing.assert_allclose(scores.values[[0, 1, 5]], numbers, atol=1e-5)
    logits = made(name, trained[name], base, of="logit").score(stories)
    np.testing.assert_allclose(logits.values[[0, 5]], wanted, atol=1e-4)
    whole = made(name, trained[name], base, first_words="all").score(stories)
    assert whole.values[0] == pytest.approx(scores.values[0], abs=1e-5)
    assert abs(whole.values[5] - scores.values[5]) > 1e-6
    assert metric.score([]).values.shape == (0,)


def test_the_signature_names_weights_and_reading(trained: dict[str, Checkpoint], base: str, tmp_path: Path) -> None:
    checkpoint = trained["ruber-u-bert"]
    moved = save(tmp_path / "moved", replace(checkpoint.card, name="renamed"), checkpoint.weights(), STORIES[:20])
    signature = made("ruber-u-bert", checkpoint, base).signature
    assert made("ruber-u-bert", moved, base).signature == signature
    assert (
        f"|checkpoint:{checkpoint.card.weights[:12]}|first_words:40|normalisation:recased|of:probability|" in signature
    )
    assert f"|model:{checkpoint.card.base}|" in signature


def test_what_fits_not_is_refused(trained: dict[str, Checkpoint], base: str, tmp_path: Path) -> None:
    states, words = trained["ruber-u-bert"], trained["ruber-u"]
    with pytest.raises(InputError, match=r"reads other embeddings: it is for the metric ruber-u-bert\.$"):
        made("ruber-u", states, base).signature  # noqa: B018
    with pytest.raises(InputError, match=r"reads other embeddings: it is for the metric ruber-u\.$"):
        made("ruber-u-bert", words, base).signature  # noqa: B018
    with pytest.raises(InputError, match="is a union, not a RUBER"):
        made("ruber-u-bert", made_checkpoint(tmp_path / "union"), base).signature  # noqa: B018
    with pytest.raises(ModelMissing, match="a model from a folder: name that folder as its base"):
        made("ruber-u-bert", states, None).signature  # noqa: B018


def test_pooled_words_piece_by_piece(base: str) -> None:
    encoder = Encoder(locate(base, ModelRole.ENCODER))
    table = encoder.model.get_input_embeddings().weight.detach()

    def pooled(text: str) -> list[float]:
        rows = table[encoder.tokenizer(text, add_special_tokens=False)["input_ids"]].tolist()
        columns = list(zip(*rows, strict=True))
        return [*map(max, columns), *map(min, columns)]

    def cosine(a: list[float], b: list[float]) -> float:
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        return dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))

    story, reference = "The dog went home.", "A cat sat down, and slept."
    metric = build("ruber-r", Settings(model=base, device="cpu"))
    stories = [
        Story(story, "", (reference,)), Story(story, "", (reference, story)), Story(story), Story("", "", (reference,)),
        Story("\u200b", "", (reference,)),
    ]  # fmt: skip
    scores = metric.score(stories)
    assert scores.values[0] == pytest.approx(cosine(pooled(story), pooled(reference)), abs=1e-6)
    assert scores.values[1] == pytest.approx(1, abs=1e-6)
    assert set(scores.reasons) == {2, 3, 4}
