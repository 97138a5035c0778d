"""Scores by signature and text: no work is done twice, in this study or in another."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, exists, func, or_, select, update

from core.annotation.past_imports import SCORES, Origin
from core.errors import InputError
from core.judges.asking import AGAIN
from core.judges.halves import Half
from core.metrics.base import Scores
from core.metrics.batches import Pending
from core.metrics.run import SCORED, Candidate, Sources, spread
from core.people import Person, Role
from core.scores import IMPORTED
from core.stories import ScoreRecord, Source, Story
from db.audit import now, record
from db.engine import reading, upsert, writing
from db.people import people
from db.rating_values import UNDAMAGED_PAIR
from db.schema import prompt, rating, score, score_run, signature, story
from db.scores.same_scores import refuse_same_scores
from db.studies import halves, past_imports, studies

UNNAMED = Origin(SCORES)
"""Of an import of which nobody says more."""
_SETTLED = score.c.value.is_not(None) | ~score.c.reason.endswith(AGAIN)
"""What there is no need to compute again: a score, or a reason for none that does not pass."""
_TOUCH = update(score_run).where(score_run.c.id == bindparam("number")).values(updated_at=bindparam("at"))


def sources(study_id: int) -> Sources:
    """Whose stories the runs of a study score unless they say otherwise: the systems', and people's where these stand
    beside them, by the study's design or in a judgment that it has.
    """
    with reading() as connection:
        pairs = studies.locked(connection, study_id, lock=False).scheme.pairs
        if pairs is None:
            return SCORED
        if not pairs.against_human:
            people_ = story.alias("people")
            beside = exists().where(or_(rating.c.story_id == people_.c.id, rating.c.against_id == people_.c.id))
            judged = select(people_.c.id).where(
                people_.c.study_id == study_id, people_.c.source == Source.HUMAN, beside.where(UNDAMAGED_PAIR)
            )
            if connection.scalar(judged.limit(1)) is None:
                return SCORED
    return *SCORED, Source.HUMAN


def signature_id_of(connection: Connection, metric: str, text: str) -> int:
    """The id of a signature, which is kept from now on, in the caller's transaction."""
    upsert(connection, signature, [{"metric": metric, "text": text}], ["metric", "text"], [])
    result = connection.scalar(select(signature.c.id).where(signature.c.metric == metric, signature.c.text == text))
    return int(result or 0)


def begin_run(study_id: int, metric: str, text: str) -> int:
    """Say that a metric with this signature is wanted in this study; returns the signature's id."""
    with writing() as connection:
        studies.locked(connection, study_id, lock=False)
        return begin_in(connection, study_id, metric, text)


def begin_in(connection: Connection, study_id: int, metric: str, text: str) -> int:
    """`begin_run` in the caller's transaction."""
    signature_id = signature_id_of(connection, metric, text)
    touch(connection, study_id, signature_id)
    return signature_id


def touch(connection: Connection, study_id: int, signature_id: int) -> None:
    """Say, in the caller's transaction, that a study has got something under this signature."""
    row = {"study_id": study_id, "signature_id": signature_id, "updated_at": now()}
    upsert(connection, score_run, [row], ["study_id", "signature_id"], ["updated_at"])


def touch_all(connection: Connection, study_id: int) -> None:
    """Say, in the caller's transaction, that a study has other scores under all of its signatures, whose order in time
    stays.
    """
    query = select(score_run.c.id).where(score_run.c.study_id == study_id)
    runs, time = connection.scalars(query.order_by(score_run.c.updated_at, score_run.c.id)).all(), now()
    if runs:
        rows = [{"number": run, "at": time + timedelta(microseconds=place)} for place, run in enumerate(runs)]
        connection.execute(_TOUCH, rows)


def _chosen(connection: Connection, study_id: int, sources: Sequence[Source], half: Half | None) -> ColumnElement[bool]:
    """That a story is the study's, of one of these sources and, unless None, of a prompt of this half."""
    mine = and_(story.c.study_id == study_id, story.c.source.in_(sources))
    return mine if half is None else and_(mine, halves.of_half(connection, study_id, half))


