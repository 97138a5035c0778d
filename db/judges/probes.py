"""What was rated to measure judges' biases: of each judge, check by check, what its latest run has found."""

from collections.abc import Sequence

import numpy as np
from sqlalchemy import delete, insert, select

from core.analysis.judges.probes import Check, ProbeRatings, SampledStory
from core.metrics.run import SCORED
from core.stories import NAMELESS, Story
from db.engine import reading, writing
from db.schema import judge_probe, prompt, signature, story
from db.scores.scores import signature_id_of
from db.studies import studies

Probed = dict[tuple[str, str], list[ProbeRatings]]
"""The checks of each judge, by its metric and signature."""


def stories(study_id: int) -> list[SampledStory]:
    """The stories of a study that a bias run can draw, its systems', in import order."""
    query = (
        select(
            story.c.id, story.c.system, story.c.text, story.c.content_hash, prompt.c.key, prompt.c.text.label("prompt")
        )
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id, story.c.source.in_(SCORED))
        .order_by(story.c.position)
    )
    with reading() as connection:
        studies.locked(connection, study_id, lock=False)
        rows = connection.execute(query).all()
    return [
        SampledStory(row.id, row.key, row.system or NAMELESS, Story(row.text, row.prompt), row.content_hash)
        for row in rows
    ]


def keep(study_id: int, metric: str, text: str, of: ProbeRatings) -> None:
    """Keep what a judge rated on one check, in the place of what it did before in this study. `text`: its signature."""
    given = zip(of.variants, of.stories.tolist(), of.before.tolist(), of.after.tolist(), of.reasons, strict=True)
    mine = select(story.c.id).where(story.c.study_id == study_id)
    with writing() as connection:
        studies.locked(connection, study_id, lock=False)  # raises NotFound where it was deleted meanwhile
        signature_id = signature_id_of(connection, metric, text)
        connection.execute(
            delete(judge_probe).where(
                judge_probe.c.signature_id == signature_id,
                judge_probe.c.check == of.check,
                judge_probe.c.story_id.in_(mine),
            )
        )
        rows = [
            {
                "signature_id": signature_id,
                "check": of.check,
                "variant": variant,
                "story_id": number,
                "before": None if np.isnan(before) else before,
                "after": None if np.isnan(after) else after,
                "reason": reason,
            }
            for variant, number, before, after, reason in given
        ]
        if rows:
            connection.execute(insert(judge_probe), rows)


def probed(study_id: int) -> Probed:
    """What the bias runs of a study have found; checks of which nothing could be asked are not there."""
    query = (
        select(judge_probe, signature.c.metric, signature.c.text.label("signature"), prompt.c.key.label("prompt"))
        .join(signature, signature.c.id == judge_probe.c.signature_id)
        .join(story, story.c.id == judge_probe.c.story_id)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .order_by(judge_probe.c.id)
    )
    grouped: dict[tuple[str, str], dict[Check, list[tuple[str, int, str, float, float, str]]]] = {}
    with reading() as connection:
        for row in connection.execute(query):
            before, after = (np.nan if value is None else value for value in (row.before, row.after))
            of = grouped.setdefault((row.metric, row.signature), {}).setdefault(Check(row.check), [])
            of.append((row.variant, row.story_id, row.prompt, before, after, row.reason))
    return {judge: [_ratings(check, rows) for check, rows in checks.items()] for judge, checks in grouped.items()}


def _ratings(check: Check, rows: Sequence[tuple[str, int, str, float, float, str]]) -> ProbeRatings:
    variants, numbers, prompts, before, after, reasons = zip(*rows, strict=True)
    return ProbeRatings(
        check,
        variants,
        np.array(numbers, dtype=np.intp),
        prompts,
        np.array(before, dtype=np.float64),
        np.array(after, dtype=np.float64),
        reasons,
    )
