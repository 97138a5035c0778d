"""What people said of a study's stories, read from the database or from the cache."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import ColumnElement, Connection, and_, distinct, func, or_, select

from core.analysis.judgments.reliability import disagreeing
from core.analysis.judgments.repeats import mean_per_rater
from core.annotation.studies import Study
from core.annotation.target import Target
from core.arrays import Floats, Ints
from core.metrics.run import Sources
from core.scores import RatingChoice, ScoreTable
from core.statistics.agreement import padded
from db import array_files
from db.engine import reading
from db.plain_rows import Places, number_blocks, rows_of
from db.rating_values import CHANGE_JUDGMENTS, values_of
from db.ratings.ratings import COUNTED, RATER, REJECTED
from db.schema import assignment, deduction, event, rating, story
from db.scores import score_columns
from db.studies import studies


@dataclass(frozen=True)
class Judgments:
    """Of each story: `human`, the judgment; its single `ratings` (stories x most ratings); `averaged`, how many raters
    are behind its means, empty where no story has any; `criteria`, the judgment on each of several; `votes`, how many
    raters name each error type.
    """

    human: Floats
    ratings: Floats
    averaged: Ints
    criteria: dict[str, Floats]
    votes: dict[str, Ints]


def judgments(
    connection: Connection, study: Study, validity: RatingChoice, target: Target, sources: Sources, places: Places
) -> Judgments:
    """Those of these stories, on the target; of many stories, from the cache where it has them."""
    criteria = study.scheme.names if len(study.scheme.criteria) > 1 else ()
    types = [error_type.name for error_type in study.scheme.error_types]
    if places.part or places.number < score_columns.WORTH_KEEPING:
        return _read(connection, study.id, validity, target, places, criteria, types)
    # The number of events, not the last alone: on PostgreSQL one of before may be committed later.
    changes = select(func.count(), func.max(event.c.id))
    changed = changes.where(event.c.study_id == study.id, event.c.kind.in_(CHANGE_JUDGMENTS))
    chosen = str(validity), target.text, target.beside_people, *sources
    what = f"judgments-{hashlib.sha256(repr(chosen).encode()).hexdigest()[:12]}"
    key = *connection.execute(changed).one(), *chosen, list(criteria), types, places.number, places.last
    known = array_files.load(study.id, what, key)
    if known is not None:
        return _from_arrays(known, criteria, types)
    result = _read(connection, study.id, validity, target, places, criteria, types)
    array_files.keep(study.id, what, key, _as_arrays(result))
    return result


def unlike_criteria(
    study_id: int, table: ScoreTable, validity: RatingChoice = RatingChoice.VALID, *, seed: int = 0
) -> tuple[str, ...]:
    """Of a study of several criteria those on which nothing shows that the ratings of the table's stories agree."""
    return disagreeing(single_ratings(study_id, table.keys, validity), table.prompts, seed=seed)


def single_ratings(study_id: int, keys: Sequence[str], validity: RatingChoice) -> dict[str, Floats]:
    """Of a study of several criteria, the single ratings of the stories of these keys on each one (stories x the most
    ratings), NaN where a story has fewer.
    """
    with reading() as connection:
        study = studies.locked(connection, study_id, lock=False)
        if len(study.scheme.criteria) < 2:
            return {}
        ids = dict(rows_of(connection, select(story.c.key, story.c.id).where(story.c.study_id == study_id)))
        places = Places([ids[key] for key in keys])
        return {
            name: _ratings(connection, study_id, validity, Target((name,)), places)[0] for name in study.scheme.names
        }


def _as_arrays(kept: Judgments) -> array_files.Arrays:
    criteria = {f"criteria {place}": array for place, array in enumerate(kept.criteria.values())}
    votes = {f"votes {place}": array for place, array in enumerate(kept.votes.values())}
    return {"human": kept.human, "ratings": kept.ratings, "averaged": kept.averaged, **criteria, **votes}


def _from_arrays(arrays: array_files.Arrays, criteria: Sequence[str], types: Sequence[str]) -> Judgments:
    return Judgments(
        arrays["human"],
        arrays["ratings"],
        arrays["averaged"],
        {name: arrays[f"criteria {place}"] for place, name in enumerate(criteria)},
        {name: arrays[f"votes {place}"] for place, name in enumerate(types)},
    )


