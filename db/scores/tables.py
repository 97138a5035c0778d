"""A study's scores and judgments side by side: the data of the analyses."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from core.annotation.studies import Study
from core.annotation.target import Target, one_of_several, usual_target
from core.arrays import Bools, Ints, blocks, copy_of
from core.metrics import METRICS, registered
from core.metrics.base import Need
from core.metrics.blend import Blend, blended, ways
from core.metrics.naming import place_of, unique_names
from core.metrics.run import SCORED, Sources
from core.scores import IMPORTED, OWN_REFERENCE, RatingChoice, ScoreColumn, ScoreTable
from core.stories import NAMELESS, Source, group_of
from core.streams.table import columns_of
from db.engine import reading
from db.plain_rows import Places, blocks_of
from db.schema import prompt, story
from db.scores.judgments import is_study, judgments
from db.scores.score_columns import Kept as Kept
from db.scores.score_columns import column, signatures
from db.studies import studies
from db.studies.story_texts import Texts, keys_of

POSITIONS_A_PART = 50_000
"""Of a study that is read in parts, the stories whose scores and ratings are in memory at once."""


def table(
    study_id: int,
    metrics: Iterable[str] | None = None,
    *,
    target: Target | None = None,
    validity: RatingChoice = RatingChoice.VALID,
    kept: Kept | None = None,
    sources: Sources = SCORED,
    folders: Sequence[Path] = (),
) -> ScoreTable:
    """Scores and judgments of a study's system stories, side by side; `metrics` limits the columns to those that are
    called so (see `core.metrics.naming`) or have these signatures. `target`: what the judgments are of, by default the
    scheme's usual one. `sources`: whose stories, where not the systems' alone.

    A story whose text is also a reference of its prompt has no score of a metric that compares with references, be it
    computed or imported: a comparison with itself says nothing. `kept`: columns of this study that were read before,
    which are not read again unless their scores have changed; holds those of this table afterwards. `folders`: of
    scores (see `core.streams`), taken in beside the study's; under the same signature what a folder says of a story
    counts, and the study's scores of the others. Raises InputError for a metric that there are no scores of, and for a
    folder that is not of these stories.
    """
    with reading() as connection:
        return _read(connection, study_id, metrics, target, validity, kept, sources, folders)


def _read(
    connection: Connection,
    study_id: int,
    metrics: Iterable[str] | None = None,
    target: Target | None = None,
    validity: RatingChoice = RatingChoice.VALID,
    kept: Kept | None = None,
    sources: Sources = SCORED,
    folders: Sequence[Path] = (),
    within: range | None = None,
) -> ScoreTable:
    """`table`; `within`: only stories at these positions of the import. Then there is no blend, whose parts are scaled
    by all stories, and a column even of a metric without a score there.
    """
    study = studies.locked(connection, study_id, lock=False)
    stories = _stories(connection, study, sources, within)
    under = signatures(connection, study_id)
    places = Places(stories.ids, part=within is not None)
    chosen = target or usual_target(study.scheme)
    judged = judgments(connection, study, validity, chosen, sources, places)
    own = own_references(connection, study_id, sources, places)
    before = {} if kept is None else dict(kept)
    read: Kept = {}
    for row, changes in under:
        key = (row.id, changes, sources, places.number, places.last)
        read[key] = before.get(key) or column(connection, study_id, row, changes, sources, places)
    if kept is not None:
        kept.clear()
        kept.update(read)
    latest = [read[key] for key in sorted(read, key=lambda key: key[1], reverse=True)]
    texts, keys = Texts(study, places.ids).sequence(), keys_of(places.ids)
    filed = [mine for folder in folders for mine in columns_of(folder, keys, texts)]
    if within is None:
        columns = compared(filed, latest, own, np.flatnonzero(stories.of_people))
    else:
        columns = _with_blends([_without(own, mine) for mine in latest], [], own)
    columns = named_by(columns, metrics) if metrics else columns
    return ScoreTable(
        keys,
        stories.prompts,
        stories.systems,
        texts,
        judged.human,
        tuple(columns),
        judged.ratings,
        judged.votes,
        judged.averaged,
        judged.criteria,
        chosen.is_preference,
        one_of_several(study.scheme, chosen),
    )


def tables_in_parts(study_id: int, metrics: Collection[str]) -> Iterator[ScoreTable]:
    """`table` of some metrics, some of the study's stories at a time: memory does not grow with their number."""
    with reading() as connection:
        parts = positions_in_parts(connection, study_id)
    for within in parts:
        with reading() as connection:
            yield _read(connection, study_id, metrics, within=within)


