"""The likeliest of a vocabulary, found block by block, against a full sort; and the columns for metrics."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.statistics import likeliest, likelihood


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
