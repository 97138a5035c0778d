"""The stories that a training reads: of studies, of uploaded tables, and those that come with Fabula."""

from pathlib import Path

from core.errors import InputError
from core.people import Person
from core.stories import Source, StoryRecord
from core.training.engine.stories import StorySet, read_upload, whole_texts
from db.studies import story_list, story_texts
from db.transfer.demonstration import demonstration

CHANGED = "The stories of {} are not those any more that this training was to use: start a new one."
MOST = 10**9
"""All of a study's."""


def of_study(by: Person, study_id: int) -> list[str]:
    """Its human stories, whole; none where it has none, or is gone."""
    return whole_texts(story_list.whole(by, study_id, Source.HUMAN, most=MOST)[0])


def records_of_study(by: Person, study_id: int) -> list[StoryRecord]:
    """All its stories with their prompts, by whoever wrote them."""
    groups = story_list.systems(by, study_id)
    return [record for group in groups for record in story_list.whole(by, study_id, group, most=MOST)[0]]


def of_ours() -> list[str]:
    """The human stories of the demonstration, whole."""
    return whole_texts(demonstration().stories)


def texts_of(by: Person, story_set: StorySet, folder: Path) -> list[str]:
    """The stories that an order means; `folder`: its own. Raises InputError where they are no longer what they were."""
    if story_set.upload:
        return read_upload(folder, story_set)
    if story_set.study is None:
        return of_ours()
    if story_texts.version(story_set.study) != story_set.version:
        raise InputError(CHANGED.format(story_set.name))
    return of_study(by, story_set.study)