@dataclass(frozen=True)
class Lacking:
    """What lacks a score: different `texts`, their `characters` together, and the `stories` that say one of them."""

    texts: int
    characters: int
    stories: int


def count_pending(
    study_id: int, groups: Sequence[Collection[int]], sources: Sequence[Source] = SCORED, half: Half | None = None
) -> list[Lacking]:
    """For each group of signatures: what there is of these sources, of a half of the prompts where one is named, that
    has no score under any of it yet, nor a reason for none that does not pass.
    """
    result = []
    with reading() as connection:
        chosen = _chosen(connection, study_id, sources, half)
        for group in groups:
            stored = exists().where(
                score.c.signature_id.in_(group), score.c.content_hash == story.c.content_hash, _SETTLED
            )
            texts = (
                select(
                    story.c.content_hash,
                    func.max(func.length(story.c.text)).label("characters"),
                    func.count().label("stories"),
                )
                .where(chosen, ~stored)
                .group_by(story.c.content_hash)
                .subquery()
            )
            counts = select(func.count(), func.sum(texts.c.characters), func.sum(texts.c.stories)).select_from(texts)
            result.append(Lacking(*(int(number or 0) for number in connection.execute(counts).one())))
    return result


def signature_ids(texts: Iterable[str]) -> dict[str, int]:
    """The signatures among `texts` that have been used before, and their ids."""
    with reading() as connection:
        rows = connection.execute(select(signature.c.text, signature.c.id).where(signature.c.text.in_(list(texts))))
        return {row.text: row.id for row in rows}


def begun(study_id: int) -> set[str]:
    """The signatures by which this study has been scored, whether anything came of it or not."""
    with reading() as connection:
        query = select(signature.c.text).join(score_run, score_run.c.signature_id == signature.c.id)
        return set(connection.scalars(query.where(score_run.c.study_id == study_id)))


def pending(
    study_id: int,
    signature_ids: Sequence[int],
    after: int,
    most: int,
    sources: Sequence[Source] = SCORED,
    half: Half | None = None,
    *,
    at: Collection[int] | None = None,
) -> tuple[list[Pending], int]:
    """The next `most` stories of these sources in import order, from position `after` on, that lack a score under a
    signature, or have none for a reason that may have passed; of a half of the prompts where one is named. `at`: of
    those at these positions alone.

    Returns them with the position to go on from, which is `after` itself at the end. Each text comes once a call.
    """
    have = (
        select(func.count())
        .where(score.c.content_hash == story.c.content_hash, score.c.signature_id.in_(signature_ids), _SETTLED)
        .scalar_subquery()
    )
    with reading() as connection:
        rows = connection.execute(
            select(
                story.c.position, story.c.content_hash, story.c.text, story.c.prompt_id, prompt.c.text.label("prompt")
            )
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(
                _chosen(connection, study_id, sources, half),
                story.c.position > after,
                have < len(signature_ids),
                *(() if at is None else (story.c.position.in_(at),)),
            )
            .order_by(story.c.position)
            .limit(most)
        ).all()
        if not rows:
            return [], after
        references = _references(connection, {row.prompt_id for row in rows})
        stored: dict[str, set[int]] = {}
        for row in connection.execute(
            select(score.c.content_hash, score.c.signature_id).where(
                score.c.content_hash.in_([row.content_hash for row in rows]),
                score.c.signature_id.in_(signature_ids),
                _SETTLED,
            )
        ):
            stored.setdefault(row.content_hash, set()).add(row.signature_id)
    stories = [Story(row.text, row.prompt, references.get(row.prompt_id, ())) for row in rows]
    result = {
        row.content_hash: Pending(
            row.content_hash,
            item,
            frozenset(signature_ids) - stored.get(row.content_hash, set()),
        )
        for row, item in zip(rows, stories, strict=True)
        # References may arrive between the two readings: a score must not be kept under what it was not made from.
        if item.content_hash == row.content_hash
    }
    return list(result.values()), int(rows[-1].position)


