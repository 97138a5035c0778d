"""What a press of a metric report's figure or row opens: a story, a list of stories, or the analysis that says more."""

from collections.abc import Callable
from typing import Any

from core.analysis.verdict.sentences import Basis
from core.report.section import Tabled
from core.report.sections.tables import ALL
from pages.ui.correlation.criteria import ALL_STORIES
from pages.ui.shared.analysis.degenerate_stories import LISTED
from pages.ui.shared.analysis.metric_choice import mark_preferred, prefer_metric
from pages.ui.shared.analysis.pressed_part import BETWEEN, LEVEL, PAIR
from pages.ui.shared.stories.story_drawer import open_story
from pages.ui.shared.stories.wanted_stories import (
    carried,
    mark_error_type,
    mark_metric,
    mark_system,
    want_page,
    want_stories,
)

OnPoints = Callable[[list[dict[str, Any]]], None]
MORE: dict[Basis, tuple[str, str, dict[str, str]]] = {
    Basis.CORRELATION: ("correlation.py", "The same on Correlation", {"tab": "Scatter"}),
    Basis.CRITERIA: ("correlation.py", "The same on Correlation", {"tab": "By criterion", "level": ALL_STORIES}),
    Basis.ERROR_TYPES: ("correlation.py", "The same on Correlation", {"tab": "By error type"}),
    Basis.SYSTEMS: ("correlation.py", "The same on Correlation", {"tab": "By system"}),
    Basis.DRIFT: ("drift.py", "The same on Drift", {"drift": "Quality"}),
    Basis.DIFFERENCE: ("difference.py", "The same on Difference", {}),
    Basis.DEGENERATE: ("score.py", "The stories on Run metrics", LISTED),
    Basis.CAPABILITY: ("capability.py", "The cases on Capability", {"look": "Cases"}),
}
"""Where a section's analysis is, what leads there, and which part of its address it takes."""


def on_points(key: str, metric: str) -> OnPoints | None:
    """What a press of the figure does that is called so; None where nothing is behind it."""
    return {
        "report-ranked": mark_preferred,
        "report-scatter": _mark_story,
        "report-systems": mark_system,
        "report-together": mark_system,
        "report-errors": mark_error_type,
        "report-sets": lambda points: _mark_part(points, "drift.py", LEVEL, {"drift": "Quality"}),
        "report-drift": mark_metric,
        "report-difference": lambda points: _mark_part(points, "difference.py", PAIR, {"metric": metric}),
        "report-sees": lambda points: _mark_cases(points, metric),
    }.get(key)


def on_row(tabled: Tabled, metric: str) -> Callable[[int], None] | None:
    """The same for a row of a table, by what stands in its first column."""
    if not tabled.rows:
        return None
    first = next(iter(tabled.rows[0]))
    presses: dict[str, Callable[[str], None]] = {
        "Metric": prefer_metric,
        "System": lambda name: want_stories(name if name != ALL else ""),
        "Error type": lambda name: want_stories(error_type=name if name != ALL else ""),
        "Aspect": lambda name: _want_cases(metric, name),
        "Change": lambda name: _want_cases(metric, name),
    }
    press = presses.get(first)
    return None if press is None else lambda row: press(str(tabled.rows[row][first]))


def _mark_story(points: list[dict[str, Any]]) -> None:
    for key in carried(points)[:1]:
        open_story(key, ())


def _mark_part(points: list[dict[str, Any]], page: str, address: str, parts: dict[str, str]) -> None:
    """Want the page that lists the stories of the part that was pressed."""
    if pressed := carried(points):
        want_page(page, **parts, **{address: BETWEEN.join(pressed)})


def _mark_cases(points: list[dict[str, Any]], metric: str) -> None:
    for aspect in carried(points)[:1]:
        _want_cases(metric, aspect)


def _want_cases(metric: str, aspect: str) -> None:
    want_page("capability.py", look="Cases", metric=metric, aspect=aspect)
