"""Stories to train on: where they come from, each as a whole, prompt and human continuation."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import InputError, StorageError
from core.files import replacing, unwritable
from core.perturb.cases import human_stories
from core.stories import Source, StoryRecord, whole_story


@dataclass(frozen=True)
class StorySet:
    """Where a corpus is from: a study's human stories (`version`: of its texts), or an uploaded table (`upload`: the
    hash of its stories), or, with neither, the stories that come with Fabula.
    """

    name: str
    study: int | None = None
    version: str = ""
    upload: str = ""


def whole_texts(records: Sequence[StoryRecord]) -> list[str]:
    """The human stories among these, or all but the negative ones where none is marked so, each with its prompt before
    it unless it begins with that.
    """
    return [whole_story(story.prompt, story.text) for story in human_stories(records)]


def split_by_author(records: Sequence[StoryRecord]) -> list[StoryRecord]:
    """Stories by people and by systems, of a table; where no row says that people wrote it, those without a system, or
    with one that is called `human`, are theirs.
    """
    if any(record.source is Source.HUMAN for record in records):
        return list(records)
    theirs = ("", Source.HUMAN)
    return [
        replace(record, source=Source.HUMAN, system="")
        if record.source is Source.SYSTEM and record.system.strip().casefold() in theirs
        else record
        for record in records
    ]


def upload_hash(texts: Sequence[str]) -> str:
    """Return a hash of an upload's stories in their order."""
    return hashlib.sha256(json.dumps(list(texts)).encode()).hexdigest()[:12]


def save_upload(folder: Path, texts: Sequence[str]) -> None:
    """Keep an upload's stories with its training, where the worker finds them. Raises StorageError."""
    path = folder / f"{upload_hash(texts)}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(unwritable(folder, error)) from error
    with replacing(path) as partial:
        partial.write_text(json.dumps(list(texts)), encoding="utf-8")


def read_upload(folder: Path, story_set: StorySet) -> list[str]:
    """Raises InputError where it has been deleted."""
    try:
        content: list[str] = json.loads((folder / f"{story_set.upload}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"The stories of {story_set.name} are not kept any more: give the table again in a new training."
        ) from None
    return content