def few(
    study_id: int, signature_ids: Sequence[int], most: int, sources: Sequence[Source], half: Half | None = None
) -> list[int]:
    """The positions of at most so many of the stories that `pending` finds, different texts, spread over prompts and
    systems.
    """
    have = (
        select(func.count())
        .where(score.c.content_hash == story.c.content_hash, score.c.signature_id.in_(signature_ids), _SETTLED)
        .scalar_subquery()
    )
    columns = story.c.position, story.c.prompt_id, story.c.system, have.label("have"), story.c.content_hash
    texts: dict[str, Candidate] = {}
    with reading() as connection:
        query = select(*columns).where(_chosen(connection, study_id, sources, half)).order_by(story.c.position)
        for row in connection.execution_options(yield_per=1000).execute(query):
            candidate = Candidate(row.position, row.prompt_id, row.system, row.have < len(signature_ids))
            texts.setdefault(row.content_hash, candidate)
    return spread(texts.values(), most)


def reference_texts(study_id: int) -> Iterator[str]:
    """The different human stories of a study, a block at a time."""
    with reading() as connection:
        query = select(story.c.text).where(story.c.study_id == study_id, story.c.source == Source.HUMAN).distinct()
        yield from connection.execution_options(yield_per=1000).scalars(query)


def _references(connection: Connection, prompt_ids: set[int]) -> dict[int, tuple[str, ...]]:
    result: dict[int, list[str]] = {}
    for row in connection.execute(
        select(story.c.prompt_id, story.c.text)
        .where(story.c.prompt_id.in_(prompt_ids), story.c.source == Source.HUMAN)
        .order_by(story.c.position)
    ):
        result.setdefault(row.prompt_id, []).append(row.text)
    return {prompt_id: tuple(texts) for prompt_id, texts in result.items()}


def count_stories(study_id: int, sources: Sequence[Source] = SCORED, half: Half | None = None) -> int:
    """How many stories of these sources a study has; of a half of its prompts where one is named."""
    with reading() as connection:
        query = select(func.count()).select_from(story)
        return connection.scalar(query.where(_chosen(connection, study_id, sources, half))) or 0


def count_stored(study_id: int, signature_id: int, sources: Sequence[Source] = SCORED, half: Half | None = None) -> int:
    """How many of these stories have a score under a signature, or a reason for none."""
    with reading() as connection:
        query = select(func.count()).select_from(story).join(score, score.c.content_hash == story.c.content_hash)
        mine = _chosen(connection, study_id, sources, half)
        return connection.scalar(query.where(mine, score.c.signature_id == signature_id)) or 0


def undefined(
    study_id: int, signature_id: int, sources: Sequence[Source] = SCORED, half: Half | None = None
) -> dict[str, int]:
    """Why this signature leaves stories of a study undefined, and how many for each reason, the commonest first."""
    with reading() as connection:
        query = (
            select(score.c.reason, func.count())
            .select_from(story)
            .join(score, score.c.content_hash == story.c.content_hash)
            .where(
                _chosen(connection, study_id, sources, half),
                score.c.signature_id == signature_id,
                score.c.value.is_(None),
            )
            .group_by(score.c.reason)
            .order_by(func.count().desc(), score.c.reason)
        )
        return {str(reason): int(count) for reason, count in connection.execute(query)}


def keep(connection: Connection, signature_id: int, hashes: Sequence[str], scores: Scores) -> None:
    """Keep a batch of scores by text, in the caller's transaction; an undefined one with its reason, so that it is not
    tried again unless that may pass.
    """
    rows = [
        {
            "signature_id": signature_id,
            "content_hash": content_hash,
            "value": None if np.isnan(value) else float(value),
            "reason": scores.reasons.get(index, ""),
        }
        for index, (content_hash, value) in enumerate(zip(hashes, scores.values, strict=True))
    ]
    upsert(connection, score, rows, ["signature_id", "content_hash"], ["value", "reason"])


