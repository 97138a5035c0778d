"""What judges say of the pairs that people compared, by signature and the contents of both stories."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, func, select

from core.judges.pair import StoryPair, Verdict
from core.metrics.judging.pairs import PairJudge
from core.metrics.run import Candidate, spread
from core.scores import IMPORTED, PairColumn
from db.engine import reading, upsert, writing
from db.rating_values import JUDGED_PAIR
from db.ratings.ratings import COUNTED
from db.schema import assignment, pair_verdict, prompt, rating, rating_value, score_run, signature, story
from db.scores.scores import touch
from db.studies import studies

IDS_A_QUERY = 500


class Contents(NamedTuple):
    """The content hashes of two stories, in order: what a verdict is kept under."""

    first: str
    second: str


@dataclass(frozen=True)
class ComparedPair:
    """Two stories that people compared, the one whose content hash comes first first: ids, keys, and how many
    characters they have together.
    """

    contents: Contents
    ids: tuple[int, int]
    keys: tuple[str, str]
    prompt: str
    characters: int


def compared(study_id: int) -> list[ComparedPair]:
    """The different pairs of stories behind the study's preferences, in the order in which people came to them."""
    with reading() as connection:
        return _compared(connection, study_id)


def _compared(connection: Connection, study_id: int) -> list[ComparedPair]:
    one, other = story.alias(), story.alias()
    columns = [
        column
        for side, name in ((one, "one"), (other, "other"))
        for column in (
            *(side.c[what].label(f"{name}_{what}") for what in ("id", "key", "content_hash")),
            func.length(side.c.text).label(f"{name}_length"),
        )
    ]
    met = (
        select(rating.c.story_id, rating.c.against_id, func.min(rating.c.id).label("since"))
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, COUNTED, JUDGED_PAIR)
        .group_by(rating.c.story_id, rating.c.against_id)
        .subquery()
    )
    rows = connection.execute(
        select(*columns, prompt.c.key.label("prompt"))
        .select_from(met)
        .join(one, one.c.id == met.c.story_id)
        .join(other, other.c.id == met.c.against_id)
        .join(prompt, prompt.c.id == one.c.prompt_id)
        .order_by(met.c.since)
    )
    found: dict[tuple[int, int], ComparedPair] = {}
    for row in rows:
        pair = _pair(row)
        found.setdefault(pair.ids, pair)
    return list(found.values())


def _pair(row: Any) -> ComparedPair:
    sides = sorted(
        [
            (row.one_content_hash, row.one_id, row.one_key),
            (row.other_content_hash, row.other_id, row.other_key),
        ]
    )
    hashes, ids, keys = zip(*sides, strict=True)
    return ComparedPair(Contents(*hashes), ids, keys, row.prompt, row.one_length + row.other_length)


def pending(study_id: int, signature_id: int | None) -> list[ComparedPair]:
    """Those of them, each content once, that have no verdict under a signature yet; None for one never used."""
    with reading() as connection:
        pairs = _compared(connection, study_id)
        kept = {} if signature_id is None else _kept(connection, signature_id)
    left: dict[Contents, ComparedPair] = {}
    for pair in pairs:
        if pair.contents not in kept:
            left.setdefault(pair.contents, pair)
    return list(left.values())


def few(pairs: Sequence[ComparedPair], most: int | None) -> list[ComparedPair]:
    """At most so many of these pairs, spread over their prompts; all of them for None."""
    if most is None:
        return list(pairs)
    candidates = [Candidate(place, pair.prompt, "", lacking=True) for place, pair in enumerate(pairs)]
    return [pairs[place] for place in spread(candidates, most)]


def count(study_id: int) -> int:
    """How many pairs of different contents people have compared in a study."""
    return len({pair.contents for pair in compared(study_id)})


def characters(pairs: Sequence[ComparedPair]) -> int:
    """What a judge has to read of these pairs: both stories, in either order."""
    return 2 * sum(pair.characters for pair in pairs)


