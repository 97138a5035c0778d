"""A Perception Score from texts to what its critics say: what is compared, what is learnt, what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.checkpoints.kinds import Tuning
from core.errors import FabulaError, InputError
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.perception import Critic
from core.models.trunk import TunableTrunk
from core.stories import Source, StoryRecord
from core.training.engine.history import TrainingProgress
from core.training.engine.recipe import Way
from core.training.perception.pairs import others, pairs_of
from core.training.perception.scores import Trained, Weights, perception_scores
from core.training.perception.settings import PENALISED, PerceptionPlan
from core.training.perception.task import PerceptionTask
from core.training.perception.train import train_perception
from tests.core.models import tiny
from tests.core.training.perception.task import corpus

PLAN = PerceptionPlan(tuning=Tuning.FULL, epochs=9, passes=3, penalised=2, seeds=(0,))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=64)
    return locate(folder, ModelRole.BASE)


class Eager(PerceptionPlan):
    """Random weights have to be moved further than pretrained ones."""

    def recipe(self, seed: int):  # type: ignore[no-untyped-def]
        return replace(super().recipe(seed), learning_rate=3e-3)


EAGER = Eager(**PLAN.__dict__)


def trained(records: list[StoryRecord], base: ModelSource, folder: Path, plan: PerceptionPlan = EAGER) -> Trained:
    pairs = pairs_of("odd", records, plan)
    return train_perception(pairs, plan, 0, base, folder, groups=others(pairs, records, plan))


def test_identical_distributions_give_a_half_and_a_planted_difference_is_found(
    base: ModelSource, tmp_path: Path
) -> None:
    alike = trained(corpus(planted=False), base, tmp_path / "alike")
    (score,) = perception_scores([alike])
    assert score.n == 24
    assert score.score.value == pytest.approx(0.5, abs=0.06)
    result = trained(corpus(planted=True), base, tmp_path / "planted")
    assert result.figures["accuracy"] == 1.0
    for how in Weights:
        (score,) = perception_scores([result], how)
        assert score.score.high is not None
        assert score.score.high < 0.42
    (other,) = perception_scores([result], group="even")  # as the references are, which this critic has learnt
    assert other.score.value == pytest.approx(0.5, abs=0.06)


def test_references_that_are_the_outputs_are_a_half(base: ModelSource, tmp_path: Path) -> None:
    human = [record for record in corpus(planted=False, prompts=30) if record.source is Source.HUMAN]
    same = [replace(record, key=f"s{record.key}", source=Source.SYSTEM, system="odd") for record in human]
    result = trained(human + same, base, tmp_path / "same", replace(EAGER, epochs=1))
    assert set(result.judged[0].generated) == {0.5}


def test_stopped_and_gone_on_with_it_says_the_same(base: ModelSource, tmp_path: Path) -> None:
    records, plan = corpus(planted=True, prompts=40), replace(EAGER, epochs=2)
    whole = trained(records, base, tmp_path / "whole", plan)

    def stop(progress: TrainingProgress) -> None:
        if progress.step == 2:
            raise KeyboardInterrupt

    pairs = pairs_of("odd", records, plan)
    with pytest.raises(KeyboardInterrupt):
        train_perception(pairs, plan, 0, base, tmp_path / "part", stop)
    again = trained(records, base, tmp_path / "part", plan)
    assert replace(again, seconds=0.0) == replace(whole, seconds=0.0)


@pytest.mark.parametrize(("way", "pairs"), [(Way.FABULA, 4), (Way.PAPER, 16)])
def test_the_penalty_is_equation_5_pair_by_pair(base: ModelSource, way: Way, pairs: int) -> None:
    """The paper's expectation is over all pairs of the batch, of which each is taken alone here."""
    plan = replace(PLAN, penalised=PENALISED[way])
    torch.manual_seed(0)
    critic = Critic(TunableTrunk(base, (2,), 0)).eval()
    torch.nn.init.normal_(critic.score.weight)
    task = PerceptionTask(critic, pairs_of("odd", corpus(planted=True), plan), plan)
    batch = task.batches(0, 0)[0]
    assert len(batch) == 16
    penalties = []
    for text, (reference, *more) in ((task._trained.texts[i], task._trained.references[i]) for i in batch[:pairs]):
        assert not more
        begun, scores = [], []
        for ids in (text, reference):
            window = critic.window([ids])
            begun.append(critic.embeddings(window).detach().requires_grad_())
            scores.append(critic(begun[-1], window)[0][0])
        gradients = torch.autograd.grad(scores[0] - scores[1], begun)
        penalties.append((sum(float(gradient.square().sum()) for gradient in gradients) ** 0.5 - 1) ** 2)
    penalty = torch.as_tensor(task.loss(batch).parts["penalty"]).item()
    assert penalty == pytest.approx(sum(penalties) / pairs, rel=1e-4)


class Wild(PerceptionPlan):
    """A learning rate at which no weight stays a number."""

    def recipe(self, seed: int):  # type: ignore[no-untyped-def]
        return replace(super().recipe(seed), learning_rate=1e30, clip=0.0)


def test_a_loss_that_is_no_number_stops_it_in_a_sentence(base: ModelSource, tmp_path: Path) -> None:
    wild = Wild(**PLAN.__dict__)
    with pytest.raises(FabulaError, match=r"Training stopped at step \d+, where the (loss|gradient's norm) is"):
        train_perception(pairs_of("odd", corpus(planted=True, prompts=60), wild), wild, 0, base, tmp_path / "wild")