def _read(
    connection: Connection,
    study_id: int,
    validity: RatingChoice,
    target: Target,
    places: Places,
    criteria: Sequence[str],
    types: Sequence[str],
) -> Judgments:
    ratings, human, averaged = _ratings(connection, study_id, validity, target, places)
    of_each = {name: _ratings(connection, study_id, validity, Target((name,)), places)[1] for name in criteria}
    return Judgments(human, ratings, averaged, of_each, _votes(connection, study_id, validity, places, types))


def _of_analysis(
    study_id: int, validity: RatingChoice, places: Places, rated: ColumnElement[int]
) -> ColumnElement[bool]:
    """The ratings of these stories, whose ids stand in `rated`, that the human judgment is made of; of assignments and
    ratings joined.
    """
    counted = COUNTED if validity is RatingChoice.VALID else or_(COUNTED, REJECTED)
    return and_(is_study(assignment.c.study_id, study_id, places), counted, places.near(rated))


def is_study(column: ColumnElement[int], study_id: int, places: Places) -> ColumnElement[bool]:
    """Of a part, without an index of the study's: by it each part would go through all of the study."""
    return (column + 0 if places.part else column) == study_id


def _ratings(
    connection: Connection, study_id: int, validity: RatingChoice, target: Target, places: Places
) -> tuple[Floats, Floats, Ints]:
    """Single ratings of the stories (stories x most ratings) in the order in which they were given, one a rater; the
    judgment of each story; and how many raters are behind its means, nothing where no story has any.
    """
    given = values_of(target)
    query = (
        select(given.c.story_id, RATER, given.c.value, rating.c.raters)
        .join(given, given.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(_of_analysis(study_id, validity, places, given.c.story_id))
        .order_by(rating.c.id)
    )
    averaged, sums = np.zeros(places.number), np.zeros(places.number)
    units, raters, values = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for ids, given_by, given_values, behind in number_blocks(connection, query):
        at = places.of(ids.astype(np.int64))
        known = at >= 0
        # A story's comparisons are one judgment, as a mean is: with other opponents others are won.
        mean = known if target.is_preference else (behind > 1) & known
        np.add.at(averaged, at[mean], behind[mean])
        np.add.at(sums, at[mean], behind[mean] * given_values[mean])
        single = known & ~mean
        units.append(at[single])
        raters.append(given_by[single].astype(np.int64))
        values.append(given_values[single])
    means = bool(averaged.any())
    table, human = _judgments(np.concatenate(units), np.concatenate(raters), np.concatenate(values), averaged, sums)
    return table, human, averaged.astype(np.intp) if means else np.zeros(0, dtype=np.intp)


def _judgments(units: Ints, raters: Ints, values: Floats, averaged: Floats, sums: Floats) -> tuple[Floats, Floats]:
    """The table of single ratings, and all stories' judgments. `units`, `raters`, `values`: the single ratings;
    `averaged`, `sums`: of each story, the raters behind its means, and the sum of their ratings.
    """
    units, _, values = mean_per_rater(units, raters, values)
    counts = np.bincount(units, minlength=len(sums))
    once = counts.max(initial=0) == 1 and not averaged.any()
    number = counts + averaged
    human = (sums + np.bincount(units, values, len(sums))) / np.where(number > 0, number, np.nan)
    if once:  # the rating of a story is its judgment, which is not held twice
        return human[:, None], human
    order = np.argsort(units, kind="stable")  # a story's side by side
    return padded(values[order], units[order], len(sums)), human


def _votes(
    connection: Connection, study_id: int, validity: RatingChoice, places: Places, names: Sequence[str]
) -> dict[str, Ints]:
    """By error type of the scheme, how many raters of each story give it."""
    rows = rows_of(
        connection,
        select(rating.c.story_id, deduction.c.error_type, func.count(distinct(RATER)))
        .join(rating, rating.c.id == deduction.c.rating_id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(_of_analysis(study_id, validity, places, rating.c.story_id))
        .group_by(rating.c.story_id, deduction.c.error_type),
    )
    units = places.of(np.array([row[0] for row in rows], dtype=np.int64))
    codes = {name: code for code, name in enumerate(names)}
    given = np.array([codes.get(row[1], -1) for row in rows], dtype=np.intp)  # -1: no type of the scheme any more
    number = np.array([row[2] for row in rows], dtype=np.intp)
    result = {name: np.zeros(places.number, dtype=np.intp) for name in names}
    for name, code in codes.items():
        mine = (units >= 0) & (given == code)
        result[name][units[mine]] = number[mine]
    return result
