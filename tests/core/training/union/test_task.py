"""UNION over a frozen base: the task, what it reads, and that it learns."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import InputError
from core.models.catalogue import ModelRole, locate
from core.models.heads.union import UnionHead, classification_loss, reconstruction_loss
from core.models.trunk import Trunk, TunableTrunk, put_learnt
from core.training.engine import hidden_states as kept
from core.training.engine.hidden_states import Readings, read_all
from core.training.engine.loop import train
from core.training.engine.recipe import Recipe
from core.training.union.pairs import StoryPairs, make_pairs
from core.training.union.task import POSITIONS, FrozenUnion, Sizes, TunedUnion
from tests.core.models import tiny
from tests.core.training.union.pairs import sampler
from tests.core.training.union.task import STORIES


@pytest.fixture(scope="module")
def trunk(tmp_path_factory: pytest.TempPathFactory) -> Trunk:
    folder = tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return Trunk(locate(folder, ModelRole.ENCODER), (1, 2))


@pytest.fixture(scope="module")
def pairs() -> StoryPairs:
    return make_pairs(STORIES, sampler(), 1)[0]


@pytest.fixture(scope="module")
def readings(trunk: Trunk, pairs: StoryPairs, tmp_path_factory: pytest.TempPathFactory) -> Readings:
    return read_all(trunk, pairs.texts, tmp_path_factory.mktemp("readings"))


@pytest.fixture
def task(trunk: Trunk, pairs: StoryPairs, readings: Readings) -> FrozenUnion:
    torch.manual_seed(0)
    embeddings = trunk.model.get_input_embeddings().weight.detach()
    return FrozenUnion(UnionHead(2, 16), pairs, pairs.held_out(0.2, 1), readings, embeddings, Sizes(batch=8))


def test_what_is_kept_is_what_the_trunk_reads(trunk: Trunk, pairs: StoryPairs, readings: Readings) -> None:
    assert len(readings) == len(pairs.texts)
    for i in (0, 5, len(pairs.texts) - 1):
        (alone,) = trunk.read([pairs.texts[i]])
        assert torch.equal(readings.ids[i], alone.ids)
        assert torch.allclose(readings.pieces(i).float(), alone.pieces.float(), atol=2e-3)
        assert torch.allclose(readings.layers[i], alone.layers, atol=1e-5)
        assert torch.allclose(readings.whole[i], alone.whole, atol=1e-5)


def test_after_an_interruption_only_the_rest_is_read(
    trunk: Trunk, pairs: StoryPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "TEXTS_A_BLOCK", 20)
    read: list[int] = []
    whole = Trunk.read

    def counted(self: Trunk, texts: tuple[str, ...], done: object = None) -> object:
        if len(read) == 2:
            raise KeyboardInterrupt
        read.append(len(texts))
        return whole(self, texts)

    monkeypatch.setattr(Trunk, "read", counted)
    with pytest.raises(KeyboardInterrupt):
        read_all(trunk, pairs.texts, tmp_path)
    monkeypatch.setattr(Trunk, "read", lambda self, texts, done=None: read.append(len(texts)) or whole(self, texts))
    told: list[int] = []
    result = read_all(trunk, pairs.texts, tmp_path, told.append)
    assert sum(read) == len(pairs.texts)
    assert len(result) == len(pairs.texts)
    assert sum(told) == 40  # those that were there; the others are told by the trunk itself
    turned = read_all(trunk, [*pairs.texts[::-1], pairs.texts[0]], tmp_path)
    assert sum(read) == len(pairs.texts)  # in another order, and one twice
    n = len(result)
    for mine, other in ((0, n - 1), (0, n), (3, n - 4), (n - 1, 0)):
        assert torch.equal(result.ids[mine], turned.ids[other])
        assert torch.equal(result.pieces(mine), turned.pieces(other))
        assert torch.equal(result.layers[mine], turned.layers[other])
    read_all(Trunk(trunk.source, (2,)), pairs.texts[:3], tmp_path)  # another layer is another reading
    assert sum(read) == len(pairs.texts) + 3
    (tmp_path / "damaged.safetensors").write_bytes(b"none")
    with pytest.raises(InputError, match=r"damaged\.safetensors is no safetensors file"):
        read_all(trunk, pairs.texts, tmp_path)


def test_batches_hold_every_story_that_is_not_held_out_once(task: FrozenUnion) -> None:
    result = [i for batch in task.batches(0, 1) for i in batch]
    assert sorted(result) == task.trained.tolist()
    assert not set(result) & set(task.held.tolist())
    assert {i // 2 for i in task.held} == set(np.flatnonzero(task.pairs.held_out(0.2, 1)))
    assert task.batches(0, 1) == task.batches(0, 1) != task.batches(1, 1)


def test_the_loss_is_the_two_losses_on_the_readings(task: FrozenUnion, readings: Readings) -> None:
    task.head.eval()
    batch = [0, 1, 7]
    torch.manual_seed(5)  # of the positions that are drawn
    losses = task.loss(batch)
    width = max(len(readings.ids[i]) for i in batch)
    pieces, content = torch.zeros(3, width, 16), torch.zeros(3, width, dtype=torch.bool)
    for row, i in enumerate(batch):
        pieces[row, : len(readings.ids[i])] = readings.pieces(i).float()
        content[row, : len(readings.ids[i])] = True
    logits, narrow = task.head(readings.layers[batch], readings.whole[batch], pieces, content)
    first = classification_loss(logits, torch.tensor([True, False, False]))
    targets = [readings.ids[0], readings.ids[0], readings.ids[6]]  # a negative's target is the human story
    vocabulary = torch.unique(torch.cat([*targets, readings.ids[1], readings.ids[7]]))
    torch.manual_seed(5)
    second = reconstruction_loss(task.head, narrow, content, targets, task.embeddings, vocabulary, POSITIONS)
    assert losses.weight == 3
    assert losses.total.item() == pytest.approx((first + 0.1 * second).item(), abs=1e-5)


def test_it_learns_and_reconstruction_can_be_left_out(task: FrozenUnion, tmp_path: Path) -> None:
    """Pairs that it was trained on, with a base of random weights: more than chance is all that can be asked."""
    run = train(task, Recipe(epochs=12, learning_rate=5e-3), tmp_path / "with", device="cpu")
    assert run.steps[-1].parts["reconstruction"] < run.steps[0].parts["reconstruction"] - 0.5
    trained = task.logits(task.trained.tolist())
    assert ((trained > 0) == task.pairs.human[task.trained]).mean() > 0.75
    figures = run.evaluations[-1].figures
    assert set(figures) == {"auc", "accuracy", "loss", "ranked"}
    task.sizes = Sizes(batch=8, weight=0)
    alone = train(task, Recipe(epochs=1), tmp_path / "without", device="cpu")
    assert set(alone.steps[0].parts) == {"classification"}


def test_figures_are_those_of_the_held_out_pairs(task: FrozenUnion) -> None:
    torch.nn.init.normal_(task.head.score.weight)
    task.head.eval()
    figures = task.evaluate()
    logits = task.logits(task.held.tolist())
    human, negative = logits[::2], logits[1::2]
    wins = [float(a > b) + 0.5 * float(a == b) for a in human for b in negative]
    assert figures["auc"] == pytest.approx(sum(wins) / len(wins))
    assert figures["ranked"] == pytest.approx(float(np.mean(human > negative)))
    right = [*(human > 0), *(negative < 0)]
    assert figures["accuracy"] == pytest.approx(sum(right) / len(right))


def test_the_hash_is_of_all_that_matters(
    trunk: Trunk, pairs: StoryPairs, readings: Readings, task: FrozenUnion
) -> None:
    def made(share: float, sizes: Sizes) -> str:
        held = pairs.held_out(share, 1)
        return FrozenUnion(UnionHead(2, 16), pairs, held, readings, torch.zeros(1, 16), sizes).data_hash

    same = made(0.2, Sizes(batch=8))
    assert same == task.data_hash
    assert len({same, made(0.4, Sizes(batch=8)), made(0.2, Sizes(batch=9)), made(0.2, Sizes(8, 0.2))}) == 4


@pytest.mark.parametrize(("name", "rank"), [("LlamaForCausalLM", 2), ("LlamaForCausalLM", 0), ("BertModel", 2)])
def test_a_base_that_learns(tmp_path: Path, pairs: StoryPairs, name: str, rank: int) -> None:
    """What it has learnt, put into the base for scoring, gives the scores that training ended with."""
    options = {"num_key_value_heads": 2} if name.startswith("Llama") else {}
    role = ModelRole.LANGUAGE if options else ModelRole.ENCODER
    source = locate(tiny.save(tmp_path / "base", name, role, max_position_embeddings=64, **options), ModelRole.ENCODER)
    torch.manual_seed(0)
    base = TunableTrunk(source, (1, 2), rank)
    before = {name: item.clone() for name, item in base.model.named_parameters()}
    task = TunedUnion(UnionHead(2, 16), pairs, pairs.held_out(0.2, 1), base, Sizes(batch=8))
    run = train(task, Recipe(steps=6, learning_rate=5e-3), tmp_path / "run", device="cpu")
    assert set(run.steps[0].parts) == {"classification", "reconstruction"}
    moved = {name for name, item in base.model.named_parameters() if not torch.equal(item, before[name])}
    assert moved == set(base.learnt()) if rank else "layers.0.mlp.up_proj.weight" in moved
    assert all(name.endswith((".down", ".up")) for name in moved) == bool(rank)

    fitted = Trunk(source, (1, 2), learnt=lambda model: put_learnt(model, rank, base.learnt()))
    some = [0, 1, 9]
    readings = fitted.read([pairs.texts[i] for i in some])
    result = [
        task.head(
            reading.layers[None],
            reading.whole[None],
            reading.pieces[None],
            torch.ones(1, len(reading.ids), dtype=torch.bool),
        )[0]
        for reading in readings
    ]
    assert np.allclose(torch.cat(result).detach().numpy(), task.logits(some), atol=5e-3)  # pieces are kept as float16
    with pytest.raises(InputError, match="of another base: it has no nowhere"):
        Trunk(source, (1, 2), learnt=lambda model: put_learnt(model, rank, {"nowhere": torch.zeros(1)}))


def test_a_long_text_is_trained_on_as_far_as_the_base_reads(tmp_path: Path, pairs: StoryPairs) -> None:
    source = locate(tiny.save(tmp_path, "BertModel", ModelRole.ENCODER, max_position_embeddings=16), ModelRole.ENCODER)
    task = TunedUnion(UnionHead(1, 16), pairs, pairs.held_out(0.2, 1), TunableTrunk(source, (1,), 2), Sizes(batch=8))
    assert {len(ids) for ids in task.ids} == {14}
    assert torch.isfinite(task.loss([0, 1]).total)
