"""The critic's loss and its gradient penalty, against slow versions and finite differences."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.models.catalogue import ModelRole, locate
from core.models.heads.perception import Critic, penalised, perception_loss
from core.models.trunk import TunableTrunk, Window
from core.notices import collecting
from tests.core.models import tiny

PAIRS = [("A dog ran.", "It was glad.", "It went home late."), ("", "The cat sat.", "The owl flew away.")]


@pytest.fixture
def critic(tmp_path: Path) -> Critic:
    """A tiny one in double precision that is not at its beginning, where every f is 0."""
    folder = tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=64)
    torch.manual_seed(3)
    new_critic = Critic(TunableTrunk(locate(folder, ModelRole.BASE), (2,), 0)).double().eval()
    torch.nn.init.normal_(new_critic.score.weight)
    return new_critic


def windows(critic: Critic) -> list[Window]:
    contexts = [context for context, _, _ in PAIRS]
    sides = ([text for _, text, _ in PAIRS], [text for _, _, text in PAIRS])
    return [critic.window(critic.encode(contexts, side)) for side in sides]


def test_the_loss_is_the_papers() -> None:
    rng = np.random.default_rng(0)
    ours, theirs, sure = (rng.normal(size=7) * 3 for _ in range(3))
    tensor, unsure = perception_loss(*(torch.tensor(values) for values in (ours, theirs, sure)))
    reference = np.exp(theirs) / (np.exp(ours) + np.exp(theirs))
    c = 1 / (1 + np.exp(-sure))
    assert float(tensor) == pytest.approx(float(-np.log(c * reference + 1 - c).mean()), abs=1e-12)
    assert float(unsure) == pytest.approx(float(-np.log(c).mean()), abs=1e-12)


def test_the_loss_is_a_number_where_p_is_too_small_for_one() -> None:
    tensor, _ = perception_loss(torch.tensor([900.0]), torch.tensor([-900.0]), torch.tensor([60.0]))
    assert 0 < float(tensor) < 100
    tensor, unsure = perception_loss(torch.tensor([0.0]), torch.tensor([0.0]), torch.tensor([-900.0]))
    assert float(tensor) == pytest.approx(0.0)
    assert float(unsure) == pytest.approx(900.0)


def test_the_same_text_on_both_sides_is_half_and_an_untrained_critic_knows_nothing(tmp_path: Path) -> None:
    folder = tiny.save(tmp_path / "b", "BertModel", ModelRole.ENCODER, max_position_embeddings=64)
    fresh = Critic(TunableTrunk(locate(folder, ModelRole.BASE), (2,), 0)).eval()
    ours, theirs = windows(fresh)
    scores = [fresh(fresh.embeddings(window), window)[0] for window in (ours, theirs)]
    assert torch.equal(scores[0], torch.zeros(2))
    assert torch.equal(scores[1], torch.zeros(2))
    torch.nn.init.normal_(fresh.score.weight)
    assert torch.equal(fresh(fresh.embeddings(ours), ours)[0], fresh(fresh.embeddings(ours), ours)[0])
    assert not torch.allclose(fresh(fresh.embeddings(ours), ours)[0], fresh(fresh.embeddings(theirs), theirs)[0])


def test_a_context_stands_before_its_text_and_none_leaves_it_alone(critic: Critic) -> None:
    alone, after = critic.encode(["", "A dog ran."], ["It was glad.", "It was glad."])
    pieces = critic.trunk.tokenizer
    assert pieces.decode(alone) == "it was glad."
    assert pieces.decode(after) == "a dog ran. [SEP] it was glad."
    with collecting() as lines:
        cut, kept = critic.encode(["", "before " * 100 + "dog."], ["word " * 500, "It was glad."])
    assert len(cut) == len(kept) == 62
    assert pieces.decode(kept).endswith(
        "before dog. [SEP] it was glad."
    )  # the context's beginning is lost, not the text
    assert lines == ["1 texts have more than the 62 pieces that the base reads: their ends were cut."]


def test_the_penalty_is_that_of_finite_differences(critic: Critic) -> None:
    ours, theirs = windows(critic)
    result = penalised(critic, ours, theirs)[-1].item()
    step, squares = 1e-6, np.zeros(2)
    for side, window in enumerate((ours, theirs)):
        begun = critic.embeddings(window).detach()
        for place in np.ndindex(*begun.shape):
            moved = []
            for sign in (1, -1):
                other = begun.clone()
                other[place] += sign * step
                moved.append(critic(other, window)[0][place[0]].item())
            slope = (moved[0] - moved[1]) / (2 * step) * (1 if side == 0 else -1)
            squares[place[0]] += slope**2
    assert result == pytest.approx(float(((np.sqrt(squares) - 1) ** 2).mean()), rel=1e-5)


def test_the_penaltys_own_gradient_is_that_of_finite_differences(critic: Critic) -> None:
    ours, theirs = windows(critic)

    def penalty() -> torch.Tensor:
        return penalised(critic, ours, theirs)[-1]

    penalty().backward()  # type: ignore[no-untyped-call]
    block = next(item for name, item in critic.base.named_parameters() if name.endswith("attention.self.query.weight"))
    for parameter, place in ((critic.score.weight, (0, 5)), (block, (3, 4))):
        assert parameter.grad is not None
        slope = float(parameter.grad[place])
        with torch.no_grad():
            parameter[place] += 1e-5
            above = penalty().item()
            parameter[place] -= 2e-5
            below = penalty().item()
            parameter[place] += 1e-5
        assert slope == pytest.approx((above - below) / 2e-5, rel=1e-3, abs=1e-8)
        assert slope != 0
