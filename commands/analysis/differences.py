"""The command `differences`: do differences of a metric follow those of people?"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from commands.json.results import agreement_report, by_metric
from commands.terminal import JsonFile, Seed, StudyName, console, print_caution, print_signatures, print_table, show
from core.analysis.correlation.metric_order import best_first
from core.analysis.difference.differences import Convention, MetricDifference, difference_table, reading
from core.analysis.difference.windows import plan
from core.analysis.judgments.reliability import reliability
from core.annotation.studies import Study
from core.errors import InputError
from db.scores import tables
from db.studies import studies

Metrics = Annotated[list[str] | None, typer.Option(help="Only these metrics.")]
Conventions = Annotated[
    Convention,
    typer.Option(
        help="What R² and the line are of: `plane`, all ordered pairs of sets; `paper`, those that people rate higher "
        "less the others, with an intercept."
    ),
]


def differences(
    study: StudyName,
    metric: Metrics = None,
    convention: Conventions = Convention.PLANE,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """Differences between sets of stories, by people and by each metric; the seed orders tied stories."""
    chosen_study = studies.find(study)
    scores = best_first(tables.table(chosen_study.id, metric))
    rows = difference_table(scores, seed=seed, convention=convention)
    if not rows:
        raise InputError(f"The study {chosen_study.name!r} has no scores yet; run `score` or import some.")

    agreement = reliability(scores, seed=seed)

    def table() -> None:
        if chosen_study.demonstration:
            console.print("These ratings are demonstration data.")
        print_caution(agreement)
        names = by_metric([(row.metric, row.signature) for row in rows])
        lines = [_line(name, row) for name, row in zip(names, rows, strict=True)]
        columns = [
            "metric",
            "n",
            "sets",
            "R²",
            "median",
            "95 % of ties",
            "slope",
            "both",
            "people",
            "metric",
            "neither",
            "undefined",
        ]
        print_table("", columns, lines)
        for name, row in zip(names, rows, strict=True):
            console.print(f"{name}: {reading(row.difference)}", markup=False)
        console.print(
            "Sets overlap and are sorted on the ratings: the t-tests (p < 0.01) describe, they do not infer. "
            f"Seed {seed}; R² by the convention {convention}."
        )
        print_signatures(names)

    report = differences_report(chosen_study, rows, scores.rated, convention, seed)
    show(report | agreement_report(agreement), json_file, table)


def _line(name: str, row: MetricDifference) -> list[Any]:
    one = row.difference
    if one.undefined is not None:
        return [name, one.n, *[None] * 9, one.undefined]
    sets = f"{one.plan.number} of {one.plan.size} every {one.plan.stride}"
    ties = f"{one.r2_low:.3f} … {one.r2_high:.3f}"
    counts = [one.both, one.human_only, one.metric_only, one.neither]
    return [name, one.n, sets, one.r2, one.r2_median, ties, one.slope, *counts, ""]


def differences_report(
    study: Study, rows: Sequence[MetricDifference], rated: int, convention: Convention, seed: int
) -> dict[str, Any]:
    """What `differences --json` prints. Counts are of ordered pairs; `rated`: stories with a human judgment.

    `windows`, `pairs`: those of all rated stories; a metric without some of the scores has its own in its row.
    """
    whole = plan(rated)
    names = by_metric([(row.metric, row.signature) for row in rows])
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": rated,
        "seed": seed,
        "convention": convention,
        "signatures": names,
        "window": whole.size,
        "stride": whole.stride,
        "windows": whole.number,
        "pairs": whole.pairs,
        "rows": [_row(name, row) for name, row in zip(names, rows, strict=True)],
    }


def _row(name: str, row: MetricDifference) -> dict[str, Any]:
    one = row.difference
    counts = ("both", "human_only", "metric_only", "neither", "opposed")
    return {
        "metric": name,
        "signature": row.signature,
        "n": one.n,
        "window": one.plan.size,
        "stride": one.plan.stride,
        "windows": one.plan.number,
        "pairs": one.plan.pairs,
        "r2": one.r2,
        "r2_median": one.r2_median,
        "r2_low": one.r2_low,
        "r2_high": one.r2_high,
        "orders": one.orders,
        "slope": one.slope,
        "intercept": one.intercept,
        **{name: getattr(one, name) if one.undefined is None else None for name in counts},
        "undefined": one.undefined,
    }
