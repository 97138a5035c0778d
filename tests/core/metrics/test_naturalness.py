"""Fp, the ten likeliest, entropy, and Fp under a masked model; of all tokens or of the first so many."""

import math
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Metric, Settings
from core.models.catalogue import ModelRole, locate
from core.models.runtime import language_model, masked_model
from core.models.tokens.table import read_tokens
from core.stories import Story
from core.tokens import Mode
from tests.core.models.tiny import save

TEXT = "The lamp went out, and Nora felt for the matches on the shelf, but there were none left in the box."
STORIES = [Story(TEXT), Story("Once."), Story(""), Story(" ".join(reversed(TEXT.split())))]
TOO_SHORT = "the story has fewer than 12 tokens"


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A masked model of random weights that reads 16 pieces at a time."""
    folder = tmp_path_factory.mktemp("masked")
    options = {"max_position_embeddings": 16, "initializer_range": 0.5}
    return save(folder, "BertForMaskedLM", ModelRole.ENCODER, **options)


def made(name: str, **options: str) -> Metric:
    return build(name, Settings(device="cpu", options=options))


def test_each_is_the_mean_of_a_column_of_the_table() -> None:
    tables = read_tokens([story.text for story in STORIES], device="cpu")
    expected = {
        "fp": [-table.fraction.mean() for table in tables if len(table)],
        "top-10": [-(table.rank < 10).mean() for table in tables if len(table)],
        "entropy": [table.entropy.mean() for table in tables if len(table)],
    }
    assert len(set(expected["top-10"])) > 1
    for name, values in expected.items():
        scores = made(name).score(STORIES)
        np.testing.assert_allclose(scores.values[[0, 1, 3]], values, atol=2e-5)
        assert scores.reasons == {2: "the story is empty"}
        cut = made(name, first="12").score(STORIES)
        assert cut.reasons == {1: TOO_SHORT, 2: "the story is empty"}
        column = {"fp": tables[0].fraction, "top-10": tables[0].rank < 10, "entropy": tables[0].entropy}[name]
        mean = column[:12].mean()
        assert cut.values[0] == pytest.approx(mean if name == "entropy" else -mean, abs=2e-5)


def test_shuffled_words_look_more_human_and_repetition_less() -> None:
    """What the cards say of their blind spots."""
    stories = [Story(TEXT), STORIES[3], Story("It went out. " * 9)]
    for name in ("fp", "top-10", "entropy"):
        plain, shuffled, repeated = made(name).score(stories).values
        assert repeated < plain < shuffled, name


def test_first_tokens_need_no_pass_where_the_whole_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    model = language_model(locate(None, ModelRole.LANGUAGE), "cpu", "float32")
    model._memory.clear()
    alone = made("fp", first="12").score(STORIES).values
    again = made("fp", first="12", of="story-alone").score(STORIES).values
    np.testing.assert_array_equal(alone, again)
    made("fp").score(STORIES)
    monkeypatch.setattr(model, "_forward", None)  # a further pass would call it
    np.testing.assert_allclose(made("fp", first="3").score(STORIES).values[1], np.nan)
    model._memory = type(model._memory)(model._memory.limit)
    with pytest.raises(TypeError):
        made("fp", first="3").score(STORIES)


def test_first_stands_in_the_signature_where_it_cuts() -> None:
    """Scores of whole stories were stored before there was a choice: they keep their signature."""
    for name in ("fp", "top-10", "entropy"):
        assert "first:" not in made(name).signature.replace("first_words:", "")
        assert "|first:50|" in made(name, first="50").signature
    for value in ("0", "-1", "half"):
        with pytest.raises(InputError, match="or a number of tokens"):
            made("fp", first=value)


@pytest.mark.parametrize("mode", ["masked", "unmasked"])
def test_masked_fp_is_the_tables(masked: str, mode: str) -> None:
    settings = Settings(model=masked, device="cpu", options={"mode": mode})
    seen: list[int] = []
    metric = build("fp-masked", settings)
    scores = metric.score([*STORIES, STORIES[0]], seen.append)
    assert sum(seen) == 5
    tables = read_tokens([story.text for story in STORIES], model=masked, mode=Mode(mode), device="cpu")
    for index in (0, 1, 3):
        assert scores.values[index] == pytest.approx(-tables[index].fraction.mean(), abs=2e-5)
    assert scores.values[4] == scores.values[0]
    assert scores.reasons == {2: "the story is empty"}
    assert f"|mode:{mode}|" in metric.signature
    assert "|first:" not in metric.signature


def test_masked_fp_of_the_first_tokens_does_not_see_the_others(masked: str) -> None:
    options = {"first": "12"}
    metric = build("fp-masked", Settings(model=masked, device="cpu", options=options))
    scores = metric.score(STORIES)
    assert scores.reasons == {1: TOO_SHORT, 2: "the story is empty"}
    model = masked_model(locate(masked, ModelRole.MASKED), "cpu", "float32")
    ids = model.tokenizer(TEXT, add_special_tokens=False)["input_ids"][:12]
    cut = model.tokenizer.decode(ids)
    (table,) = read_tokens([cut], model=masked, mode=Mode.MASKED, device="cpu")
    assert len(table) == 12
    assert scores.values[0] == pytest.approx(-table.fraction.mean(), abs=2e-5)
    assert "|first:12|" in metric.signature


def test_a_model_of_the_other_kind_is_refused_and_none_is_bundled(masked: str, tmp_path: Path) -> None:
    causal = save(tmp_path, "LlamaForCausalLM", ModelRole.LANGUAGE, num_key_value_heads=2)
    with pytest.raises(ModelMissing, match="is LlamaForCausalLM, but here a masked language model is needed"):
        build("fp-masked", Settings(model=causal)).score(STORIES)
    with pytest.raises(ModelMissing, match="is BertForMaskedLM, but here a causal language model is needed"):
        build("fp", Settings(model=masked)).score(STORIES)
    with pytest.raises(
        ModelMissing, match="does not come with Fabula: download a masked language model, such as bert-base-cased"
    ):
        build("fp-masked").score(STORIES)
    assert math.isfinite(build("fp-masked", Settings(model=masked, device="cpu")).score(STORIES).values[0])
