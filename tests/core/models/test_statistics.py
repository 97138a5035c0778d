"""The likeliest of a vocabulary, found block by block, against a full sort; and the columns for metrics."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.statistics import likeliest, likelihood, measured


@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**31 - 1),
    vocabulary=st.sampled_from([3, 60, 128 * 40, 128 * 40 + 1, 128 * 41 - 1]),
    k=st.integers(0, 12),
    tied=st.booleans(),
)
def test_the_likeliest_are_those_of_a_full_sort(seed: int, vocabulary: int, k: int, tied: bool) -> None:
    """Also where the vocabulary is no whole number of blocks, is smaller than k, or holds equal values."""
    logits = torch.randn((3, vocabulary), generator=torch.Generator().manual_seed(seed)) * 2
    logits = logits.round() if tied else logits
    values, ids = likeliest(logits, k)
    expected = torch.sort(logits, -1, descending=True).values[:, :k]
    assert torch.equal(values, expected)
    assert torch.equal(logits.gather(1, ids), expected)
    assert all(len(set(row.tolist())) == len(row) for row in ids)


@settings(max_examples=20)
@given(st.integers(0, 2**31 - 1), st.sampled_from([12, 128 * 40 + 5]), st.booleans())
def test_columns_for_metrics_equal_a_full_sort(seed: int, vocabulary: int, tied: bool) -> None:
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn((9, vocabulary), generator=generator) * 3
    logits = logits.round() if tied else logits
    targets = torch.cat([logits[:5].topk(12).indices[:, 11], torch.randint(vocabulary, (4,), generator=generator)])
    for row, before, target in zip(likelihood(logits, targets).numpy(), logits.double(), targets.tolist(), strict=True):
        p = torch.softmax(before, -1).numpy()
        descending = np.sort(p)[::-1]
        ten = descending[:10] / descending[:10].sum()
        assert row[0] == pytest.approx(-math.log(p[target]), abs=1e-5)
        assert row[1] == pytest.approx(p[target] / descending[0], abs=1e-6)
        assert row[2] == float((before > before[target]).sum() < 10)
        assert row[3] == pytest.approx(-(ten * np.log(ten)).sum(), abs=1e-5)


@pytest.mark.parametrize("positions", [1, 16, 37])
@pytest.mark.parametrize("block", [1, 4 * 300 * 20, 2**30])
def test_positions_measured_a_few_at_a_time_have_the_numbers_of_all_at_once(
    positions: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.statistics.LOGITS_A_HEAD", {"cpu": block})
    generator = torch.Generator().manual_seed(5)
    states, weight = torch.randn((positions, 8), generator=generator), torch.randn((300, 8), generator=generator)
    targets = torch.randint(300, (positions,), generator=generator)
    found = measured(lambda some: some @ weight.T, lambda logits: logits / 2, states, targets, likelihood, 300)
    assert found.dtype == torch.float64
    torch.testing.assert_close(found, likelihood(states @ weight.T / 2, targets).double(), atol=1e-5, rtol=0)
