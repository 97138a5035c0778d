"""`report`: all about one metric, as one HTML file."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import ScoreFolders, Seed, StudyName, TargetName, console
from core.analysis.judges.reported import reported_metric
from core.analysis.verdict.preferences import ComparedPairs
from core.annotation.target import on_target, question_of, target_of
from core.errors import InputError
from core.judges.halves import Half
from core.people import TERMINAL
from core.scores import RatingChoice, ScoreTable
from db.findings import compared_pairs
from db.jobs import own_cards
from db.jobs.queue import being_scored
from db.ratings import ratings
from db.scores import tables
from db.scores.judgments import unlike_criteria
from db.studies import halves, past_imports, studies
from db.training import overlap


def report(
    study: StudyName,
    metric: Annotated[str, typer.Option(help="Its name, as `correlate` prints it, or its signature.")],
    out: Annotated[Path, typer.Option(help="The HTML file to write.")],
    folder: ScoreFolders = None,
    target: TargetName = None,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap draws.")] = 1000,
    seed: Seed = 0,
) -> None:
    """A metric's report as one HTML file, and its verdict on the screen."""
    from core.report.files.html import DEMONSTRATION, report_html  # plotly: other commands should not wait for it
    from core.report.metric import ReportBasis, column_number, metric_report
    from db.test_sets import case_table

    if out.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{out.name}: a report is an HTML file; let its name end in .html.")
    chosen_study = studies.find(study)
    judged = target_of(chosen_study.scheme, target)
    scheme = on_target(chosen_study.scheme, judged)
    table = tables.table(chosen_study.id, target=judged, folders=folder or ())
    table = replace(table, under_way=being_scored(TERMINAL, chosen_study.id))
    column = table.columns[column_number(table, metric)]
    tuned = reported_metric(table, column, halves.prompts(chosen_study.id, Half.HELD_OUT))
    table = tuned.table if tuned else table
    learnt = overlap.trained_on(chosen_study.id, [other.signature for other in table.columns])
    full_report = metric_report(
        table,
        metric,
        ReportBasis(
            chosen_study.name,
            chosen_study.demonstration,
            (scheme.lowest, scheme.highest),
            RatingChoice.VALID,
            tuned.excluded if tuned else {},
            seed,
            resamples,
            datetime.now(UTC),
            judged.title if len(chosen_study.scheme.criteria) > 1 else "",
            learnt.get(column.signature, 0),
            question_of(chosen_study.scheme, judged),
            ratings.annotators(chosen_study.id),
            ratings.all_imported(chosen_study.id),
            frozenset(learnt),
            overlap.trainings(TERMINAL, chosen_study.id, [column.signature]).get(column.signature, ""),
            past_imports.left_out(chosen_study.id),
            unlike_criteria(chosen_study.id, table, seed=seed),
            measures=own_cards.measures(chosen_study.id, column.signature),
        ),
        sees=case_table.sees(TERMINAL, column.metric, column.signature, seed=seed, resamples=resamples),
        pairs=_pairs(chosen_study.id, table, column.signature, folder or (), seed=seed, resamples=resamples),
    )
    try:
        out.write_text(report_html(full_report), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}.") from error
    if chosen_study.demonstration:
        console.print(DEMONSTRATION)
    for caution in tuned.cautions if tuned else ():
        console.print(caution, markup=False, soft_wrap=True)
    for sentence in full_report.verdict:
        console.print(f"- {sentence.text} [{sentence.about}]", markup=False, soft_wrap=True)
    console.print(f"Written: {out}", markup=False, soft_wrap=True)


def _pairs(
    study_id: int, table: ScoreTable, signature: str, folders: Sequence[Path], *, seed: int, resamples: int
) -> ComparedPairs | None:
    if not table.compared:
        return None
    by_signature = compared_pairs.of_metrics(study_id, [signature], seed=seed, resamples=resamples, folders=folders)
    return by_signature.get(signature)
