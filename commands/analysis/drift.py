"""`drift quality|dataset|system`: is a metric as good on poor stories, other systems' stories, other corpora?"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commands.analysis.drift_trained import Trained, cards_here, learnt, score_all
from commands.json.drift import dataset_report, quality_report, system_report
from commands.json.results import agreement_report, by_metric
from commands.terminal import (
    JsonFile,
    ScoreFolders,
    StudyName,
    TargetName,
    console,
    print_caution,
    print_signatures,
    print_table,
    show,
)
from core.analysis.correlation.metric_order import best_first
from core.analysis.drift.quality import quality_drift
from core.analysis.drift.subsets import dataset_drift, system_drift
from core.analysis.judgments.reliability import reliability
from core.annotation.studies import Study
from core.annotation.target import Target, on_target, target_of
from core.errors import InputError
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from db.scores import tables
from db.studies import studies

app = typer.Typer(
    help="How a metric's agreement with people changes with the stories' quality, system or corpus.",
    no_args_is_help=True,
)
Metrics = Annotated[list[str] | None, typer.Option("--metric", help="Only these metrics.")]
Luck = Annotated[int, typer.Option("--seed", min=0, help="Seed of the draws.")]
Resamples = Annotated[int, typer.Option(min=0, help="Bootstrap draws; 0 for none.")]


@app.command("quality")
def quality(
    study: StudyName,
    metric: Metrics = None,
    folder: ScoreFolders = None,
    target: TargetName = None,
    draws: Annotated[int, typer.Option(min=1, help="How often the eight biased sets are drawn.")] = 1000,
    seed: Luck = 0,
    json_file: JsonFile = None,
) -> None:
    """Agreement on UNION's eight biased sets, from mostly poor stories to mostly good ones."""
    chosen_study = studies.find(study)
    judged = target_of(chosen_study.scheme, target)
    scheme = on_target(chosen_study.scheme, judged)
    scores = _scored(chosen_study, metric, judged, folder or ())
    result = quality_drift(scores, (scheme.lowest, scheme.highest), draws=draws, seed=seed)
    agreement = reliability(scores, seed=seed)

    def table() -> None:
        _demonstration([chosen_study])
        print_caution(agreement)
        names = by_metric([(row.metric, row.signature) for row in result.rows])
        lines = [
            [name, row.n, *(value.text(".3f", ".2f", to="…").replace(" ", "\n") for value in row.values)]
            for name, row in zip(names, result.rows, strict=True)
        ]
        sizes = ["expected stories", "", *(f"{biased_set.expected_size:.2f}" for biased_set in result.sets)]
        print_table("", ["metric", "n", *(f"set {biased_set.number}" for biased_set in result.sets)], [sizes, *lines])
        for name, row in zip(names, result.rows, strict=True):
            _reasons(name, [f"set {biased_set.number}" for biased_set in result.sets], row.values)
        console.print(f"Mean r of {result.draws:,} draws, and what holds 95 % of them.")
        print_signatures(names)

    report = quality_report(chosen_study, result) | {"target": judged.text}
    show(report | agreement_report(agreement), json_file, table)


@app.command("system")
def system(
    study: StudyName,
    metric: Metrics = None,
    folder: ScoreFolders = None,
    target: TargetName = None,
    trained: Trained = False,
    resamples: Resamples = 1000,
    seed: Luck = 0,
    json_file: JsonFile = None,
) -> None:
    """Agreement on each system's stories apart (OpenMEVA's Table 4)."""
    chosen_study = studies.find(study)
    cards = cards_here()
    if trained:
        metric = score_all([chosen_study], cards, metric)
    judged = target_of(chosen_study.scheme, target)
    scores = _scored(chosen_study, metric, judged, folder or (), every_checkpoint=trained)
    result = system_drift(scores, resamples=resamples, seed=seed)
    agreement = reliability(scores, seed=seed)

    def table() -> None:
        _demonstration([chosen_study])
        print_caution(agreement)
        names = by_metric([(row.metric, row.signature) for row in result.rows])
        lines = [
            [name, learnt([row.signature], cards), *(value.text(to="…") for value in (*row.values, row.all))]
            for name, row in zip(names, result.rows, strict=True)
        ]
        heads = [f"{part.name} ({part.n:,})" for part in result.systems]
        print_table("", ["metric", "trained on", *heads, f"all ({result.n:,})"], lines)
        for name, row in zip(names, result.rows, strict=True):
            _reasons(name, [*(part.name for part in result.systems), "all"], (*row.values, row.all))
        print_signatures(names)

    report = system_report(chosen_study, result) | agreement_report(agreement) | {"target": judged.text}
    for line, row in zip(report["rows"], result.rows, strict=True):
        line["trained_on"] = learnt([row.signature], cards) or None
    show(report, json_file, table)


