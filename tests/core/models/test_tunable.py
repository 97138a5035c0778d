"""A language model that learns: its loss against the model that scores, its gradient, and what it learnt put in."""

from functools import partial
from pathlib import Path

import pytest
import torch

from core.errors import InputError
from core.models.adapter import LowRank
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.language import LanguageModel
from core.models.trunk import pieces_of, put_learnt
from core.models.tunable import TunableLanguageModel
from tests.core.models import tiny
from tests.likelihoods import likelihoods

TEXTS = ["The dog came home. Nobody had seen it for a week.", "Hi.", "A cat slept on the warm stone."]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 32, "initializer_range": 0.5}
    return locate(
        tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options), ModelRole.BASE
    )


def learnt(base: ModelSource, precision: str = "float32") -> TunableLanguageModel:
    """With adapters that are not nothing any more."""
    with torch.random.fork_rng():
        torch.manual_seed(2)
        model = TunableLanguageModel(base, 2, precision)
        for name, item in model.model.named_parameters():
            if name.endswith(".up"):
                torch.nn.init.normal_(item, std=0.3)
    model.model.eval()
    return model


def nlls(model: TunableLanguageModel, texts: list[str]) -> list[float]:
    """Of each text alone."""
    with torch.no_grad():
        return [float(model.nll([ids])[0]) for ids in pieces_of(model.tokenizer, texts)]


def test_its_loss_is_what_the_scoring_model_says(base: ModelSource) -> None:
    model = TunableLanguageModel(base, 2)
    wanted = likelihoods(LanguageModel(base), [("", text) for text in TEXTS])
    assert nlls(model, TEXTS) == pytest.approx([likelihood.nll for likelihood in wanted], rel=1e-5)
    together, pieces = model.nll(pieces_of(model.tokenizer, TEXTS))
    assert pieces == sum(likelihood.tokens for likelihood in wanted)
    assert float(together.detach()) == pytest.approx(sum(likelihood.nll for likelihood in wanted), rel=1e-5)


def test_only_the_adapters_learn_and_their_gradient_is_the_slope(base: ModelSource) -> None:
    model = learnt(base)
    ids = pieces_of(model.tokenizer, TEXTS)
    model.nll(ids)[0].backward()
    assert {name for name, item in model.model.named_parameters() if item.grad is not None} == set(model.learnt())
    grown = [module for module in model.model.modules() if isinstance(module, LowRank)]
    assert len(grown) == 4
    for low_rank in grown:
        for weights in (low_rank.up, low_rank.down):
            assert weights.grad is not None
            at = divmod(int(weights.grad.abs().argmax()), weights.shape[1])
            slope, step = float(weights.grad[at]), 1e-2
            with torch.no_grad():
                values = []
                for sign in (1, -1):
                    weights[at] += sign * step
                    values.append(float(model.nll(ids)[0]))
                    weights[at] -= sign * step
            assert (values[0] - values[1]) / (2 * step) == pytest.approx(slope, rel=0.03)


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-5), ("bfloat16", 0.03)])
def test_what_was_learnt_is_put_into_the_scoring_model(base: ModelSource, precision: str, tolerance: float) -> None:
    model = learnt(base)
    scoring = LanguageModel(base, "cpu", precision, partial(put_learnt, rank=2, weights=model.learnt()))
    result = [likelihood.nll for likelihood in likelihoods(scoring, [("", text) for text in TEXTS])]
    assert result == pytest.approx(nlls(model, TEXTS), rel=tolerance)
    untouched = [likelihood.nll for likelihood in likelihoods(LanguageModel(base), [("", text) for text in TEXTS])]
    assert abs(result[0] - untouched[0]) > 0.1


def test_in_half_precision_it_learns_the_same(base: ModelSource) -> None:
    exact, half = learnt(base), learnt(base, "bfloat16")
    assert {tensor.dtype for tensor in half.learnt().values()} == {torch.float32}
    assert nlls(half, TEXTS) == pytest.approx(nlls(exact, TEXTS), rel=0.03)


def test_weights_of_another_base_are_refused(base: ModelSource, tmp_path: Path) -> None:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 32, "hidden_size": 32}
    other = locate(tiny.save(tmp_path / "other", "LlamaForCausalLM", ModelRole.LANGUAGE, **options), ModelRole.BASE)
    weights = learnt(base).learnt()
    with pytest.raises(InputError, match=r"of another base: its model\.layers\.0.* is of another size"):
        LanguageModel(other, learnt=partial(put_learnt, rank=2, weights=weights))
    with pytest.raises(InputError, match=r"of another base: it has no nothing\.down"):
        LanguageModel(base, learnt=partial(put_learnt, rank=2, weights={"nothing.down": torch.zeros(2, 2)}))