def read(pairs: Sequence[ComparedPair]) -> list[StoryPair]:
    """These pairs with their texts; without those of which a story is gone."""
    ids = list({story_id for pair in pairs for story_id in pair.ids})
    query = select(story.c.id, story.c.text, story.c.content_hash, prompt.c.text.label("prompt")).join(
        prompt, prompt.c.id == story.c.prompt_id
    )
    with reading() as connection:
        rows = {
            row.id: row
            for at in range(0, len(ids), IDS_A_QUERY)
            for row in connection.execute(query.where(story.c.id.in_(ids[at : at + IDS_A_QUERY])))
        }
    result = []
    for pair in pairs:
        first, second = (rows.get(story_id) for story_id in pair.ids)
        # References may have arrived since: a verdict must not be kept under what it was not made from.
        if first and second and (first.content_hash, second.content_hash) == pair.contents:
            result.append(StoryPair(first.prompt, first.text, second.text, *pair.contents))
    return result


def store(study_id: int, signature_id: int, verdicts: Mapping[Contents, Verdict]) -> None:
    """Keep what a judge says of pairs of a study; where it says nothing with the reason, so that it is not asked
    again.
    """
    rows = [
        {
            "signature_id": signature_id,
            "first_hash": contents.first,
            "second_hash": contents.second,
            "forward": verdict.forward,
            "backward": verdict.backward,
            "reason": verdict.reason,
        }
        for contents, verdict in verdicts.items()
    ]
    with writing() as connection:
        studies.locked(connection, study_id, lock=False)  # raises NotFound where it was deleted meanwhile
        upsert(
            connection,
            pair_verdict,
            rows,
            ["signature_id", "first_hash", "second_hash"],
            ["forward", "backward", "reason"],
        )
        touch(connection, study_id, signature_id)


def undefined(study_id: int, signature_id: int) -> dict[str, int]:
    """Why a judge says nothing of pairs of a study, and of how many for each reason, the commonest first."""
    with reading() as connection:
        contents = {pair.contents for pair in _compared(connection, study_id)}
        kept = _kept(connection, signature_id)
    reasons = Counter(kept[pair].reason for pair in contents if pair in kept and kept[pair].value is None)
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))


def columns(study_id: int) -> list[PairColumn]:
    """What every judge of pairs that has run in the study says of the pairs that people compared."""
    query = (
        select(signature)
        .join(score_run, score_run.c.signature_id == signature.c.id)
        .where(score_run.c.study_id == study_id, signature.c.metric == PairJudge.name)
        .where(~signature.c.text.startswith(IMPORTED, autoescape=True))
        .order_by(signature.c.text)
    )
    with reading() as connection:
        signatures = connection.execute(query).all()
        pairs = _compared(connection, study_id) if signatures else []
        return [_column(row.metric, row.text, pairs, _kept(connection, row.id)) for row in signatures]


def _kept(connection: Connection, signature_id: int) -> dict[Contents, Verdict]:
    names = ("first_hash", "second_hash", "forward", "backward", "reason")
    query = select(*(pair_verdict.c[name] for name in names)).where(pair_verdict.c.signature_id == signature_id)
    return {Contents(*row[:2]): Verdict(*row[2:]) for row in connection.execute(query)}


def _column(metric: str, text: str, pairs: Sequence[ComparedPair], kept: Mapping[Contents, Verdict]) -> PairColumn:
    nothing = Verdict(None, None)
    said = [kept.get(pair.contents, nothing) for pair in pairs]
    return PairColumn(
        metric,
        text,
        tuple(pair.prompt for pair in pairs),
        tuple(pair.keys[0] for pair in pairs),
        tuple(pair.keys[1] for pair in pairs),
        np.array([np.nan if one.forward is None else one.forward for one in said], dtype=np.float64),
        np.array([np.nan if one.backward is None else one.backward for one in said], dtype=np.float64),
        {place: one.reason for place, one in enumerate(said) if one.reason},
    )
