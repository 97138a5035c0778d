"""Commands that show results: judgments, correlate."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from commands.analysis.cautions import print_tuned
from commands.analysis.judgments import judgments_tables
from commands.json.results import (
    agreement_report,
    by_metric,
    coefficient_row,
    correlate_report,
    judgments_report,
)
from commands.terminal import (
    JsonFile,
    ScoreFolders,
    Seed,
    StudyName,
    TargetName,
    console,
    print_caution,
    print_own_references,
    print_signatures,
    print_table,
    show,
)
from core.analysis.correlation.metric_order import best_first
from core.analysis.correlation.partial import held_equal, partial_table, words_alone
from core.analysis.correlation.subsets import (
    DEFINITIONS,
    ErrorSet,
    by_error,
    by_system,
    definition_for,
    error_sets,
    within_prompts,
)
from core.analysis.criteria.heat_map import by_criterion
from core.analysis.criteria.overview import criteria_matrix, criteria_summaries
from core.analysis.judgments.judgments import summarise
from core.analysis.judgments.reliability import reliability
from core.analysis.judgments.texts import text_statistics
from core.analysis.systems.ranking import correlate_means
from core.analysis.verdict.few_stories import printed_rows
from core.annotation.monitor.forecast import forecast
from core.annotation.studies import Study
from core.annotation.target import Target, on_target, target_of
from core.errors import InputError
from core.jobs import scoring, scoring_note
from core.people import TERMINAL
from core.scores import ScoreTable
from core.serving.memory import give_back
from core.statistics.correlation import NAMES, Coefficient, Correlation, MetricCorrelation, correlate_table
from db.annotation import slots
from db.jobs.queue import queue
from db.ratings import raters, ratings
from db.scores import tables
from db.scores.judgments import unlike_criteria
from db.scores.large import is_large, large_table
from db.studies import story_texts, studies
from db.studies.scored import scored_metrics

COLUMNS = ["metric", "stories", "n", "Pearson", "Spearman", "Kendall", "95 % of Pearson", "pairs right"]


class By(StrEnum):
    """Into what parts the stories are split."""

    SYSTEM = "system"
    ERROR = "error"
    PROMPT = "prompt"
    EQUAL = "equal"
    CRITERION = "criterion"


class ErrorDefinition(StrEnum):
    """Whose definition of the stories of an error type."""

    MANS = "mans"
    UNION = "union"


def judgments(study: StudyName, target: TargetName = None, seed: Seed = 0, json_file: JsonFile = None) -> None:
    """What people said: means, agreement, error types, annotators, what is left to rate."""
    chosen_study = studies.find(study)
    judged = target_of(chosen_study.scheme, target)
    summary = summarise(
        ratings.rating_table(chosen_study.id, judged),
        on_target(chosen_study.scheme, judged),
        annotators=ratings.annotators(chosen_study.id),
        raters_identified=chosen_study.raters_identified,
        seed=seed,
    )
    left = forecast(slots.progress(chosen_study.id).left, summary.panels_valid, summary.panels_rejected)
    written = text_statistics(*story_texts.of_study(TERMINAL, chosen_study.id))

    def table() -> None:
        if chosen_study.demonstration:
            console.print("These ratings are demonstration data.")
        judgments_tables(chosen_study, summary, written, left, raters.names(TERMINAL, chosen_study.id))

    report = judgments_report(chosen_study, judged, summary, written, left, seed)
    show(report | _criteria_report(chosen_study, seed), json_file, table)


def _criteria_report(study: Study, seed: int) -> dict[str, Any]:
    """Every criterion, and the criteria with one another, where the study has several."""
    if len(study.scheme.criteria) == 1:
        return {}
    judged = {name: ratings.rating_table(study.id, Target((name,))) for name in study.scheme.names}
    summaries = criteria_summaries(study.scheme, judged, raters_identified=study.raters_identified, seed=seed)
    matrix = criteria_matrix(tables.table(study.id), seed=seed)
    return {
        "criteria": {item.criterion: item for item in summaries},
        "criteria_correlations": {
            name: {other: coefficient_row(cell) for other, cell in zip(matrix.criteria, row, strict=True)}
            for name, row in zip(matrix.criteria, matrix.cells, strict=True)
        },
    }


def correlate(
    study: StudyName,
    metric: Annotated[list[str] | None, typer.Option(help="Only these metrics.")] = None,
    folder: ScoreFolders = None,
    target: TargetName = None,
    by: Annotated[
        By | None,
        typer.Option(
            help="Also by system (their means; each one's stories), by error type, by prompt, by prompt for every "
            "criterion, or with systems and length held equal."
        ),
    ] = None,
    definition: Annotated[
        ErrorDefinition | None, typer.Option(help="Whose sets of error types; of the study's scale where not given.")
    ] = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws; 0 for none.")] = 1000,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """How far each metric agrees with people; * is p < 0.01."""
    give_back()
    chosen_study = studies.find(study)
    judged = target_of(chosen_study.scheme, target)
    scheme = on_target(chosen_study.scheme, judged)
    read = large_table if by is None and is_large(chosen_study.id) else tables.table
    table_of_scores = best_first(read(chosen_study.id, metric, target=judged, folders=folder or ()))
    rows = correlate_table(table_of_scores, seed=seed, resamples=resamples)
    if not rows:
        raise InputError(f"The study {chosen_study.name!r} has no scores yet; run `score` or import some.")
    scale = (scheme.lowest, scheme.highest)
    sets = DEFINITIONS[definition] if definition else definition_for(scale)
    length: Correlation | None = None
    match by:
        case By.SYSTEM:
            rows += correlate_means(table_of_scores, seed=seed, resamples=resamples)
            rows += by_system(table_of_scores, seed=seed, resamples=resamples)
        case By.ERROR:
            rows += by_error(table_of_scores, sets, scale, seed=seed, resamples=resamples)
        case By.PROMPT:
            rows += within_prompts(table_of_scores, seed=seed, resamples=resamples)
        case By.CRITERION:
            rows += by_criterion(table_of_scores, seed=seed, resamples=resamples)
        case By.EQUAL:
            rows += held_equal(table_of_scores, partial_table(table_of_scores, seed=seed, resamples=resamples))
            length = words_alone(table_of_scores, seed=seed, resamples=resamples)
    agreement = reliability(table_of_scores, seed=seed)
    waiting = scoring(queue(TERMINAL), chosen_study.id)

    def table() -> None:
        if chosen_study.demonstration:
            console.print("These ratings are demonstration data.")
        if waiting:
            console.print(scoring_note(waiting, scored_metrics(chosen_study.id)), markup=False)
        print_caution(agreement)
        if len(chosen_study.scheme.criteria) > 1:
            console.print(f"The judgment is the {judged.title}.", markup=False)
        pairs = list(dict.fromkeys((row.metric, row.signature) for row in rows))
        names = by_metric(pairs)
        called = dict(zip(pairs, names, strict=True))
        print_tuned(chosen_study.id, names)
        parts = error_sets(table_of_scores, sets, scale) if by is By.ERROR else ()
        disagreed = unlike_criteria(chosen_study.id, table_of_scores, seed=seed) if by is By.CRITERION else ()
        _print_rows(table_of_scores, rows, called, parts, agreed=not agreement.disagree, disagreed=disagreed)
        if by is By.ERROR:
            console.print(f"Sets of error types after {sets.source}. {sets.words}")
        if length:
            console.print(_words_alone(length))
        print_own_references(table_of_scores.columns)
        print_signatures(names)

    report = correlate_report(chosen_study, rows, judged, seed, resamples, sets.name if by is By.ERROR else None)
    if length:
        report["words"] = {"n": length.n, **{name: coefficient_row(getattr(length, name)) for name in NAMES}}
    columns = zip(report["signatures"], table_of_scores.columns, strict=True)
    report["own_references"] = {name: column.own_references for name, column in columns}
    report["under_way"] = [
        {"about": job.about, "running": job.running, "done": job.done, "total": job.total} for job in waiting
    ]
    show(report | agreement_report(agreement), json_file, table)


def _print_rows(
    table: ScoreTable,
    rows: Sequence[MetricCorrelation],
    called: Mapping[tuple[str, str], str],
    sets: Sequence[ErrorSet],
    *,
    agreed: bool,
    disagreed: Sequence[str],
) -> None:
    """A line a metric and part, and below them why some have no star, no figure or no interval."""
    printed, too_few = printed_rows(table, rows, sets, agreed=agreed, disagreed=disagreed)
    print_table("", COLUMNS, [_line(called[row.metric, row.signature], row) for row in printed])
    for remark in dict.fromkeys([too_few, *(_remark(row) for row in rows)]):
        if remark:
            console.print(remark)


def _words_alone(correlation: Correlation) -> str:
    """What the number of words reaches, which every metric is to be held against."""
    if correlation.undefined is not None:
        return f"No correlation of the number of words with people: {correlation.undefined}."
    r = correlation.pearson.text(".4f", ".3f", to=" … ")
    return f"The number of words of a story alone has a Pearson's r of {r}."


def _line(name: str, row: MetricCorrelation) -> list[object]:
    c = row.correlation
    triple = [_starred(coefficient) for coefficient in (c.pearson, c.spearman, c.kendall)]
    pairs = "–" if c.pairwise.accuracy is None else f"{c.pairwise.accuracy:.1%}"
    return [name, row.subset or "all", c.n, *triple, c.pearson.ends_text(to=" … "), pairs]


def _remark(row: MetricCorrelation) -> str:
    """Why a line lacks figures or intervals, or how many prompts its means count; said once for many metrics."""
    c = row.correlation
    counted = f"{c.prompts[0]:,} of {c.prompts[1]:,} prompts count" if c.prompts else ""
    sentence = ": ".join(part for part in (counted, c.undefined or c.no_interval or "") if part)
    return f"{row.subset or 'all'}: {sentence}." if sentence else ""


def _starred(coefficient: Coefficient) -> str:
    return "–" if coefficient.value is None else f"{coefficient.value:.4f}{'*' if coefficient.starred else ''}"
