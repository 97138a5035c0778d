"""The command `preferences`: systems ranked by which of two stories people found better, and metrics beside it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from commands.json.preferences import preferences_report
from commands.json.results import by_metric
from commands.terminal import JsonFile, Seed, StudyName, console, print_signatures, print_table, show
from core.analysis.judges.reported import pairs_caution, pairs_held_out
from core.analysis.preferences.agreement import PreferenceAgreement, agreement
from core.analysis.preferences.metrics import MetricPreference, MetricPreferences, judge_metrics
from core.analysis.preferences.pair_judges import PairTrial, try_judges
from core.analysis.preferences.ranking import Ranking, SystemStrength, WinCell, rank
from core.analysis.preferences.remarks import groups_sentence, missing, remarks, unscored
from core.analysis.verdict.best_system import other_orders
from core.annotation.studies import Study
from core.judges.halves import Half
from core.metrics.naming import unique_names
from core.scores import PairColumn, ScoreTable
from db.ratings.preferences import preferences_of
from db.scores import pair_verdicts, scores, tables
from db.studies import halves, studies

Metrics = Annotated[list[str] | None, typer.Option(help="Only these metrics.")]
Resamples = Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole prompts; 0 for none.")]


def preferences(
    study: StudyName, metric: Metrics = None, resamples: Resamples = 1000, seed: Seed = 0, json_file: JsonFile = None
) -> None:
    """Systems by which of two stories people prefer, with the groups that no test tells apart; how far people agree;
    how often each metric, and each judge of pairs, orders two stories as people did; and whether judges mind which of
    two stories stands first.
    """
    about = studies.find(study)
    judged = preferences_of(about.id)
    ranking = rank(judged, seed=seed, resamples=resamples)
    agreed = agreement(preferences_of(about.id, repeats=True), seed=seed, resamples=resamples)
    table, judges = _scored(about.id, metric)
    metrics = judge_metrics(judged, table, judges, seed=seed, resamples=resamples)
    tried = try_judges(judges, judged)
    report = preferences_report(about, ranking, agreed, metrics, tried, seed=seed, resamples=resamples)
    show(report, json_file, lambda: _tables(about, ranking, agreed, metrics, tried))


def _scored(study_id: int, metrics: Sequence[str] | None) -> tuple[ScoreTable, list[PairColumn]]:
    """The metrics that score stories, and the judges of pairs; of these `metrics` alone, where some are named."""
    judges = pairs_held_out(pair_verdicts.columns(study_id), halves.prompts(study_id, Half.HELD_OUT))
    called = unique_names([(column.metric, column.signature) for column in judges])
    chosen = [
        column
        for column, name in zip(judges, called, strict=True)
        if not metrics or name in metrics or column.signature in metrics
    ]
    others = [name for name in metrics or () if name not in {*called, *(column.signature for column in chosen)}]
    table = tables.table(study_id, others, sources=scores.sources(study_id))
    return (replace(table, columns=()) if metrics and not others else table), chosen


def _tables(
    study: Study,
    ranking: Ranking,
    agreed: PreferenceAgreement,
    metrics: MetricPreferences,
    tried: Sequence[PairTrial],
) -> None:
    if study.demonstration:
        console.print("These ratings are demonstration data.")
    if not metrics.judgments:
        _say(f"No judgment of two stories of {study.name!r} counts yet: open the study, or import preferences.")
        return
    print_table("", ["", study.name], _headline(ranking, metrics.judgments))
    for sentence in remarks(ranking, metrics.judgments):
        _say(sentence)
    if ranking.judgments:
        _print_systems(ranking)
    _print_agreement(agreed)
    _print_metrics(metrics, ranking)
    if tried:
        _print_judges(tried)


def _print_systems(ranking: Ranking) -> None:
    columns = ["system", "strength", "rank", "group", "against an average", "share of judgments won", "judgments"]
    print_table("Systems", [*columns, "won", "tied", "lost"], [_system(row) for row in ranking.rows])
    if sentence := groups_sentence(ranking):
        _say(sentence)
    print_table(
        "Share won, and of how many judgments",
        ["", *(row.system for row in ranking.rows)],
        [[row.system, *map(_cell, cells)] for row, cells in zip(ranking.rows, ranking.table, strict=True)],
    )


def _print_agreement(agreed: PreferenceAgreement) -> None:
    print_table(
        "Agreement",
        ["", "value", "n", "undefined"],
        [
            [name, value.text(to=" … "), number, value.undefined or ""]
            for name, value, number in (
                ("raters who agree", agreed.agreeing, agreed.rater_pairs),
                ("alpha, ordinal", agreed.alpha, agreed.shared),
                ("kept", agreed.kept, agreed.repeats),
            )
        ],
    )


def _say(sentence: str) -> None:
    console.print(sentence, markup=False, soft_wrap=True)


def _headline(ranking: Ranking, judgments: int) -> list[list[Any]]:
    return [
        ["judgments", judgments],
        ["prompts", ranking.prompts],
        ["ties", ranking.ties.text(to=" … ")],
        ["won by the side shown first", ranking.first.text(to=" … ")],
    ]


def _system(row: SystemStrength) -> list[Any]:
    estimates = [row.strength.text(to=" … "), row.rank.text("g", to=" … "), row.group, row.chance.text(to=" … ")]
    return [row.system, *estimates, row.share.text(to=" … "), row.judgments, row.wins, row.ties, row.losses]


def _cell(cell: WinCell) -> str | None:
    return f"{cell.share.text(to=' … ')} of {cell.judgments}" if cell.judgments else None


def _print_metrics(metrics: MetricPreferences, ranking: Ranking) -> None:
    if not metrics.rows:
        console.print("The study has no scores yet: `score` it, or `scores import` those of another program.")
        return
    if metrics.ties:
        _say(f"Metrics are held against the decided judgments; {metrics.ties:,} that call both equal are left out.")
    names = by_metric([(row.metric, row.signature) for row in metrics.rows])
    columns = ["metric", "accuracy", "n", "without scores", "tied", "systems", "Kendall", "p", "Spearman", "undefined"]
    print_table("Metrics", columns, [_metric(name, row) for name, row in zip(names, metrics.rows, strict=True)])
    drawn = {row.system: row.rank.value for row in ranking.rows if row.rank.value is not None}
    orders = other_orders(list(names), [row.over for row in metrics.rows], drawn)
    for sentence in (*orders, *missing(metrics, list(names))):
        _say(sentence)
    if unscored(metrics, imported=False):
        _say("`score` a metric again, and it scores the compared stories that have no score yet, people's too.")
    if unscored(metrics, imported=True):
        _say(
            "A metric from a file has what that gave; `scores import --people` keeps scores of people's stories, of "
            "metrics that read a story alone."
        )
    strengths = [part.strength for part in metrics.rows[0].by_strength]
    if len(strengths) > 1:
        print_table(
            "Accuracy by strength of preference, and of how many judgments",
            ["metric", *map(str, strengths)],
            [
                [name, *(f"{part.accuracy.text(to=' … ')} of {part.n}" for part in row.by_strength)]
                for name, row in zip(names, metrics.rows, strict=True)
            ],
        )
    print_signatures(names)


def _print_judges(tried: Sequence[PairTrial]) -> None:
    names = unique_names([(row.metric, row.signature) for row in tried])
    print_table(
        "Judges, of two stories in both orders",
        ["judge", "chooses as a rater does", "of", "calls equal", "pairs", "changes its mind", "for the first side"],
        [
            [
                name,
                row.alike.text(to=" … "),
                row.n,
                row.tied.text(to=" … "),
                row.position.pairs,
                row.position.changed.text(to=" … "),
                row.position.first.text(to=" … "),
            ]
            for name, row in zip(names, tried, strict=True)
        ],
    )
    if caution := pairs_caution({name: row.signature for name, row in zip(names, tried, strict=True)}):
        _say(caution)


def _metric(name: str, row: MetricPreference) -> list[Any]:
    over = row.over
    reasons = dict.fromkeys(reason for reason in (row.accuracy.undefined, over.undefined) if reason)
    numbers = [row.n, row.missing, row.tied, over.systems, over.kendall.value, over.kendall.p, over.spearman.value]
    return [name, row.accuracy.text(to=" … "), *numbers, "; ".join(reasons)]
