"""The command `differences`: do differences of a metric follow those of people?"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from commands.json.results import agreement_report, by_metric
from commands.terminal import (
    JsonFile,
    ScoreFolders,
    Seed,
    StudyName,
    TargetName,
    console,
    print_caution,
    print_signatures,
    print_table,
    show,
)
from core.analysis.correlation.metric_order import best_first
from core.analysis.difference.differences import Convention, MetricDifference, difference_table, reading
from core.analysis.difference.windows import plan
from core.analysis.judgments.reliability import reliability
from core.annotation.studies import Study
from core.annotation.target import target_of
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
    folder: ScoreFolders = None,
    target: TargetName = None,
    convention: Conventions = Convention.PLANE,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """Differences between sets of stories, by people and by each metric; the seed orders tied stories."""
    chosen_study = studies.find(study)
    judged = target_of(chosen_study.scheme, target)
    scores = best_first(tables.table(chosen_study.id, metric, target=judged, folders=folder or ()))
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
            "Sets overlap and are sorted on the ratings: the t-tests (p < 0.01) only describe these sets. "
            f"Seed {seed}; R² by the convention {convention}."
        )
        print_signatures(names)

    report = differences_report(chosen_study, rows, scores.rated, convention, seed)
    show(report | agreement_report(agreement) | {"target": judged.text}, json_file, table)


def _line(name: str, row: MetricDifference) -> list[Any]:
    difference = row.difference
    if difference.undefined is not None:
        return [name, difference.n, *[None] * 9, difference.undefined]
    sets = f"{difference.plan.number} of {difference.plan.size}, {difference.plan.stride} apart"
    ties = f"{difference.r2_low:.3f} … {difference.r2_high:.3f}"
    counts = [difference.both, difference.human_only, difference.metric_only, difference.neither]
    return [name, difference.n, sets, difference.r2, difference.r2_median, ties, difference.slope, *counts, ""]


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
    difference = row.difference
    counts = ("both", "human_only", "metric_only", "neither", "opposed")
    return {
        "metric": name,
        "signature": row.signature,
        "n": difference.n,
        "window": difference.plan.size,
        "stride": difference.plan.stride,
        "windows": difference.plan.number,
        "pairs": difference.plan.pairs,
        "r2": difference.r2,
        "r2_median": difference.r2_median,
        "r2_low": difference.r2_low,
        "r2_high": difference.r2_high,
        "orders": difference.orders,
        "slope": difference.slope,
        "intercept": difference.intercept,
        **{name: getattr(difference, name) if difference.undefined is None else None for name in counts},
        "undefined": difference.undefined,
    }