def store(study_id: int, signature_id: int, hashes: Sequence[str], scores: Scores) -> None:
    """Keep a batch of scores of a study's stories."""
    with writing() as connection:
        studies.locked(connection, study_id, lock=False)  # raises NotFound where it was deleted meanwhile
        keep(connection, signature_id, hashes, scores)
        touch(connection, study_id, signature_id)


def add_imported(
    connection: Connection,
    study_id: int,
    column: ScoreRecord,
    story_ids: Mapping[str, int],
    *,
    replace: bool = False,
) -> None:
    """Keep one metric's imported scores inside the caller's transaction; the same column of a file again changes
    nothing.

    Raises InputError where the study has other imported scores of the metric for any of these stories, unless
    `replace`: then all of those of the study go.
    """
    ids = {story_ids[key]: value for key, value in column.values.items()}
    others = _others(connection, study_id, column, ids)
    if others and not replace:
        raise InputError(
            f"{sum(others.values()):,} of these stories have other imported scores of {column.metric!r} already "
            f"({', '.join(text for _, text in others)}): replace them, or give these another name.",
            "`scores import --replace` replaces them.",
        )
    for other, _ in others:
        mine = select(story.c.id).where(story.c.study_id == study_id)
        connection.execute(delete(score).where(score.c.signature_id == other, score.c.story_id.in_(mine)))
        connection.execute(delete(score_run).where(score_run.c.signature_id == other, score_run.c.study_id == study_id))
    signature_id = signature_id_of(connection, column.metric, column.signature)
    rows = [
        {"signature_id": signature_id, "story_id": story_ids[key], "value": value, "reason": ""}
        for key, value in column.values.items()
    ]
    upsert(connection, score, rows, ["signature_id", "story_id"], ["value"])
    touch(connection, study_id, signature_id)


def _others(
    connection: Connection, study_id: int, column: ScoreRecord, values: Mapping[int, float]
) -> dict[tuple[int, str], int]:
    """Imported signatures of the metric in the study that give some of these stories another score, or the same one
    from elsewhere: their ids and texts, and of how many of the stories.
    """
    rows = connection.execute(
        select(signature.c.id, signature.c.text, score.c.story_id, score.c.value)
        .join(score, score.c.signature_id == signature.c.id)
        .join(story, story.c.id == score.c.story_id)
        .where(
            signature.c.metric == column.metric,
            signature.c.text.startswith(IMPORTED, autoescape=True),
            story.c.study_id == study_id,
        )
    )
    result: dict[tuple[int, str], int] = {}
    for row in rows:
        if row.story_id in values and (row.text != column.signature or row.value != values[row.story_id]):
            result[row.id, row.text] = result.get((row.id, row.text), 0) + 1
    return result


def story_keys(study_id: int, sources: Sequence[Source] = SCORED) -> list[str]:
    """Keys of the stories of these sources in import order: what a score file without ids follows."""
    with reading() as connection:
        query = select(story.c.key).where(story.c.study_id == study_id, story.c.source.in_(sources))
        return list(connection.scalars(query.order_by(story.c.position)))


def import_scores(
    by: Person, study_id: int, *columns: ScoreRecord, replace: bool = False, origin: Origin = UNNAMED
) -> None:
    """Add metrics' scores from a file to a study, all or none; see `add_imported`."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        query = select(story.c.key, story.c.id).where(story.c.study_id == study_id)
        ids = {row.key: row.id for row in connection.execute(query)}
        number = past_imports.begin(connection, by, study_id, origin)
        signatures = [(column.metric, column.signature) for column in columns]
        past_imports.finish(connection, number, signatures=signatures)
        for column in columns:
            refuse_same_scores(connection, study_id, column, ids)
        for column in columns:
            add_imported(connection, study_id, column, ids, replace=replace)
            record(connection, "scores imported", by, study_id, metric=column.metric, signature=column.signature)