@given(st.integers(20, 200), st.sets(st.integers(0, 199)), st.booleans())
def test_no_context_is_trained_on_and_tested(prompts: int, rated: set[int], conditional: bool) -> None:
    plan = replace(PLAN, conditional=conditional)
    records = corpus(planted=False, prompts=prompts)
    known = {str(number) for number in rated}
    odd, even = (pairs_of(system, records, plan, known) for system in ("odd", "even"))
    parts = [{generated.context for generated in some} for some in (odd.trained, odd.held_out, odd.tested)]
    assert sum(map(len, parts)) == len(parts[0] | parts[1] | parts[2]) <= prompts
    assert {generated.context for generated in even.tested} == parts[2]
    first = known & set(map(str, range(prompts)))
    assert first <= parts[2] or parts[2] < first
    seen = [
        {(generated.prompt, text) for generated in some for text in generated.references}
        for some in (odd.trained, odd.tested)
    ]
    assert not seen[0] & seen[1]
    assert all(1 <= len(generated.references) <= plan.references for generated in odd.tested)


@pytest.mark.parametrize("rated", ["all of its", "none of its", "many of its"])
@pytest.mark.parametrize("conditional", [True, False])
def test_a_system_with_a_part_of_the_prompts_is_trained_and_tested(rated: str, conditional: bool) -> None:
    plan = replace(PLAN, conditional=conditional)
    records = [record for record in corpus(planted=False) if record.system != "odd" or int(record.prompt_key) < 40]
    known = {"all of its": range(40), "none of its": range(40, 90), "many of its": range(38)}[rated]
    odd, even = (pairs_of(system, records, plan, set(map(str, known))) for system in ("odd", "even"))
    tested = {generated.context for generated in odd.tested}
    assert 4 <= len(tested) <= 20
    assert len(odd.trained) + len(odd.held_out) >= 18  # but for copies
    assert not tested & {generated.context for generated in (*odd.trained, *odd.held_out)}
    assert {generated.context for generated in even.tested} >= set(map(str, known))
    if rated != "none of its":
        assert tested <= {generated.context for generated in even.tested}  # the same prompts come first for all


def test_without_contexts_every_part_has_texts_and_references_of_its_own() -> None:
    plan = replace(PLAN, conditional=False)
    for number in range(30):  # other keys are split otherwise
        records = [
            replace(record, prompt_key=f"{'t' if record.system else 'h'}{record.prompt_key} {number}")
            for record in corpus(planted=False, prompts=20)
        ]
        system_pairs = pairs_of("odd", records, plan)
        assert all(
            generated.references
            for some in (system_pairs.trained, system_pairs.held_out, system_pairs.tested)
            for generated in some
        )
        seen = {text for generated in system_pairs.trained for text in (generated.text, *generated.references)}
        assert not seen & {
            text for generated in system_pairs.tested for text in (generated.text, *generated.references)
        }


def test_a_copy_of_what_is_tested_on_is_not_learnt_from() -> None:
    records = corpus(planted=False, prompts=60)
    tested = {generated.key for generated in pairs_of("odd", records, PLAN).tested}
    copied = next(record for record in records if record.key in tested)
    victim = next(generated for generated in pairs_of("odd", records, PLAN).trained)
    records = [
        replace(record, text=copied.text.upper(), prompt=copied.prompt) if record.key == victim.key else record
        for record in records
    ]
    assert victim.key not in {generated.key for generated in pairs_of("odd", records, PLAN).trained}


def test_a_prompt_that_is_written_out_again_tells_nothing() -> None:
    records = corpus(planted=False, prompts=30)
    again = [
        replace(record, text=f"{record.prompt} {record.text}") if record.system == "odd" else record
        for record in records
    ]
    assert pairs_of("odd", again, PLAN) == pairs_of("odd", records, PLAN)


def test_texts_whose_prompt_has_no_human_story_are_left_out() -> None:
    records = corpus(planted=False, prompts=40)
    half = [record for record in records if record.source is not Source.HUMAN or int(record.prompt_key) < 25]
    system_pairs = pairs_of("odd", half, PLAN)
    assert system_pairs.left_out == 15
    assert len(system_pairs.trained) + len(system_pairs.held_out) + len(system_pairs.tested) == 25


@pytest.mark.parametrize(
    ("records", "system", "sentence"),
    [
        (corpus(False, 30), "none", "There is no story of a system 'none'"),
        (corpus(False, 10), "odd", "of its 10 stories the prompts of 10 have a human story. Import more."),
        ([record for record in corpus(False, 30) if record.system], "odd", "this study has none: import some"),
        (
            [record if record.system else replace(record, prompt_key=f"x{record.key}") for record in corpus(False, 30)],
            "odd",
            "of its 30 stories the prompts of 0 have a human story. Import more, or compare without contexts.",
        ),
    ],
    ids=["no-system", "ten-outputs", "no-references", "other-contexts"],
)
def test_what_cannot_be_compared(records: list[StoryRecord], system: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        pairs_of(system, records, PLAN)


def test_other_contexts_can_be_compared_without_them() -> None:
    records = [
        record if record.system else replace(record, prompt_key=f"x{record.key}") for record in corpus(False, 30)
    ]
    system_pairs = pairs_of("odd", records, replace(PLAN, conditional=False))
    assert {generated.prompt for generated in system_pairs.trained} == {""}
    assert len(system_pairs.tested[0].references) == 4