def positions_in_parts(connection: Connection, study_id: int) -> list[range]:
    """The positions of a study's stories, `POSITIONS_A_PART` at a time."""
    last = connection.scalar(select(func.max(story.c.position)).where(story.c.study_id == study_id))
    begins = range(0, 0 if last is None else last + 1, POSITIONS_A_PART)
    return [range(begin, begin + POSITIONS_A_PART) for begin in begins]


def part_of(connection: Connection, study_id: int, within: range, target: Target) -> ScoreTable:
    """`table` of the stories at these positions, without blends, and with a column even of a metric without a score."""
    return _read(connection, study_id, target=target, within=within)


def compared(
    filed: Sequence[ScoreColumn], latest: Sequence[ScoreColumn], own: Ints, of_people: Ints
) -> list[ScoreColumn]:
    """What is held against judgments: these columns of folders and of the database (the latest first), and blends of
    them. `own`: the stories that are their own references, `of_people`: people's.
    """
    # A run that failed at once has left a signature and no score, as one has that asked for a blend.
    merged = [mine for mine in _merged([*filed, *latest]) if mine.scored or mine.reasons]
    called = [(mine.metric, mine.signature) for mine in (*latest, *filed)]
    return _with_blends([_without(own, mine) for mine in merged], _blends(called), of_people)


def named_by(columns: Sequence[ScoreColumn], metrics: Iterable[str]) -> list[ScoreColumn]:
    """Of these columns those that are called so. Raises InputError for a name that none has."""
    called = [(score_column.metric, score_column.signature) for score_column in columns]
    names = unique_names(called)
    # What is called otherwise because of a column that is left out keeps that name.
    return [
        columns[place]
        if names[place] in unique_names([called[place]])
        else replace(columns[place], metric=names[place])
        for place in sorted({place_of(name, called) for name in metrics})
    ]


@dataclass(frozen=True)
class _Stories:
    """What a table says of its stories, in the same order; `of_people`: which are people's."""

    ids: NDArray[np.int64]
    prompts: tuple[str, ...]
    systems: tuple[str, ...]
    of_people: Bools


def _stories(connection: Connection, study: Study, sources: Sources, within: range | None) -> _Stories:
    asked_for = select(prompt.c.id, prompt.c.key).where(prompt.c.study_id == study.id)
    if within is not None:
        near = select(func.min(story.c.prompt_id), func.max(story.c.prompt_id)).where(
            story.c.study_id == study.id, story.c.position >= within.start, story.c.position < within.stop
        )
        asked_for = asked_for.where(prompt.c.id.between(*connection.execute(near).one()))
    prompts = {number: key for block in blocks_of(connection, asked_for) for number, key in block}
    query = (
        select(story.c.id, story.c.prompt_id, story.c.source, story.c.system)
        .where(story.c.study_id == study.id, story.c.source.in_(sources))
        .order_by(story.c.position)
    )
    if within is not None:
        query = query.where(story.c.position >= within.start, story.c.position < within.stop)
    ids: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    of_prompts: list[str] = []
    systems: list[str] = []
    of_people: list[bool] = []
    called: dict[tuple[str, str], tuple[str, bool]] = {}
    for block in blocks_of(connection, query):
        mine, asked, sources_of, written = zip(*block, strict=True)
        writers = list(zip(sources_of, written, strict=True))
        for writer in set(writers) - called.keys():
            called[writer] = _system(*writer, sources), Source.HUMAN in sources and writer[0] == Source.HUMAN
        ids.append(np.array(mine, dtype=np.int64))
        of_prompts += [prompts[number] for number in asked]
        systems += [called[writer][0] for writer in writers]
        of_people += [called[writer][1] for writer in writers]
    return _Stories(np.concatenate(ids), tuple(of_prompts), tuple(systems), np.array(of_people, dtype=bool))


