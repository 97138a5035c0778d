"""The stories that people have rated, which a trained metric should not have seen in training."""

from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import exists, select

from core.checkpoints.checkpoint import load, overlap
from core.checkpoints.in_words import weights_in
from core.checkpoints.kinds import CROSS_FITTED
from core.checkpoints.store import checkpoints_folder
from core.people import Person, Role
from core.stories import Source
from db.engine import reading
from db.people import people
from db.schema import model_checkpoint, prompt, rating, story, study
from db.studies import studies

STORIES_AT_ONCE = 2000


def judged_stories(by: Person) -> Iterator[tuple[str, str]]:
    """The name of each study that has a rating, and each of its stories, with and without its prompt before it."""
    by.must_be(Role.RESEARCHER)
    other = story.alias()
    rated = exists().where(rating.c.story_id == other.c.id, other.c.study_id == study.c.id)
    query = (
        select(study.c.name, prompt.c.text.label("prompt"), story.c.text)
        .join(story, story.c.study_id == study.c.id)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(rated, studies.THERE)
        .execution_options(yield_per=STORIES_AT_ONCE)
    )
    with reading() as connection:
        people.check(connection, by)
        for row in connection.execute(query):
            yield row.name, row.text
            if row.prompt.strip():
                yield row.name, f"{row.prompt} {row.text}"


def trained_on(study_id: int, signatures: Iterable[str]) -> dict[str, int]:
    """By signature, on how many of the study's stories its checkpoint was trained: of the systems' those that are
    rated, and people's, which show how the prompts were gone on with; without those that were trained on none, that do
    not say, that are not here, and that are cross-fitted. Raises InputError where a checkpoint's files are damaged.
    """
    begun = {signature: weights for signature in signatures if (weights := weights_in(signature))}
    seen = seen_by(study_id, set(begun.values()))
    return {signature: seen[weights] for signature, weights in begun.items() if weights in seen}


def weights_of(places: Collection[str]) -> dict[str, str]:
    """Of checkpoints that are kept in these places, how the hash of the weights of each begins."""
    query = select(model_checkpoint.c.place, model_checkpoint.c.weights_hash)
    with reading() as connection:
        rows = connection.execute(query.where(model_checkpoint.c.place.in_(places))).all() if places else []
    return {row.place: row.weights_hash[:12] for row in rows}


def seen_by(study_id: int, begun: Collection[str]) -> dict[str, int]:
    """The same as `trained_on` by how the hash of a checkpoint's weights begins."""
    if not begun:
        return {}
    rated = exists().where(rating.c.story_id == story.c.id)
    query = (
        select(prompt.c.text.label("prompt"), story.c.text)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .where((story.c.source == Source.HUMAN) | ((story.c.source == Source.SYSTEM) & rated))
    )
    with reading() as connection:
        kept = {row.weights_hash[:12]: row for row in connection.execute(select(model_checkpoint))}
        stories = connection.execute(query).all() if kept else []
    result = {}
    for weights in begun:
        row = kept.get(weights)
        if row is None or row.kind in CROSS_FITTED or not (folder := checkpoints_folder() / row.place).is_dir():
            continue
        checkpoint = load(folder)
        # As they were trained on: with the prompt where that is their beginning, or by themselves.
        ways = ([f"{one.prompt} {one.text}" for one in stories], [one.text for one in stories])
        if number := max(overlap(checkpoint, texts) or 0 for texts in ways):
            result[weights] = number
    return result
