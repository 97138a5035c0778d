"""Figures of "how many more?"."""

import numpy as np

from core.analysis.correlation.sample_size import extrapolation
from core.analysis.planning.design import Setup
from core.analysis.planning.spread import Spread
from core.analysis.planning.systems import plan_systems, seen_curves
from core.figures.sample_size import more_ratings, more_stories, seen_by_prompts
from tests.core.analysis.correlation.sample_size import noisy_study


def test_both_curves_share_their_scale_and_mark_what_is_extrapolated() -> None:
    result = extrapolation(*noisy_study(300, 4, noise=1.0))
    ratings, stories = more_ratings(result, "<b>x</b>"), more_stories(result, "<b>x</b>")
    assert ratings.layout.yaxis.range == stories.layout.yaxis.range
    assert ratings.layout.yaxis.range[0] == 0
    for figure, steps in ((ratings, result.by_ratings), (stories, result.by_stories)):
        assert "<b>" not in figure.layout.title.text
        assert [trace.name for trace in figure.data] == ["found by thinning out", "extrapolated"]
        seen, later = (np.array(trace.x) for trace in figure.data)
        assert list(seen) == [step.size for step in steps if not step.extrapolated]
        assert later[0] == seen[-1]
        assert list(later[1:]) == [step.size for step in steps if step.extrapolated]
        assert figure.layout.xaxis.title.text in ("Stories", "Ratings a story")


def test_nothing_extrapolated_from_one_rating() -> None:
    figure = more_ratings(extrapolation(*noisy_study(300, 1, noise=1.0)), "m")
    assert [trace.name for trace in figure.data] == ["found by thinning out"]


def test_what_designs_see_is_a_curve_each() -> None:
    plan = plan_systems(0.3, Spread(), Setup(prompts=40))
    curves = seen_curves(plan, Spread(), Setup(prompts=40))
    figure = seen_by_prompts(curves, 0.3, 0.8)
    *lines, asked = figure.data
    assert [line.name for line in lines][:2] == ["1 rating a story", "2 ratings a story"]
    assert len({(line.line.color, line.line.dash) for line in lines}) == len(lines) == 5
    assert set(asked.y) == {0.3}
    for line, design in zip(lines, plan.designs, strict=True):
        assert sorted(line.y, reverse=True) == list(line.y)
        below = [x for x, y in zip(line.x, line.y, strict=True) if y <= 0.3]
        assert design.prompts is not None
        assert design.prompts <= min(below) < 1.2 * design.prompts
