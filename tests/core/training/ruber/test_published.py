"""RUBER's recipe `paper` against its description, written out pair by pair, piece by piece and number by number."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertModel

from core.checkpoints.checkpoint import Checkpoint, load
from core.checkpoints.kinds import Embeddings
from core.errors import InputError
from core.metrics.trained.ruber_scorer import RuberScorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.ruber_published import MARGIN, UNITS, PublishedRuber, ruber_head_of
from core.training.engine.progress import OnProgress, nobody
from core.training.engine.recipe import Criterion, Way
from core.training.ruber.continuations import parted
from core.training.ruber.settings import BATCH, RuberSettings
from core.training.ruber.task import PooledRuber, RuberTask, WordsRuber
from core.training.ruber.train import _task, train_ruber
from tests.core.models import tiny
from tests.core.training.union.task import STORIES

Numbers = list[float]
CORPORA = {"animals": STORIES[:30]}
PLANS = {
    of: RuberSettings(
        layers=(2,) if of is Embeddings.BERT else (), embeddings=of, batch=8, held_out=0.2, epochs=2,
        learning_rate=1e-3, seed=3, recipe=Way.PAPER,
    )
    for of in Embeddings
}  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("bert"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def dot(a: Numbers, b: Numbers) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def gru_by_hand(network: torch.nn.Module, pieces: list[Numbers]) -> Numbers:
    """What a GRU (Cho et al. 2014, as PyTorch has it) ends with, unit by unit."""
    weights = {name: item.tolist() for name, item in network.state_dict().items()}
    units = len(weights["bias_hh_l0"]) // 3
    state = [0.0] * units
    for piece in pieces:
        given = [dot(row, piece) + b for row, b in zip(weights["weight_ih_l0"], weights["bias_ih_l0"], strict=True)]
        kept = [dot(row, state) + b for row, b in zip(weights["weight_hh_l0"], weights["bias_hh_l0"], strict=True)]
        after = []
        for i in range(units):
            reset, update = sigmoid(given[i] + kept[i]), sigmoid(given[units + i] + kept[units + i])
            new = math.tanh(given[2 * units + i] + reset * kept[2 * units + i])
            after.append((1 - update) * new + update * state[i])
        state = after
    return state


def chance_by_hand(head: PublishedRuber, q: Numbers, r: Numbers) -> float:
    """s(q, r) of section 3.2: [q; q M r; r], a layer with tanh, one with a sigmoid."""
    m = head.related.tolist()
    product = sum(q[i] * m[i][j] * r[j] for i in range(len(q)) for j in range(len(r)))
    inputs = [*q, product, *r]
    hidden = [
        math.tanh(dot(row, inputs) + bias)
        for row, bias in zip(head.hidden.weight.tolist(), head.hidden.bias.tolist(), strict=True)
    ]
    return sigmoid(dot(head.score.weight[0].tolist(), hidden) + head.score.bias.item())


def task(base: ModelSource, of: Embeddings, folder: Path) -> RuberTask:
    return _task(PLANS[of], base, parted(CORPORA, PLANS[of]), folder, nobody, "cpu")


BATCHES = np.array([3, 0, 7]), np.array([5, 9, 1])
"""Of contexts, and of those whose continuations are the other ones."""


def test_of_words_the_loss_is_the_papers_hinge(base: ModelSource, tmp_path: Path) -> None:
    """Over both directions of two networks, word by word and unit by unit; a smaller head, for loops are slow."""
    given = task(base, Embeddings.WORDS, tmp_path)
    assert isinstance(given.head, PublishedRuber)
    assert (given.head.related.shape, given.head.hidden.weight.shape) == ((2 * UNITS,) * 2, (2 * UNITS, 4 * UNITS + 1))
    torch.manual_seed(5)
    head = PublishedRuber(6, 16)
    torch.nn.init.normal_(head.related)
    words, model = AutoTokenizer.from_pretrained(base.folder), BertModel.from_pretrained(base.folder)
    table = 40 * model.get_input_embeddings().weight.detach()  # of so small a model they hardly differ
    stories = given.stories
    ids = [words(text, add_special_tokens=False)["input_ids"] for text in (*stories.contexts, *stories.rests)]
    small = WordsRuber(head, stories, np.arange(len(stories)) > 25, 8, 3, ids, table)

    def read(text: str, of: str) -> Numbers:
        pieces = table[words(text, add_special_tokens=False)["input_ids"]].tolist()
        forth, back = head.readers[f"{of}_forth"], head.readers[f"{of}_back"]
        return gru_by_hand(forth, pieces) + gru_by_hand(back, pieces[::-1])

    losses = []
    for i, j in zip(*BATCHES, strict=True):
        q = read(stories.contexts[i], "context")
        own, other = (chance_by_hand(head, q, read(stories.rests[k], "rest")) for k in (i, j))
        losses.append(max(0.0, MARGIN - own + other))
    result = small.loss(BATCHES)
    assert float(result.total.detach()) == pytest.approx(sum(losses) / 3, abs=1e-5)
    assert min(losses) != pytest.approx(max(losses), abs=1e-3)


def test_of_states_the_loss_is_cross_entropy_over_their_maxima(base: ModelSource, tmp_path: Path) -> None:
    given = task(base, Embeddings.BERT, tmp_path)
    assert isinstance(given, PooledRuber)
    assert isinstance(given.head, PublishedRuber)
    torch.nn.init.normal_(given.head.related)
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)

    def read(text: str) -> Numbers:
        with torch.no_grad():
            states = bert(**words(text, return_tensors="pt")).last_hidden_state[0, 1:-1].tolist()
        return [max(state[unit] for state in states) for unit in range(16)]

    losses = []
    for i, j in zip(*BATCHES, strict=True):
        q = read(given.stories.contexts[i])
        own, other = (chance_by_hand(given.head, q, read(given.stories.rests[k])) for k in (i, j))
        losses += [-math.log(own), -math.log(1 - other)]
    assert float(given.loss(BATCHES).total.detach()) == pytest.approx(
        sum(losses) / 6, abs=2e-3
    )  # states are kept as halves


def made(base: ModelSource, folder: Path, of: Embeddings, on_progress: OnProgress | None = None) -> Checkpoint:
    return train_ruber("mine", CORPORA, PLANS[of], base, folder, on_progress, "cpu")[0]


class Stopped(Exception):
    """Somebody pressed Cancel."""


@pytest.mark.parametrize("of", list(Embeddings))
def test_it_is_trained_stopped_and_scores_as_it_ended(base: ModelSource, tmp_path: Path, of: Embeddings) -> None:
    def stop(what: str, done: int, _all: int) -> None:
        if what.startswith("Training") and done >= 3:
            raise Stopped

    with pytest.raises(Stopped):
        made(base, tmp_path / "stopped", of, stop)
    checkpoint, straight = made(base, tmp_path / "stopped", of), made(base, tmp_path / "straight", of)
    assert checkpoint.card.weights == straight.card.weights
    card = load(checkpoint.folder).card
    assert (card.recipe["recipe"], card.recipe["batch"], card.options["embeddings"]) == ("paper", 8, of.value)
    assert card.recipe["chosen_by"] == {"figure": "loss", "higher": False}
    scorer = RuberScorer(load(checkpoint.folder), base, "cpu")
    head = scorer.head
    assert isinstance(head, PublishedRuber)
    stories = parted(CORPORA, PLANS[of])
    held = np.flatnonzero(stories.held_out(0.2, 3))
    own = scorer.logits([(stories.contexts[i], stories.rests[i]) for i in held])
    foreign = scorer.logits(
        [(stories.contexts[i], stories.rests[j]) for i, j in zip(held, stories.others(held, "3/held out"), strict=True)]
    )
    loss = next(figure.value for figure in card.figures if figure.what == "held-out stories: loss")
    chances = [(sigmoid(a), sigmoid(b)) for a, b in zip(own, foreign, strict=True)]
    hinges = [max(0, MARGIN - a + b) for a, b in chances]
    entropies = [-(math.log(a) + math.log(1 - b)) / 2 for a, b in chances]
    assert np.mean(hinges if of is Embeddings.WORDS else entropies) == pytest.approx(loss, abs=1e-3)
    assert np.isfinite(scorer.logits([("", ""), ("A dog.", "…"), ("A dog.", "")])).all()


def test_what_is_usual_is_openmevas(base: ModelSource, tmp_path: Path) -> None:
    for of in Embeddings:
        given = {"embeddings": of, "recipe": Way.PAPER}
        recipe = RuberSettings(**given, **RuberSettings.usual(given)).schedule
        assert (recipe.epochs, recipe.learning_rate, recipe.weight_decay, recipe.clip) == (50, 1e-4, 0.0, 5.0)
        assert recipe.chosen_by == Criterion("loss", higher=False)
    assert (BATCH[Way.PAPER], MARGIN) == (32, 0.5)
    given = task(base, Embeddings.WORDS, tmp_path)
    given.loss(BATCHES).total.backward()
    learns = dict(given.module.named_parameters())
    assert all(learn.grad is not None and learn.grad.abs().sum() > 0 for learn in learns.values())
    assert set(learns) >= {"related", "readers.rest_back.weight_hh_l0", "hidden.bias"}


def test_a_text_is_read_as_if_it_were_alone() -> None:
    torch.manual_seed(1)
    head = PublishedRuber(6, 4).eval()
    texts = [torch.randn(length, 4) for length in (3, 9, 0, 1)]
    with torch.no_grad():
        together = head.rests(texts)
        assert not together[2].any()
        assert not head.rests([texts[2]]).any()
        for text, row in zip(texts, together, strict=True):
            assert torch.allclose(head.rests([text])[0], row, atol=1e-6)


def test_weights_of_something_else_are_refused() -> None:
    with pytest.raises(InputError, match="no weights of a RUBER"):
        ruber_head_of({"related": torch.zeros(2, 2)})
