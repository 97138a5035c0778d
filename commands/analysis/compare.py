"""compare: which metrics differ in their agreement with people."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from commands.analysis.cautions import print_tuned
from commands.json.results import agreement_report, by_metric
from commands.json.significance import compare_report
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
from core.analysis.judgments.reliability import reliability
from core.analysis.significance.tests import (
    LEVEL,
    PairTest,
    Significance,
    permutations_for_metrics,
    settings,
)
from core.analysis.verdict.family import compare_family, family_of
from core.analysis.verdict.few_stories import DISAGREED, TOO_FEW, pairs_if_claimed
from core.annotation.target import target_of
from core.errors import InputError
from core.people import TERMINAL
from core.statistics.intervals import Estimate
from core.wording import so_many
from db.jobs.queue import being_scored
from db.scores import tables
from db.studies import studies
from db.training import overlap


def compare(
    study: StudyName,
    metric: Annotated[list[str] | None, typer.Option(help="Only these metrics.")] = None,
    folder: ScoreFolders = None,
    target: TargetName = None,
    coefficient: Annotated[str, typer.Option(help="pearson, spearman or kendall.")] = "pearson",
    permutations: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="At most; by default 1,000, and more where Holm's correction needs them, less of these for ranks.",
        ),
    ] = None,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """Which metrics differ in their agreement with people: tests of every pair, corrected, and clusters."""
    chosen_study = studies.find(study)
    judged = target_of(chosen_study.scheme, target)
    table = best_first(tables.table(chosen_study.id, metric, target=judged, folders=folder or ()))
    table = replace(table, under_way=being_scored(TERMINAL, chosen_study.id))
    names = by_metric([(column.metric, column.signature) for column in table.columns])
    family = family_of(table, overlap.trained_on(chosen_study.id, names.values()))
    left_out = family.left_out(list(names))
    if len(family.places) < 2:
        raise InputError(
            f"The study {chosen_study.name!r} has scores of {so_many(len(family.places), 'metric')} to compare here; a "
            f"comparison needs two. {left_out}".strip()
        )
    chosen = settings(coefficient, len(family.places), permutations=permutations, seed=seed)
    compared = compare_family(table, list(names), family, chosen)

    agreement = reliability(table, seed=seed)
    shown = pairs_if_claimed(compared, large=family.large, agreed=not agreement.disagree)

    def printed() -> None:
        if chosen_study.demonstration:
            console.print("These ratings are demonstration data.")
        print_caution(agreement)
        print_tuned(chosen_study.id, names)
        print_table(
            "",
            ["a", "b", "n", "difference", "95 %", "Williams", "permutation", "Holm", "undefined"],
            [_line(row) for row in shown.rows],
        )
        if agreement.disagree or not family.large:
            console.print(DISAGREED if agreement.disagree else TOO_FEW)
        else:
            _conclude(compared)
            if left_out:
                console.print(left_out, markup=False, soft_wrap=True)
        print_signatures(names)

    show(
        compare_report(chosen_study, compared, names) | agreement_report(agreement) | {"target": judged.text},
        json_file,
        printed,
    )


def _line(row: PairTest) -> list[Any]:
    ends = Estimate(row.difference, row.low, row.high).ends_text(to=" … ")
    star = "" if not row.separated else "*"
    holm = None if row.p_holm is None else f"{row.p_holm:.4f}{star}"
    return [row.a, row.b, row.n, row.difference, ends, row.williams_p, row.permutation_p, holm, row.undefined or ""]


NEARLY = f"; where that leaves a corrected p near {LEVEL}, more decide"


def _conclude(significance: Significance) -> None:
    console.print(
        f"p are two-sided; * is a corrected p of at most {LEVEL}. At most {significance.settings.permutations:,} "
        f"permutations of whole prompts, seed {significance.settings.seed}"
        f"{NEARLY if significance.settings.near else ''}."
    )
    needed = permutations_for_metrics(len(significance.ranking))
    if significance.settings.permutations < needed:
        console.print(
            f"With fewer than {needed:,} permutations the correction may tell fewer metrics apart, or none: "
            f"--permutations {needed} makes as many."
        )
    if any(row.linearised for row in significance.rows):
        console.print("Of so many stories, intervals and permutations of Spearman's rho are linearised.")
    for number, cluster in enumerate(significance.clusters, 1):
        console.print(f"Cluster {number}: {', '.join(cluster)}", markup=False)