@app.command("dataset")
def dataset(
    study: Annotated[list[str], typer.Option("--study", help="The studies; the first is compared with the others.")],
    metric: Metrics = None,
    target: TargetName = None,
    trained: Trained = False,
    resamples: Resamples = 1000,
    seed: Luck = 0,
    json_file: JsonFile = None,
) -> None:
    """Agreement in each of several studies, metric by metric, and the change from the first (UNION's Table 6)."""
    loaded_studies = [studies.find(name) for name in dict.fromkeys(study)]
    cards = cards_here()
    if trained:
        metric = score_all(loaded_studies, cards, metric)
    targets = {item.name: target_of(item.scheme, target) for item in loaded_studies}
    scores = {item.name: _scored(item, metric, targets[item.name], every_checkpoint=trained) for item in loaded_studies}
    result = dataset_drift(scores, resamples=resamples, seed=seed)
    agreements = {name: reliability(score, seed=seed) for name, score in scores.items()}

    def table() -> None:
        _demonstration(loaded_studies)
        for name, agreement in agreements.items():
            if agreement.caution:
                console.print(f"{name}: {agreement.caution}", markup=False, soft_wrap=True)
        heads = [f"{part.name} ({part.n:,})" for part in result.studies]
        heads += [f"change in {part.name}" for part in result.studies[1:]]
        lines = [
            [row.metric, learnt(row.signatures, cards), *(v.text(to="…") for v in (*row.values, *row.changes))]
            for row in result.rows
        ]
        print_table("", ["metric", "trained on", *heads], lines)
        unlike = [row.metric for row in result.rows if not row.one_signature]
        if unlike:
            console.print(f"Equal names, different signatures: {', '.join(unlike)}.", markup=False)
        for name, metrics in result.unmatched.items():
            console.print(f"Only in {name}: {', '.join(metrics)}.", markup=False)
        for place, part in enumerate(result.studies):
            given = {row.metric: row.signatures[place] or "" for row in result.rows if row.signatures[place]}
            console.print(f"{part.name}:", markup=False)
            print_signatures(given)

    report = dataset_report(loaded_studies, result)
    for part in report["sets"]:
        part |= agreement_report(agreements[part["set"]]) | {"target": targets[part["set"]].text}
    for line, row in zip(report["rows"], result.rows, strict=True):
        line["trained_on"] = learnt(row.signatures, cards) or None
    show(report, json_file, table)


def _scored(
    study: Study,
    metrics: list[str] | None,
    target: Target,
    folders: Sequence[Path] = (),
    *,
    every_checkpoint: bool = False,
) -> ScoreTable:
    """The metrics that are called so; with `every_checkpoint` all scores of the metrics, however they were made."""
    table = best_first(tables.table(study.id, None if every_checkpoint else metrics, target=target, folders=folders))
    if every_checkpoint:
        table = replace(table, columns=tuple(column for column in table.columns if column.metric in (metrics or ())))
    if not table.columns:
        raise InputError(f"The study {study.name!r} has no scores yet; run `score` or import some.")
    return table


def _demonstration(studies_result: Sequence[Study]) -> None:
    if any(study.demonstration for study in studies_result):
        console.print("These ratings are demonstration data.")


def _reasons(name: str, places: Sequence[str], values: Sequence[Estimate]) -> None:
    """Why a row has dashes, the places of one reason together."""
    undefined = [(place, value.undefined) for place, value in zip(places, values, strict=True) if value.value is None]
    for reason in dict.fromkeys(reason for _, reason in undefined):
        where = ", ".join(place for place, other in undefined if other == reason)
        console.print(f"{name}, no r for {where}: {reason}.", markup=False)
