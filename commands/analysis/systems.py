"""The command `systems`: means, ranks, and whether metrics rank systems as people do."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
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
from core.analysis.judgments.reliability import reliability
from core.analysis.systems.powered import PoweredSystem, nothing_to_gain, powered_systems
from core.analysis.systems.ranking import SystemMean, SystemRow, Systems, compare_systems
from core.analysis.verdict.best_system import drawn_ranks, other_orders
from core.analysis.verdict.few_stories import DISAGREED
from core.annotation.studies import Study
from core.annotation.target import Target, target_of
from core.errors import InputError
from core.formats.plain_json import plain
from core.people import TERMINAL
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from core.statistics.prediction_powered import PoweredMean
from core.training.perception.order import signature
from core.training.perception.scores import PERCEPTION, Weights, Without, perception_column
from db.scores import tables
from db.studies import studies
from db.training import perceptions

Metrics = Annotated[list[str] | None, typer.Option(help="Only these metrics.")]
Way = Annotated[str, typer.Option(help="Of Perception Scores: paper, confidence or none.")]
Without_ = Annotated[str, typer.Option("--without", help="Of those weights: leave m or c out.")]
Training = Annotated[
    int | None,
    typer.Option(help="Of Perception Scores: the number that `train perception` gave; the newest, if left out."),
]
CriticsOf = Annotated[
    str | None,
    typer.Option(help="Of Perception Scores: the critics of one system judge all, after `train perception --groups`."),
]
TOLD_APART = "of those told apart"
"""The column of the pairs of systems whose means the ratings tell apart."""
Resamples = Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole prompts; 0 for none.")]


def systems(
    study: StudyName,
    metric: Metrics = None,
    folder: ScoreFolders = None,
    target: TargetName = None,
    every: Annotated[
        bool, typer.Option("--all-stories", help="Correlate means over all that is scored, not only what is rated.")
    ] = False,
    weights: Way = Weights.PAPER.value,
    without: Without_ = Without.NOTHING.value,
    training: Training = None,
    critics_of: CriticsOf = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """Systems as wholes: means and ranks, and each metric's correlation with people over systems. The study's newest
    Perception Scores stand among them.
    """
    about = studies.find(study)
    way = _way(weights, without)
    judged = target_of(about.scheme, target)
    scores = _scores(about, metric, judged, folder or ())
    if not metric or PERCEPTION in metric or training or critics_of:
        scores = _with_perception(scores, about, way, training, critics_of, asked=bool(metric))
    comparison = compare_systems(scores, every=every, seed=seed, resamples=resamples)
    names = by_metric([(column.metric, column.signature) for column in scores.columns])
    together = [] if comparison.undefined else [powered_systems(scores, place) for place in range(len(names))]
    agreement = reliability(scores, seed=seed)

    def table() -> None:
        if about.demonstration:
            console.print("These ratings are demonstration data.")
        print_caution(agreement)
        if comparison.undefined:
            console.print(f"Undefined: {comparison.undefined}.")
            return
        order = sorted(comparison.rows, key=lambda row: (row.human.rank.value or len(comparison.rows) + 1, row.system))
        print_table("", ["system", "stories", "people", "rank"], [_person(row) for row in order])
        if names:
            # One column per system, as metrics are many.
            means = [
                [
                    name,
                    *(
                        f"{row.metrics[i].mean.text('.4g', to=' … ')}, {row.metrics[i].rank.text('g', to=' … ')}"
                        for row in order
                    ),
                ]
                for i, name in enumerate(names)
            ]
            print_table("Means and ranks", ["metric", *(row.system for row in order)], means)
            _print_correlations(comparison, list(names), agreed=not agreement.disagree)
            _print_powered(list(names), together, [row.system for row in order])
            print_signatures(names)

    report = systems_report(about, comparison, scores, seed, resamples, together) | {"target": judged.text}
    show(report | agreement_report(agreement), json_file, table)


def _way(weights: str, without: str) -> tuple[Weights, Without]:
    if weights not in list(Weights):
        raise InputError(f"--weights is one of {', '.join(Weights)}, not {weights!r}.")
    if without not in list(Without):
        raise InputError(f"--without is one of {', '.join(Without)}, not {without!r}.")
    return Weights(weights), Without(without)


def _scores(study: Study, metrics: list[str] | None, target: Target, folders: Sequence[Path]) -> ScoreTable:
    """Return the scores of the metrics that are kept story by story; Perception Scores are none of them."""
    stored = [name for name in metrics or [] if name != PERCEPTION]
    result = best_first(tables.table(study.id, stored, target=target, folders=folders))
    return replace(result, columns=()) if metrics and not stored else result


def _with_perception(
    scores: ScoreTable,
    study: Study,
    way: tuple[Weights, Without],
    training: int | None,
    critics_of: str | None,
    *,
    asked: bool,
) -> ScoreTable:
    """With one more column; as it was where no critics were trained and nobody `asked` for them."""
    trainings = {perceived.id: perceived for perceived in perceptions.listed(TERMINAL, study.id)}
    if not trainings and not (asked or training or critics_of):
        return scores
    if not trainings:
        raise InputError(f"{study.name} has no Perception Scores yet: `train perception --study {study.name}` first.")
    if training is not None and training not in trainings:
        raise InputError(f"--training is one of {', '.join(map(str, trainings))}, not {training}.")
    chosen = trainings[next(iter(trainings)) if training is None else training]
    trained = perceptions.trained(TERMINAL, chosen.id)
    judges = list(dict.fromkeys(item.system for item in trained if len(item.judged) > 1))
    if critics_of is not None and critics_of not in judges:
        raise InputError(
            f"--critics-of is one of {', '.join(judges)}, not {critics_of!r}."
            if judges
            else "No critic of this training has judged another system's texts: train with --groups."
        )
    name = signature(chosen.settings, *way, critics_of=critics_of)
    column = perception_column(trained, scores.keys, name, *way, critics_of=critics_of)
    return replace(scores, columns=(*scores.columns, column))


def _person(row: SystemRow) -> list[Any]:
    return [row.system, row.stories, row.human.mean.text(".4g", to=" … "), row.human.rank.text("g", to=" … ")]


def _print_correlations(systems_result: Systems, names: list[str], *, agreed: bool) -> None:
    reasons = {correlation.undefined for correlation in systems_result.correlations}
    if len(reasons) == 1 and (reason := reasons.pop()):
        console.print(f"Not correlated with people: {reason}.")  # once, not a metric
        return
    lines = _by_metric(systems_result, names)
    if not agreed:  # what people tell apart is no more than chance there
        lines = [{name: cell for name, cell in line.items() if name != TOLD_APART} for line in lines]
    print_table("", list(lines[0]), [list(line.values()) for line in lines])
    for sentence in other_orders(names, systems_result.correlations, drawn_ranks(systems_result)):
        console.print(sentence, markup=False, soft_wrap=True)
    if not agreed:
        console.print(DISAGREED, soft_wrap=True)


def _by_metric(systems_result: Systems, names: list[str]) -> list[dict[str, Any]]:
    lines = []
    for name, correlation in zip(names, systems_result.correlations, strict=True):
        accuracy = correlation.accuracy
        lines.append(
            {
                "metric": name,
                "n": correlation.n,
                "systems": correlation.systems,
                "Pearson": correlation.pearson.value,
                "Spearman": correlation.spearman.value,
                "Kendall": correlation.kendall.value,
                "pairs right": f"{accuracy.every.text('.3f', to=' … ')} of {accuracy.pairs}",
                TOLD_APART: f"{accuracy.apart.text('.3f', to=' … ')} of {accuracy.pairs_apart}",
                "undefined": correlation.undefined or "",
            }
        )
    return lines


def _print_powered(names: Sequence[str], together: Sequence[Sequence[PoweredSystem]], order: Sequence[str]) -> None:
    """People's means alone and with each metric, where a metric has something to add."""
    reasons = {nothing_to_gain(systems) for systems in together}
    if len(reasons) == 1 and (reason := reasons.pop()):
        console.print(f"People and a metric together: {reason}", markup=False, soft_wrap=True)
        return
    alone = {row.system: row.mean.alone.text(".4g", to=" … ") for row in together[0]}
    lines: list[list[Any]] = [["people alone", *(alone[system] for system in order)]]
    for name, systems in zip(names, together, strict=True):
        cells = {row.system: _with_metric(row.mean) for row in systems}
        lines.append([name, *(cells[system] for system in order)])
    print_table("People and a metric together", ["mean rating", *order], lines)
    console.print(
        "As N: worth N rated stories. Alone: the metric would not narrow people's own interval.", soft_wrap=True
    )


