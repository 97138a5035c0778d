"""What scale ratings may be on."""

import pytest

from core.annotation.scale import scale_between
from core.formats.exports.rating_check import usual_scale


@pytest.mark.parametrize(
    ("lowest", "highest", "scale"),
    [
        (0, 1, "0-1"),
        (0, 5, "0-5"),
        (1, 7, "1-7"),
        (0, 7, "0-10"),
        (3, 80, "0-100"),
        (-2, 1.5, "-2..2"),
        (200, 800, "200..800"),
    ],
)
def test_a_scale_that_holds_the_ratings(lowest: float, highest: float, scale: str) -> None:
    assert usual_scale(lowest, highest) == scale
    steps = scale_between(scale)
    assert steps[0][0] <= lowest
    assert steps[-1][0] >= highest
