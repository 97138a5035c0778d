"""A plan in words and rows, the same on the page and in the terminal."""

from collections.abc import Sequence

from core.analysis.planning.design import Design, Setup
from core.analysis.planning.metrics import MetricsPlan, PastMetrics
from core.analysis.planning.spread import PastSpread, Spread
from core.analysis.planning.systems import SystemsPlan


def spread_sentence(spread: Spread, past: PastSpread | None) -> str:
    """What the plan takes ratings to spread by, and where that is from."""
    parts = {"prompts": spread.prompt, "stories": spread.story, "raters": spread.rater, "ratings": spread.rating}
    said = ", ".join(f"{name} {value:.2f}" for name, value in parts.items())
    if past is None:
        return f"Standard deviations, as stated or as usual: {said}."
    known = (
        ""
        if past.shared
        else "; raters' leniency is counted with the ratings, as no two raters share a prompt's stories"
    )
    return (
        f"Standard deviations, of {past.stories:,} stories of {past.systems:,} systems for {past.prompts:,} prompts "
        f"with {past.ratings:.3g} ratings each: {said}{known}."
    )


def systems_sentence(plan: SystemsPlan, setup: Setup) -> str:
    """What the designs for two systems see."""
    level = f"alpha {plan.level:.3g}"
    if setup.corrected and setup.pairs > 1:
        level = f"alpha {setup.alpha:g} over {setup.pairs:,} pairs of systems"
    systems = "two systems" if setup.systems == 2 else f"two of {setup.systems} systems"
    return f"To see a difference of {plan.difference:g} between {systems} with power {setup.power:g} at {level}:"


def metrics_sentence(plan: MetricsPlan, setup: Setup, past: PastMetrics | None) -> str:
    """What the designs for two metrics see."""
    of = plan.correlations
    names = f" ({past.metrics[0]} and {past.metrics[1]})" if past else ""
    effect = f", design effect {of.effect:.2f}" if of.effect != 1 else ""
    return (
        f"To see that a metric of r = {of.correlation:.3f}, were ratings free of noise, agrees with people more than "
        f"one of {of.correlation - plan.delta:.3f}, with r = {of.between:.3f} between the two{names}{effect}, with "
        f"power {setup.power:g} at alpha {setup.alpha:g}, {setup.systems} stories a prompt:"
    )


def design_rows(designs: Sequence[Design], setup: Setup) -> list[dict[str, object]]:
    """A row per design; columns that would be empty are left out."""
    rows: list[dict[str, object]] = []
    for one in designs:
        row: dict[str, object] = {
            "Ratings a story": one.ratings,
            "Prompts": one.prompts,
            "Stories": one.stories,
            "Ratings": one.total,
            "Panels" if setup.unit.of_prompt else "Assignments": one.panels,
        }
        if setup.priced:
            row["Cost"] = None if one.hundredths is None else setup.pay.text(one.hundredths)
        if setup.prompts is not None:
            row[f"Seen with {setup.prompts:,} prompts"] = one.seen
        rows.append(row | {"": "cheapest" if one.cheapest else "" if one.within else "more prompts than there are"})
    return rows
