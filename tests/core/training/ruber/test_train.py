"""RUBER from stories to a checkpoint, with a base of random weights."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.arrays import Ints
from core.checkpoints.checkpoint import Checkpoint, load, overlap
from core.checkpoints.kinds import Embeddings
from core.errors import InputError
from core.metrics.trained.ruber_scorer import RuberScorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.ruber import RECURRENT, RuberHead, ruber_of
from core.training.engine.loop import train
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import Recipe
from core.training.ruber.continuations import Continuations, parted
from core.training.ruber.settings import RuberSettings
from core.training.ruber.task import RuberTask
from core.training.ruber.train import train_ruber
from tests.core.models import tiny
from tests.core.training.union.task import STORIES

RECIPE = Recipe(epochs=2, learning_rate=5e-3, evaluate_every=4, seed=3)
PLANS = {
    Embeddings.BERT: RuberSettings(layers=(1, 2), loop=RECIPE, batch=8, held_out=0.2),
    Embeddings.WORDS: RuberSettings(embeddings=Embeddings.WORDS, loop=RECIPE, batch=8, held_out=0.2),
}
CORPORA = {"animals": STORIES[:30], "others": [story.replace("went", "ran") for story in STORIES[30:]]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


def made(
    base: ModelSource,
    folder: Path,
    plan: RuberSettings,
    on_progress: OnProgress | None = None,
    corpora: Mapping[str, list[str]] = CORPORA,
) -> Checkpoint:
    return train_ruber("mine", corpora, plan, base, folder, on_progress, "cpu")[0]


def test_the_head_number_by_number() -> None:
    torch.manual_seed(1)
    head = RuberHead(5).eval()
    torch.nn.init.normal_(head.related)
    q, r = torch.randn(7, 5), torch.randn(7, 5)
    head.centre(q, r)
    given = [(x - x.mean(0)) / x.std(0, correction=0) for x in (q, r)]
    for i, logit in enumerate(head(q, r).tolist()):
        a, b = (x[i].tolist() for x in given)
        inputs = [*a, *(x * m * y for x, m, y in zip(a, head.related.tolist(), b, strict=True)), *b]
        hidden = [
            max(0.0, bias + sum(w * x for w, x in zip(row, inputs, strict=True)))
            for row, bias in zip(head.hidden.weight.tolist(), head.hidden.bias.tolist(), strict=True)
        ]
        wanted = head.score.bias.item() + sum(w * h for w, h in zip(head.score.weight[0].tolist(), hidden, strict=True))
        assert logit == pytest.approx(wanted, abs=1e-5)


def test_a_text_is_read_as_if_it_were_alone() -> None:
    torch.manual_seed(1)
    head = RuberHead(2 * RECURRENT, 6).eval()
    texts = [torch.randn(length, 6) for length in (3, 9, 0, 1)]
    with torch.no_grad():
        together = head.read(texts)
        assert not together[2].any()
        for text, row in zip(texts, together, strict=True):
            assert torch.allclose(head.read([text])[0], row, atol=1e-6)
        assert head.forth is not None
        assert head.back is not None
        both = torch.nn.GRU(6, RECURRENT, batch_first=True, bidirectional=True)
        both.load_state_dict(
            head.forth.state_dict() | {f"{name}_reverse": item for name, item in head.back.state_dict().items()}
        )
        states, _ = both(torch.nn.functional.layer_norm(texts[1], (6,))[None])
        assert torch.allclose(together[1], states[0].mean(0), atol=1e-6)


@pytest.mark.parametrize("embeddings", list(Embeddings))
def test_a_scorer_gives_what_training_ended_with(base: ModelSource, tmp_path: Path, embeddings: Embeddings) -> None:
    plan = PLANS[embeddings]
    lines: list[str] = []
    checkpoint = made(base, tmp_path / "made", plan, lambda what, _done, _all: lines.append(what.split(":")[0]))
    assert list(dict.fromkeys(lines)) == [*(["Reading stories"] if plan.layers else []), "Training"]
    card = load(checkpoint.folder).card
    assert (card.kind, card.name, card.base) == ("ruber", "mine", base.at_revision)
    assert [(data_set.name, data_set.size) for data_set in card.data] == [("animals", 30), ("others", 26)]
    assert card.options == {
        "embeddings": embeddings.value, "layers": list(plan.layers), "normalisation": "recased", "words": 200,
    }  # fmt: skip
    assert overlap(checkpoint, [STORIES[0], "Another story."]) == 1

    scorer = RuberScorer(load(checkpoint.folder), base, "cpu")
    stories = parted(CORPORA, plan)
    held = np.flatnonzero(stories.held_out(0.2, 3))
    others = stories.others(held, "3/held out")
    counted: list[int] = []
    own = scorer.logits([(stories.contexts[i], stories.rests[i]) for i in held], counted.append)
    foreign = scorer.logits([(stories.contexts[i], stories.rests[j]) for i, j in zip(held, others, strict=True)])
    assert sum(counted) == len(held)
    ranked = next(figure for figure in card.figures if figure.what == "held-out stories: ranked")
    assert ranked.n == len(held)
    assert (own > foreign).mean() == pytest.approx(ranked.value, abs=1.5 / ranked.n)
    assert scorer.logits([(stories.contexts[held[0]], stories.rests[held[0]])])[0] == pytest.approx(own[0], abs=1e-4)
    assert np.isfinite(scorer.logits([("", ""), ("A dog.", "…")])).all()


class Stopped(Exception):
    """Somebody pressed Cancel."""


@pytest.mark.parametrize(
    ("phase", "embeddings"),
    [("Reading", Embeddings.BERT), ("Training", Embeddings.BERT), ("Training", Embeddings.WORDS)],
)
def test_stopped_anywhere_it_goes_on_to_the_same_weights(
    base: ModelSource, tmp_path: Path, phase: str, embeddings: Embeddings
) -> None:
    plan = PLANS[embeddings]

    def stop(what: str, done: int, _all: int) -> None:
        if what.startswith(phase) and done >= 3:
            raise Stopped

    with pytest.raises(Stopped):
        made(base, tmp_path / "stopped", plan, stop)
    again, straight = made(base, tmp_path / "stopped", plan), made(base, tmp_path / "straight", plan)
    assert again.card.weights == straight.card.weights


class Planted(RuberTask):
    """Vectors that are given: a continuation's is its context's, less `noise` of it."""

    def __init__(self, noise: float) -> None:
        stories = Continuations(*[tuple(map(str, range(240)))] * 2, (0,) * 240)
        torch.manual_seed(2)
        self.first = torch.randn(240, 8)
        self.then = (1 - noise) * self.first + noise * torch.randn(240, 8)
        super().__init__(RuberHead(8), stories, stories.held_out(0.25, 1), 16, 1)

    def contexts(self, rows: Ints) -> torch.Tensor:
        return self.first[rows]

    def rests(self, rows: Ints) -> torch.Tensor:
        return self.then[rows]

    @property
    def data_hash(self) -> str:
        return self.hashed()


def test_it_learns_what_is_there_and_nothing_else(tmp_path: Path) -> None:
    result = {}
    for noise in (0.3, 1.0):
        task = Planted(noise)
        train(task, Recipe(epochs=8, learning_rate=1e-2, evaluate_every=8), tmp_path / str(noise))
        result[noise] = task.evaluate()["auc"]
    assert result[0.3] > 0.95
    assert 0.35 < result[1.0] < 0.65


def test_a_scorer_refuses_what_it_cannot_read(base: ModelSource, tmp_path: Path) -> None:
    checkpoint = made(base, tmp_path / "made", PLANS[Embeddings.BERT])
    with pytest.raises(InputError, match=r"was trained on .* and knows nothing of"):
        RuberScorer(checkpoint, replace(base, revision="another"))
    with pytest.raises(InputError, match="is a union, not a RUBER"):
        RuberScorer(Checkpoint(checkpoint.folder, replace(checkpoint.card, kind="union")), base)
    with pytest.raises(InputError, match="no weights of a RUBER"):
        ruber_of({"related": torch.zeros(2)})
