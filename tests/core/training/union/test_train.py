"""UNION from stories to a checkpoint, with a base of random weights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.checkpoints.checkpoint import Checkpoint, load, overlap
from core.checkpoints.kinds import Tuning
from core.checkpoints.named_weights import BASE
from core.english.knowledge import shared_wordnet
from core.errors import InputError
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.union import union_of
from core.perturb.negatives.sampler import MixName, Sampler, Technique
from core.training.union.pairs import StoryPairs, make_pairs
from core.training.union.settings import UnionSettings
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.core.training.union.train import CORPORA, PLAN, train_tiny


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 128}
    folder = tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options)
    return locate(folder, ModelRole.LANGUAGE)


def test_a_checkpoint_says_what_it_is_and_scores_as_in_training(base: ModelSource, tmp_path: Path) -> None:
    lines: list[str] = []
    checkpoint = train_tiny(base, tmp_path, on_progress=lambda what, _done, _all: lines.append(what.split(":")[0]))
    assert list(dict.fromkeys(lines)) == [
        "Making negatives of animals", "Making negatives of others", "Reading stories", "Training",
    ]  # fmt: skip
    card = load(checkpoint.folder).card
    assert (card.kind, card.name, card.base) == ("union", "mine", f"{base.name}@{base.revision}")
    assert [(data_set.name, data_set.size) for data_set in card.data] == [("animals", 30), ("others", 26)]
    assert card.options == {"layers": [1, 2], "normalisation": "recased", "words": 200, "tuning": "frozen"}
    assert card.recipe["knowledge"] == "wordnet-3.0"
    figures = {figure.what: figure for figure in card.figures}
    assert {"held-out pairs: auc", "held-out pairs: ranked", "held-out pairs: accuracy"} <= set(figures)
    assert overlap(checkpoint, [STORIES[0], STORIES[0].upper(), "Another story."]) == 2

    with pytest.raises(InputError, match="no weights of a UNION"):
        union_of({"narrow.weight": torch.zeros(1, 2)})


@pytest.mark.parametrize("tuning", list(Tuning))
def test_a_scorer_gives_what_training_ended_with(base: ModelSource, tmp_path: Path, tuning: Tuning) -> None:
    """The card's share of held-out pairs with the human story on top is found again from the files."""
    checkpoint = train_tiny(base, tmp_path / "made", replace(PLAN, tuning=tuning))
    scorer = Scorer(load(checkpoint.folder), base, "cpu")
    told: list[int] = []
    texts = [text for name, some in CORPORA.items() for text in some]
    alone = np.concatenate([scorer.logits([text]) for text in texts[:3]])
    together = scorer.logits(texts, told.append)
    assert sum(told) == len(texts)
    assert np.allclose(together[:3], alone, atol=1e-4)
    assert np.isfinite(scorer.logits([""])).all()
    pairs = [
        make_pairs(
            [PLAN.prepared(name) for name in some], Sampler([PLAN.prepared(name) for name in some], shared_wordnet()), 3
        )[0]
        for some in CORPORA.values()
    ]
    whole = StoryPairs(
        tuple(text for pair in pairs for text in pair.texts), tuple(t for pair in pairs for t in pair.techniques)
    )
    held = np.repeat(whole.held_out(0.2, 3), 2)
    logits = scorer.logits([text for text, kept in zip(whole.texts, held, strict=True) if kept])
    ranked = next(figure for figure in checkpoint.card.figures if figure.what == "held-out pairs: ranked")
    assert ranked.n == len(logits) // 2
    assert (logits[::2] > logits[1::2]).mean() == pytest.approx(ranked.value, abs=1.5 / ranked.n)


def test_a_scorer_refuses_what_it_cannot_read(base: ModelSource, tmp_path: Path) -> None:
    checkpoint = train_tiny(base, tmp_path / "made")
    other = replace(base, revision="another")
    with pytest.raises(InputError, match=r"was trained on .* and knows nothing of"):
        Scorer(checkpoint, other)
    with pytest.raises(InputError, match="is a ruber, not a UNION"):
        Scorer(Checkpoint(checkpoint.folder, replace(checkpoint.card, kind="ruber")), base)


class Stopped(Exception):
    """Somebody pressed Cancel."""


@pytest.mark.parametrize(
    ("phase", "tuning"),
    [
        ("Making negatives of others", Tuning.FROZEN),
        ("Reading", Tuning.FROZEN),
        ("Training", Tuning.FROZEN),
        ("Training", Tuning.ADAPTER),
    ],
)
def test_stopped_anywhere_it_goes_on_to_the_same_weights(
    base: ModelSource, tmp_path: Path, phase: str, tuning: Tuning
) -> None:
    plan = replace(PLAN, tuning=tuning)

    def stop(what: str, done: int, _all: int) -> None:
        if what.startswith(phase) and done >= 3:
            raise Stopped

    with pytest.raises(Stopped):
        train_tiny(base, tmp_path / "stopped", plan, stop)
    again, straight = train_tiny(base, tmp_path / "stopped", plan), train_tiny(base, tmp_path / "straight", plan)
    assert again.card.weights == straight.card.weights


def test_the_card_says_whose_mix(base: ModelSource, tmp_path: Path) -> None:
    ours, paper = (
        train_tiny(base, tmp_path / "ours"),
        train_tiny(base, tmp_path / "paper", replace(PLAN, mix=MixName.PAPER)),
    )
    assert (ours.card.recipe["mix"], paper.card.recipe["mix"]) == ("fabula", "paper")
    assert ours.card.weights != paper.card.weights


def test_without_reconstruction_and_without_a_technique(base: ModelSource, tmp_path: Path) -> None:
    without = (Technique.REPETITION, Technique.NEGATION)
    plan = UnionSettings(layers=(2,), loop=PLAN.schedule, batch=8, reconstruction=0, without=without, held_out=0.2)
    card = train_tiny(base, tmp_path, plan).card
    assert card.recipe["reconstruction"] == 0
    assert set(card.recipe["techniques"]) == {"substitution", "reordering"}
    assert not any("repetition" in figure.what or "negation" in figure.what for figure in card.figures)


def test_fewer_stories_than_a_batch_and_too_few(base: ModelSource, tmp_path: Path) -> None:
    plan = UnionSettings(layers=(1,), loop=PLAN.schedule, batch=500, held_out=0.2)
    assert train_tiny(base, tmp_path / "few", plan, corpora={"few": STORIES[:12]}).card.data[0].size == 12
    with pytest.raises(InputError, match="trained on 10 stories at least"):
        train_tiny(base, tmp_path / "fewer", corpora={"few": STORIES[:4]})
    with pytest.raises(InputError, match="none is given"):
        train_tiny(base, tmp_path / "none", corpora={})


def test_a_base_that_learns_is_kept_beside_the_heads(base: ModelSource, tmp_path: Path) -> None:
    checkpoint = train_tiny(base, tmp_path / "adapter", replace(PLAN, tuning=Tuning.ADAPTER))
    assert checkpoint.card.options["tuning"] == "adapter"
    learnt = {name for name in checkpoint.weights() if name.startswith(BASE)}
    assert len(learnt) == 8
    assert not (tmp_path / "adapter" / "readings").exists()
    whole = train_tiny(base, tmp_path / "full", replace(PLAN, tuning=Tuning.FULL)).weights()
    assert f"{BASE}embed_tokens.weight" in whole
