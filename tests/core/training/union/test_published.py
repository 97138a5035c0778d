"""UNION's recipe `paper` against section 3.3 and 4.1 of the paper, written out story by story and piece by piece."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertModel

from core.checkpoints.checkpoint import Checkpoint, load
from core.checkpoints.kinds import Tuning
from core.errors import InputError
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.union_published import PublishedUnion, heads_of
from core.models.shape import last_of_encoder
from core.models.trunk import TunableTrunk
from core.training.engine.loop import train
from core.training.engine.recipe import PAPER_STEPS, Way
from core.training.engine.weights import numbers
from core.training.union.pairs import make_pairs
from core.training.union.settings import UnionSettings
from core.training.union.task import AsPublished, Sizes
from core.training.union.train import train_union
from tests.core.models import tiny
from tests.core.training.union.pairs import sampler
from tests.core.training.union.task import STORIES


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("bert"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


def task(base: ModelSource, weight: float = 0.1) -> AsPublished:
    pairs = make_pairs(STORIES, sampler(), 1)[0]
    trunk = TunableTrunk(base, (2,), 0)
    with numbers("cpu", 0, "heads", 0):
        head = PublishedUnion(16, trunk.model.config.vocab_size if weight else 0)
    return AsPublished(head, pairs, pairs.held_out(0.2, 1), trunk, Sizes(10, weight))


def by_hand(base: ModelSource, found: AsPublished, batch: list[int], weight: float) -> float:
    """Equations 1 to 6: BERT's own states, a story at a time without padding, a piece at a time."""
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    score, rebuild = found.head.score, found.head.rebuild
    total = 0.0
    for number in batch:
        story, human = found.pairs.texts[number], found.pairs.texts[number - number % 2]
        with torch.no_grad():
            states = bert(**words(story, return_tensors="pt")).last_hidden_state[0]
        chance = 1 / (1 + math.exp(-float(score.weight[0] @ states[0] + score.bias[0])))
        total += -math.log(chance if number % 2 == 0 else 1 - chance)
        if weight:
            assert isinstance(rebuild, torch.nn.Linear)
            wanted = words(human, add_special_tokens=False)["input_ids"]
            losses = []
            for state, piece in zip(states[1:-1], wanted, strict=False):
                with torch.no_grad():
                    logits = rebuild.weight @ state + rebuild.bias  # of the whole vocabulary
                whole = math.log(float(logits.double().exp().sum()))
                losses.append(whole - float(logits[piece]))
            total += weight * sum(losses) / len(losses)
    return total / len(batch)


@pytest.mark.parametrize("weight", [0.1, 0.0])
def test_the_loss_is_equation_6(base: ModelSource, weight: float) -> None:
    """Of two stories and a negative, whose lengths differ."""
    as_published = task(base, weight)
    as_published.module.eval()  # without dropout
    batch = [0, 3, 8]
    with torch.no_grad():
        assert float(as_published.loss(batch).total) == pytest.approx(
            by_hand(base, as_published, batch, weight), abs=1e-4
        )


def test_the_heads_are_two_linear_layers(base: ModelSource) -> None:
    as_published = task(base)
    vocabulary = as_published.base.model.config.vocab_size
    shapes = {name: tuple(item.shape) for name, item in as_published.head.state_dict().items()}
    assert shapes == {
        "score.weight": (1, 16), "score.bias": (1,),
        "rebuild.weight": (vocabulary, 16), "rebuild.bias": (vocabulary,),
    }  # fmt: skip
    assert torch.equal(as_published.head.state_dict()["rebuild.weight"], as_published.embeddings)
    assert set(task(base, 0.0).head.state_dict()) == {"score.weight", "score.bias"}
    assert as_published.head.dropout.p == 0.1


def test_all_of_bert_and_both_heads_learn(base: ModelSource, tmp_path: Path) -> None:
    """Where a gradient can reach: the pooler, which is not read, has none."""
    as_published = task(base)
    before = {name: parameter.detach().clone() for name, parameter in as_published.module.named_parameters()}
    recipe = UnionSettings(recipe=Way.PAPER, steps=2, learning_rate=1e-2).schedule
    run = train(as_published, recipe, tmp_path, device="cpu")
    assert {"classification", "reconstruction"} == set(run.steps[0].parts)
    still = {name for name, parameter in as_published.module.named_parameters() if torch.equal(parameter, before[name])}
    assert all("pooler" in name for name in still)


def test_batches_rate_and_schedule_are_section_41s(base: ModelSource) -> None:
    plan = UnionSettings(recipe=Way.PAPER).fitted(base)
    assert (plan.step_size, plan.schedule.learning_rate, plan.reconstruction) == (10, 5e-5, 0.1)
    assert (plan.schedule.steps, plan.learns, plan.layers, plan.recipe) == (PAPER_STEPS, Tuning.FULL, (2,), Way.PAPER)
    assert PAPER_STEPS == 40_000
    assert max(map(len, task(base).batches(0, 0))) == 10
    warm = 4_000
    for step in (1, 2, 1_000, warm, warm + 1, 20_000, 39_999, 40_000):
        up, down = step / (warm + 1), (40_000 - step + 1) / (40_000 - warm)
        assert plan.schedule.rate(step, 40_000) == pytest.approx(5e-5 * (up if step <= warm else down), rel=1e-12)


def made(base: ModelSource, folder: Path, reconstruction: float = 0.1) -> Checkpoint:
    plan = UnionSettings(recipe=Way.PAPER, reconstruction=reconstruction, steps=4, seed=3)
    return train_union("paper's", {"animals": STORIES}, plan, base, folder, device="cpu")[0]


@pytest.mark.parametrize("reconstruction", [0.1, 0.0])
def test_the_checkpoint_says_its_recipe_and_scores_by_cls(
    base: ModelSource, tmp_path: Path, reconstruction: float
) -> None:
    checkpoint = load(made(base, tmp_path, reconstruction).folder)
    assert checkpoint.card.recipe["recipe"] == "paper"
    assert (checkpoint.card.recipe["batch"], checkpoint.card.recipe["steps"]) == (10, 4)
    assert checkpoint.card.options["tuning"] == "full"
    scorer = Scorer(checkpoint, base, "cpu")
    assert scorer.rebuilds == bool(reconstruction)
    weights = {name: weight.float() for name, weight in checkpoint.weights().items()}
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    bert.load_state_dict({k.removeprefix("base."): v for k, v in weights.items() if k.startswith("base.")})
    expected = []
    for story in STORIES[:5]:
        with torch.no_grad():
            cls = bert(**words(scorer.prepared(story), return_tensors="pt")).last_hidden_state[0, 0]
        expected.append(float(weights["score.weight"][0] @ cls + weights["score.bias"][0]))
    assert np.allclose(scorer.logits(STORIES[:5]), expected, atol=1e-4)
    if not reconstruction:
        with pytest.raises(InputError, match="learnt without reconstruction"):
            scorer.head.rebuilt(torch.zeros(1, 16), torch.zeros(1, 16))


def test_weights_of_something_else_are_refused() -> None:
    with pytest.raises(InputError, match="no weights of a UNION"):
        heads_of({"score.weight": torch.zeros(1, 3), "odd": torch.zeros(1)})


def test_a_causal_model_has_no_cls() -> None:
    with pytest.raises(InputError, match=r"reads BERT's \[CLS\], and smollm2-135m-instruct is a causal"):
        last_of_encoder(locate("", ModelRole.BASE))