def _system(source: str, system: str, sources: Sources) -> str:
    """What a story is summarised under: beside people's, a system that is called like them keeps apart."""
    return group_of(source, system) if Source.HUMAN in sources else system or NAMELESS


def own_references(connection: Connection, study_id: int, sources: Sources, places: Places) -> Ints:
    """The places of the stories that are a human story of their prompt as well; people's all are."""
    human = story.alias("human")
    same = (story.c.prompt_id == human.c.prompt_id) & (story.c.text == human.c.text)
    if places.part:  # or each part would go through all of the study's
        near = select(func.min(story.c.prompt_id), func.max(story.c.prompt_id)).where(places.near(story.c.id))
        same &= human.c.prompt_id.between(*connection.execute(near).one())
    rows = connection.execute(
        select(story.c.id)
        .distinct()
        .select_from(human)
        .join(story, same)
        .where(is_study(human.c.study_id, study_id, places), human.c.source == Source.HUMAN)
        .where(story.c.source.in_(sources))
        .where(places.near(story.c.id))
        .order_by(story.c.id)
    )
    own = places.of(np.array(rows.scalars().all(), dtype=np.int64))
    return own[own >= 0]


def _merged(columns: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """Of each metric and signature one column, in which what the first says of a story counts; where the last stood."""
    result: dict[tuple[str, str], ScoreColumn] = {}
    for mine in columns[::-1]:
        last = result.get((mine.metric, mine.signature))
        result[mine.metric, mine.signature] = mine if last is None else _filled(mine, last)
    return list(result.values())[::-1]


def _filled(first: ScoreColumn, second: ScoreColumn) -> ScoreColumn:
    """The first column, and what the second says of the stories that the first has neither a score of nor a reason."""
    values = copy_of(first.values)
    for block in blocks(len(values)):
        gaps = (place for place in (block.start + np.flatnonzero(np.isnan(values[block]))).tolist())
        at = [place for place in gaps if place not in first.reasons]
        values[at] = second.values[at]
    others = {place: reason for place, reason in second.reasons.items() if np.isnan(first.values[place])}
    return replace(first, values=values, reasons={**others, **first.reasons})


def _without(own: Ints, column: ScoreColumn) -> ScoreColumn:
    """The column without the scores of these stories, where it comes from a metric that compares with references."""
    metric = registered(column.metric)
    return column if metric is None or Need.REFERENCE not in metric.needs else _left_out(own, column)


def _left_out(own: Ints, column: ScoreColumn) -> ScoreColumn:
    """The column without the scores of these stories, which are their own references."""
    if not len(own):
        return column
    values = copy_of(column.values)
    values[own] = np.nan
    return replace(column, values=values, reasons={**column.reasons, **dict.fromkeys(own.tolist(), OWN_REFERENCE)})


def _blends(called: Sequence[tuple[str, str]]) -> list[Blend]:
    """Those whose parts there are scores of, in the usual way and in the ways that runs have asked for; `called`:
    metrics and signatures.
    """
    computed = {metric for metric, text in called if not text.startswith(IMPORTED)}
    result = ways(METRICS.values(), {text for _, text in called})
    return [blend for blend in result if computed.issuperset(blend.parts)]


def _with_blends(columns: Sequence[ScoreColumn], blends: Sequence[Blend], of_people: Ints) -> list[ScoreColumn]:
    """These columns (the latest first) and what can be blended of them, by metric and signature. `of_people`: people's
    stories, which have no blend that compares with references: its parts are scaled by the systems' stories, as
    everywhere else.
    """
    referenced = [blend for blend in blends if Need.REFERENCE in blend.needs]
    others = [blend for blend in blends if Need.REFERENCE not in blend.needs]
    made = blended(referenced, [_left_out(of_people, column) for column in columns]) + blended(others, columns)
    return sorted([*columns, *made], key=lambda column: (column.metric, column.signature))
