"""The negative stories that a study is given when it is opened."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from core.annotation.studies import Study
from core.perturb.negatives.controls import make_negatives
from core.stories import Source, Story, sentences
from db.schema import prompt, story


def add(connection: Connection, study_row: Study, stories: list[Row[Any]], kinds: Mapping[int, set[str]]) -> None:
    """Make the negative stories that are missing; `kinds` are the sources of each prompt's stories."""
    prompts = connection.execute(
        select(prompt).where(prompt.c.study_id == study_row.id).order_by(prompt.c.position)
    ).all()
    wanting = [p for p in prompts if Source.SYSTEM in (s := kinds.get(p.id, set())) and Source.NEGATIVE not in s]
    if wanting:
        texts = negatives_for(connection, study_row, [p.key for p in wanting])
        taken = {s.key for s in stories}
        position = max(s.position for s in stories) + 1
        rows = [
            {
                "study_id": study_row.id,
                "prompt_id": p.id,
                "key": _free_key(f"{p.key}-negative", taken),
                "position": position + number,
                "source": Source.NEGATIVE,
                "system": "",
                "text": texts[p.key],
                "sentences": sentences(texts[p.key]),
                "content_hash": Story(texts[p.key], p.text).content_hash,
            }
            for number, p in enumerate(wanting)
        ]
        connection.execute(insert(story), rows)


def negatives_for(connection: Connection, study_row: Study, keys: Sequence[str]) -> dict[str, str]:
    """The negative stories that opening the study makes for these of its prompts, by the prompts' keys."""
    existing = connection.execute(
        select(prompt.c.key, story.c.source, story.c.text)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_row.id, story.c.source != Source.NEGATIVE)
        .order_by(story.c.position)
    ).all()
    human, systems = (
        [(row.key, row.text) for row in existing if row.source == source] for source in (Source.HUMAN, Source.SYSTEM)
    )
    return make_negatives(keys, human, systems, study_row.name)


def _free_key(wanted: str, taken: set[str]) -> str:
    key, number = wanted, 2
    while key in taken:
        key, number = f"{wanted}-{number}", number + 1
    return key