def _with_metric(mean: PoweredMean) -> str | None:
    if mean.powered is None:
        return None
    return f"{mean.powered.text('.4g', to=' … ')} as {mean.effective:.4g}" if mean.weight else "alone"


def systems_report(
    study: Study,
    systems_result: Systems,
    scores: ScoreTable,
    seed: int,
    resamples: int,
    together: Sequence[Sequence[PoweredSystem]],
) -> dict[str, Any]:
    """What `systems --json` prints: `systems` by name, each metric under its name; `rows`, a correlation a metric.

    `together`: for each metric the systems, by people and it.
    """
    names = by_metric([(column.metric, column.signature) for column in scores.columns])
    powered = [{row.system: {"powered": _powered(row.mean)} for row in systems} for systems in together]
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": scores.rated,
        "seed": seed,
        "resamples": resamples,
        "signatures": names,
        "undefined": systems_result.undefined,
        "systems": {
            row.system: {
                "stories": row.stories,
                "human": _mean(row.human),
                "metrics": {
                    name: _mean(metric) | with_people[row.system]
                    for name, metric, with_people in zip(names, row.metrics, powered, strict=True)
                },
            }
            for row in systems_result.rows
        },
        "rows": [
            plain(correlation) | {"metric": name}
            for name, correlation in zip(names, systems_result.correlations, strict=True)
        ],
    }


def _mean(mean: SystemMean) -> dict[str, Any]:
    """A mean with its interval, and the rank by it with its own."""
    return {
        "n": mean.n,
        "mean": mean.mean.value,
        "low": mean.mean.low,
        "high": mean.mean.high,
        "rank": mean.rank.value,
        "rank_low": mean.rank.low,
        "rank_high": mean.rank.high,
    }


def _powered(mean: PoweredMean) -> dict[str, Any]:
    """A mean rating with the metric's help and with people alone."""
    value = mean.powered or Estimate(None)
    return {
        "mean": value.value,
        "low": value.low,
        "high": value.high,
        "lambda": mean.weight,
        "n_rated": mean.n_rated,
        "n_unrated": mean.n_unrated,
        "effective": mean.effective,
        "alone": {"mean": mean.alone.value, "low": mean.alone.low, "high": mean.alone.high},
        "undefined": mean.undefined,
    }
