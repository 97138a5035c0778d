"""The stories that people have rated, which a trained metric should not have seen in training."""

from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import exists, false, select

from core.checkpoints.checkpoint import load, overlap
from core.checkpoints.in_words import weights_in
from core.checkpoints.kinds import CROSS_FITTED
from core.checkpoints.store import checkpoints_folder, shipped_by_weights
from core.people import Person, Role
from core.stories import Source
from db.engine import reading
from db.people import people
from db.schema import model_checkpoint, prompt, rating, story, study
from db.studies import studies
from db.training import checkpoints

STORIES_AT_ONCE = 2000
NONE_OF_THESE = "It was trained on no story of this study, nor on people's for its prompts."


_other = story.alias()
OF_SYSTEMS = exists().where(_other.c.prompt_id == story.c.prompt_id, _other.c.source == Source.SYSTEM)
"""That some system has gone on with a story's prompt: people's stories of other prompts stand beside none."""
RATED = exists().where(rating.c.story_id == story.c.id)


def judged_stories(by: Person) -> Iterator[tuple[str, str]]:
    """The name of each study that has a rating, and each of its stories that is rated or stands beside a system's, with
    and without its prompt before it.
    """
    by.must_be(Role.RESEARCHER)
    other = story.alias()
    rated = exists().where(rating.c.story_id == other.c.id, other.c.study_id == study.c.id)
    query = (
        select(study.c.name, prompt.c.text.label("prompt"), story.c.text)
        .join(story, story.c.study_id == study.c.id)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(rated, OF_SYSTEMS | RATED, studies.THERE)
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
    """Of checkpoints that are kept in these places, or come with Fabula under these names, how the hash of the weights
    of each begins.
    """
    query = select(model_checkpoint.c.place, model_checkpoint.c.weights_hash)
    with reading() as connection:
        rows = connection.execute(query.where(model_checkpoint.c.place.in_(places))).all() if places else []
    brought = {kept.place: begun for begun, kept in shipped_by_weights().items() if kept.place in places}
    return brought | {row.place: row.weights_hash[:12] for row in rows}


def trainings(by: Person, study_id: int, signatures: Iterable[str]) -> dict[str, str]:
    """By signature, what its checkpoint was trained on, in words, and that no story of the study is among it where that
    is known; without those whose checkpoint is not here.
    """
    said = checkpoints.trainings(by, signatures)
    known = _counted(study_id, {weights for signature in said if (weights := weights_in(signature))})
    return {
        signature: f"{text} {NONE_OF_THESE}" if known.get(weights_in(signature) or "") == 0 else text
        for signature, text in said.items()
    }


def seen_by(study_id: int, begun: Collection[str]) -> dict[str, int]:
    """The same as `trained_on` by how the hash of a checkpoint's weights begins."""
    return {weights: number for weights, number in _counted(study_id, begun).items() if number}


def _counted(study_id: int, begun: Collection[str]) -> dict[str, int]:
    """The same with those that were trained on none: 0."""
    if not begun:
        return {}
    with reading() as connection:
        rows = connection.execute(select(model_checkpoint)).all()
    kept = {row.weights_hash[:12]: (row.kind, checkpoints_folder() / row.place) for row in rows}
    brought = {weights: (item.card.kind, item.folder) for weights, item in shipped_by_weights().items()}
    result = {}
    for weights in begun:
        kind, folder = kept.get(weights) or brought.get(weights) or ("", None)
        if folder is None or kind in CROSS_FITTED or not folder.is_dir():
            continue
        checkpoint = load(folder)
        # As they were trained on: with the prompt where that is their beginning, or by themselves.
        ways = [overlap(checkpoint, _texts(study_id, whole, weights not in kept)) for whole in (True, False)]
        known = [number for number in ways if number is not None]
        if known:
            result[weights] = max(known)
    return result


def _texts(study_id: int, whole: bool, people_alone: bool) -> Iterator[str]:
    """The stories of a study by people, for prompts that systems have gone on with or rated themselves, and, unless
    these suffice, the rated ones by systems; `whole`: each after its prompt. What comes with Fabula has learnt from
    nothing but people's.
    """
    by_people = (story.c.source == Source.HUMAN) & (OF_SYSTEMS | RATED)
    by_systems = (story.c.source == Source.SYSTEM) & RATED
    query = (
        select(prompt.c.text.label("prompt"), story.c.text)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .where(by_people | (false() if people_alone else by_systems))
        .execution_options(yield_per=STORIES_AT_ONCE)
    )
    with reading() as connection:
        for row in connection.execute(query):
            yield f"{row.prompt} {row.text}" if whole else row.text
