"""Two ways to the same figures, whose last digits may differ."""

import pytest


def assert_alike(mine: object, other: object) -> None:
    """Numbers up to their last digits, all else as it is."""
    if isinstance(mine, dict) and isinstance(other, dict):
        assert mine.keys() == other.keys()
        for name in mine:
            assert_alike(mine[name], other[name])
    elif isinstance(mine, float) and not isinstance(other, str | None):
        assert mine == pytest.approx(other, rel=1e-9, abs=1e-12)
    else:
        assert mine == other
