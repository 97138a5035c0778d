"""A study as its bundle of findings needs it: scores, ratings, and what metrics see in test sets."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select

from core.analysis.verdict.preferences import ComparedPairs
from core.annotation.target import target_of
from core.judges.halves import Half
from core.people import Person, Role
from core.report.files.bundle import Bundle, BundleChoice, BundledStudy
from core.scores import ScoreTable
from db.audit import now
from db.engine import reading
from db.findings import compared_pairs
from db.jobs import own_cards
from db.jobs.queue import being_scored
from db.people import people
from db.ratings import ratings
from db.schema import prompt
from db.scores import tables
from db.scores.judgments import unlike_criteria
from db.studies import halves, past_imports, studies
from db.test_sets import case_table
from db.training import overlap
from db.version import APP_VERSION


def bundle(
    by: Person,
    study_id: int,
    choice: BundleChoice,
    *,
    metrics: Iterable[str] | None = None,
    target: str | None = None,
    made: datetime | None = None,
) -> Bundle:
    """All that a bundle of the study's findings is made from. `metrics`, `target`: as `db.scores.tables` has them.

    Raises NotAllowed for whoever is not at least a researcher of the study, NotFound, and InputError for a study with
    neither ratings nor scores.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        query = select(prompt.c.key, prompt.c.text).where(prompt.c.study_id == study_id)
        openings = {row.key: row.text for row in connection.execute(query)} if choice.texts else {}
    judged = target_of(study.scheme, target)
    table = replace(tables.table(study_id, metrics, target=judged), under_way=being_scored(by, study_id))
    sees = {
        column.signature: found
        for column in table.columns
        if (found := case_table.sees(by, column.metric, column.signature, seed=choice.seed, resamples=choice.resamples))
    }
    source = BundledStudy(
        study,
        judged,
        table,
        ratings.rating_table(study_id, judged),
        ratings.annotators(study_id),
        halves.prompts(study_id, Half.HELD_OUT),
        sees,
        APP_VERSION,
        openings,
        overlap.trained_on(study_id, [column.signature for column in table.columns]),
        ratings.all_imported(study_id),
        overlap.trainings(by, study_id, [column.signature for column in table.columns]),
        past_imports.left_out(study_id),
        unlike_criteria(study_id, table, seed=choice.seed),
        _pairs(study_id, table, choice),
        {column.signature: own_cards.measures(study_id, column.signature) for column in table.columns},
    )
    return Bundle(source, choice, made or now())


def _pairs(study_id: int, table: ScoreTable, choice: BundleChoice) -> dict[str, ComparedPairs]:
    if not table.compared or not table.columns:
        return {}
    signatures = [column.signature for column in table.columns]
    return compared_pairs.of_metrics(study_id, signatures, seed=choice.seed, resamples=choice.resamples)
