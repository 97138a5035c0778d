"""`union` and `union-no-recon`: the checkpoint's numbers, under a signature that names it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.checkpoints.checkpoint import Checkpoint, save
from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Metric, Settings
from core.metrics.trained.odds import probability
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, locate
from core.stories import Story, first_words, normalise, whole_story
from core.training.engine.recipe import Recipe
from core.training.union.train import UnionSettings, train_union
from core.windows import windows
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.union.task import STORIES

LONG = " ".join(f"Then the dog went home {i} times." for i in range(60))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 128}
    return tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options)


@pytest.fixture(scope="module")
def trained(base: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checkpoint]:
    """By the metric that each is for."""
    recipe = Recipe(epochs=1, learning_rate=5e-3, seed=3)
    checkpoints = {}
    for metric, weight in (("union", 0.1), ("union-no-recon", 0.0)):
        plan = UnionSettings(layers=(1, 2), loop=recipe, batch=8, held_out=0.2, words=40, reconstruction=weight)
        folder = tmp_path_factory.mktemp(metric)
        source = locate(base, ModelRole.BASE)
        checkpoints[metric], _ = train_union("mine", {"a": STORIES[:20]}, plan, source, folder, None, "cpu")
    return checkpoints


def made(name: str, checkpoint: Checkpoint, base: str | None, **options: str) -> Metric:
    chosen = {"checkpoint": str(checkpoint.folder), **options}
    return build(name, Settings(model=base, device="cpu", options=chosen))


@pytest.mark.parametrize("name", ["union", "union-no-recon"])
def test_a_score_is_the_probability_of_prompt_and_story(name: str, trained: dict[str, Checkpoint], base: str) -> None:
    prompt, rest = STORIES[0].split(". ", 1)
    stories = [Story(rest, f"{prompt}."), Story(STORIES[0], f"{prompt}."), Story(" "), Story(LONG, "A dog.")]
    metric = made(name, trained[name], base, long="cut")
    told: list[int] = []
    scores = metric.score(stories, told.append)
    assert sum(told) == len(stories)
    assert scores.reasons == {2: "the story is empty"}
    assert math.isnan(scores.values[2])
    scorer = Scorer(trained[name], locate(base, ModelRole.BASE), "cpu")
    wanted = scorer.logits([STORIES[0], first_words(f"A dog. {LONG}", 40)], words=0)
    np.testing.assert_allclose(scores.values[[0, 1, 3]], [probability(float(wanted[i])) for i in (0, 0, 1)], atol=1e-5)
    logits = made(name, trained[name], base, of="logit", long="cut").score(stories)
    np.testing.assert_allclose(logits.values[[0, 3]], wanted, atol=1e-4)
    whole = made(name, trained[name], base, first_words="all").score(stories)
    assert whole.values[0] == pytest.approx(scores.values[0], abs=1e-5)
    assert abs(whole.values[3] - scores.values[3]) > 1e-5


@pytest.mark.parametrize("name", ["union", "union-no-recon"])
def test_a_long_story_has_the_mean_logit_of_its_windows(name: str, trained: dict[str, Checkpoint], base: str) -> None:
    """Against each window read by itself, whatever stands beside it."""
    stories = [Story(LONG, "A dog."), Story(STORIES[0]), Story(f"{LONG} It slept."), Story(LONG, "A dog.")]
    scorer = Scorer(trained[name], locate(base, ModelRole.BASE), "cpu")
    wanted = []
    for story in stories:
        text = normalise(whole_story(story.prompt, story.text), "recased")
        alone = [scorer.logits([text[start:end]], words=0)[0] for start, end in windows(text, 40)]
        wanted.append(sum(alone) / len(alone))
        assert (len(alone) == 1) == (story.text == STORIES[0])
    told: list[int] = []
    result = made(name, trained[name], base, of="logit").score(stories, told.append).values
    np.testing.assert_allclose(result, wanted, atol=1e-5)
    assert sum(told) == len(stories)
    assert result[0] == result[3]
    np.testing.assert_allclose(
        [probability(item) for item in wanted], made(name, trained[name], base).score(stories).values
    )
    cut = made(name, trained[name], base, of="logit", long="cut").score(stories).values
    assert cut[1] == result[1]
    assert abs(cut[0] - result[0]) > 1e-4


def test_equal_windows_are_read_once(
    trained: dict[str, Checkpoint], base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = Scorer(trained["union"], locate(base, ModelRole.BASE), "cpu")
    read: list[str] = []
    plain = scorer.trunk.read

    def counting(texts: Sequence[str], done: Any = None) -> Any:
        read.extend(texts)
        return plain(texts, done)

    monkeypatch.setattr(scorer.trunk, "read", counting)
    repeated = " ".join(["Then the dog went home again."] * 60)
    other = f"{repeated} It slept."
    scorer.logits([repeated, other])
    assert len(read) == len(set(read)) < len(windows(repeated, 40)) + len(windows(other, 40))


def test_scores_of_before_there_was_a_choice_keep_their_signature_and_short_stories_their_scores(
    trained: dict[str, Checkpoint], base: str
) -> None:
    item, cut = (made("union", trained["union"], base, long=long) for long in ("windows", "cut"))
    assert "|first_words:40|long:windows|" in item.signature
    assert cut.signature == item.signature.replace("|long:windows", "")
    assert made("union", trained["union"], base, first_words="all").signature == cut.signature.replace(":40|", ":all|")
    for metric, other in ((item, cut), (cut, item)):
        of = {derivation.signature: derivation for derivation in metric.derivations()}
        same, logits = of[other.signature], of[other.signature.replace("of:probability", "of:logit")]
        assert same.of(Story(STORIES[0]), 0.3) == 0.3
        assert logits.of(Story(STORIES[0]), 2.5) == probability(2.5)
        assert same.of(Story(LONG), 0.3) is logits.of(Story(LONG), 0.3) is None
        assert not same.mostly
    assert made("union", trained["union"], base, of="logit").derivations()[2].of(Story(STORIES[0]), 0.5) == 0.0


def test_the_signature_names_weights_and_reading_and_not_where_they_lie(
    trained: dict[str, Checkpoint], base: str, tmp_path: Path
) -> None:
    checkpoint = trained["union"]
    moved = save(tmp_path / "moved", replace(checkpoint.card, name="renamed"), checkpoint.weights(), STORIES[:20])
    assert made("union", moved, base).signature == made("union", checkpoint, base).signature
    signature = made("union", checkpoint, base).signature
    assert (
        f"|checkpoint:{checkpoint.card.weights[:12]}|first_words:40|long:windows|normalisation:recased|of:probability|"
        in signature
    )
    assert f"|model:{checkpoint.card.base}|" in signature
    assert made("union", checkpoint, base, first_words="40").signature == signature
    assert made("union", checkpoint, base, of="logit").signature != signature


def test_what_fits_not_is_refused(trained: dict[str, Checkpoint], base: str, tmp_path: Path) -> None:
    both = trained["union"]
    with pytest.raises(InputError, match=r"learnt with reconstruction: it is for the metric union\.$"):
        made("union-no-recon", both, base).signature  # noqa: B018
    with pytest.raises(InputError, match=r"learnt without reconstruction: it is for the metric union-no-recon\.$"):
        made("union", trained["union-no-recon"], base).signature  # noqa: B018
    other = made_checkpoint(tmp_path / "other")
    ruber = save(tmp_path / "ruber", replace(other.card, kind="ruber"), other.weights())
    with pytest.raises(InputError, match="is a ruber, not a UNION"):
        made("union", ruber, base).signature  # noqa: B018
    with pytest.raises(ModelMissing, match=r"no checkpoint 'nothing': name one that comes with Fabula \("):
        build("union", Settings(options={"checkpoint": "nothing"})).signature  # noqa: B018
    with pytest.raises(ModelMissing, match="a model from a folder: name that folder as its base"):
        made("union", both, None).signature  # noqa: B018
    with pytest.raises(InputError, match=r"was trained on .* and knows nothing of all-minilm"):
        made("union", both, "all-minilm-l6-v2").signature  # noqa: B018
