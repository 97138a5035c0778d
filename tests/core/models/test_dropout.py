"""Cheap dropout drops as torch's does."""

import pytest
import torch
from torch import nn

from core.models.devices.cpu import Dropout, drop_cheaply

MANY = 400_003  # no multiple of the values that one drawn number decides


@pytest.mark.parametrize("share", [0.1, 0.5, 0.999])
def test_drops_its_share_everywhere_and_keeps_the_mean(share: float) -> None:
    torch.manual_seed(0)
    given = torch.ones(MANY, requires_grad=True)
    dropped = Dropout(share)(given)
    noise = 5 * (share * (1 - share) / (MANY / 4)) ** 0.5
    for lane in range(4):
        assert (dropped[lane::4] == 0).double().mean().item() == pytest.approx(share, abs=noise)
    assert dropped.detach().unique().tolist() == pytest.approx([0, 1 / (1 - share)], rel=0.01)
    dropped.sum().backward()
    assert given.grad is not None
    assert torch.equal(given.grad, dropped)


def test_neighbours_are_independent() -> None:
    torch.manual_seed(0)
    gone = Dropout(0.5)(torch.ones(MANY)) == 0
    for apart in (1, 2, 3, 4):
        both = (gone[apart:] & gone[:-apart]).double().mean().item()
        assert both == pytest.approx(0.25, abs=0.005)


def test_the_same_seed_draws_the_same() -> None:
    result = []
    for _ in range(2):
        torch.manual_seed(3)
        result.append(Dropout(0.3)(torch.ones(3, 5, 7)))
    assert torch.equal(*result)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_nothing_and_all(share: float) -> None:
    assert Dropout(share)(torch.ones(8)).tolist() == [1 - share] * 8


def test_takes_the_place_of_torchs_and_rests_when_not_training() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Dropout(0.2), nn.ReLU()))
    drop_cheaply(model)
    inner = model[1][0]
    assert isinstance(inner, Dropout)
    assert inner.p == 0.2
    given = torch.ones(4, 2)
    assert torch.equal(inner.eval()(given), given)
