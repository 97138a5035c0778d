"""What a training will cost and whether it can run, before it starts."""

from collections.abc import Sequence

import streamlit as st

from core.errors import InputError
from core.jobs import JobState
from core.models.catalogue import answers_at_once, locate
from core.models.shape import shape_of
from core.people import Person
from core.stories import whole_story
from core.training.bleurt.settings import BleurtSettings, usable_stories
from core.training.engine.cost import Work, parts, seconds
from core.training.engine.settings import CrossFittedSettings, LearnsFrom, TrainingSettings
from core.training.engine.stories import StorySet
from core.training.union.estimate import Size, check_sizes, size_of
from core.training.union.settings import UnionSettings, checkpoint_bytes
from db.jobs import jobs
from db.training import checkpoints, corpora, rated_stories
from pages.ui.train.stories import TrainingStories

FETCHED = " The base is prepared or fetched first, which comes on top."
LOOK_AGAIN = 30
"""Seconds after which ratings may have come that make a study a rated one."""


def estimate(viewer: Person, settings: TrainingSettings, chosen: TrainingStories) -> str:
    """Sentences on stories, time and size. Raises FabulaError where it cannot be trained."""
    ratings = settings.learns_from is LearnsFrom.RATINGS
    sizes: dict[str, Size] = {}
    if isinstance(settings, UnionSettings):
        sizes = _sizes(chosen.sets, settings.words, chosen)
        check_sizes(sizes)
    elif not chosen.sets:
        raise InputError("Choose a study." if ratings else "Choose stories to train on.")
    if settings.name:
        _check_name(viewer, settings.name)
    size, fetched = "", FETCHED
    if answers_at_once(settings.base or None, settings.role):
        source, fetched = locate(settings.base or None, settings.role), ""
        if not ratings:
            checkpoints.check_untrained(viewer, settings.as_json(), source.at_revision)
        settings = settings.fitted(source)
        if isinstance(settings, UnionSettings):
            stories = sum(corpus.stories for corpus in sizes.values())
            space = _size(checkpoint_bytes(settings, shape_of(source), settings.layers, stories))
            size = f" The checkpoint will take about {space}."
    if isinstance(settings, UnionSettings):
        numbers = [corpus.pairs for corpus in sizes.values()]
        pairs = sum(numbers)
        time = _time(settings.works(sum(corpus.characters for corpus in sizes.values()), pairs))
        return f"{pairs:,} stories and a negative of each, {time} {_checked(settings, numbers)}{size}{fetched}"
    if settings.learns_from is LearnsFrom.HUMAN_STORIES:
        numbers = [len(some) for some in chosen.texts]
        stories, characters = sum(numbers), sum(len(text) for some in chosen.texts for text in some)
    else:
        target = settings.target if isinstance(settings, BleurtSettings) else ""
        stories, characters = _in_studies(chosen.sets, ratings, target, viewer)
        numbers = [stories]
    return f"{stories:,} stories, {_time(settings.works(characters))} {_checked(settings, numbers)}{fetched}"


def _checked(settings: TrainingSettings, numbers: Sequence[int]) -> str:
    """On how many stories or pairs is measured what it learns, where its corpora have so many."""
    held = settings.checked_on(numbers)
    if isinstance(settings, CrossFittedSettings):
        return (
            f"Each of the {settings.folds} models is checked on about {held:,} of them, from which it does not learn."
        )
    what = "pairs" if isinstance(settings, UnionSettings) else "stories"
    return f"About {held:,} of these {what} are held out, to check what it learns."


def _time(phases: list[Work]) -> str:
    speeds = jobs.speeds()
    return " ".join(filter(None, (f"{seconds(phases, speeds).words}.", parts(phases, speeds))))


@st.cache_data(max_entries=8, ttl=LOOK_AGAIN, show_spinner="Counting the stories")
def _in_studies(sets: tuple[StorySet, ...], rated: bool, target: str, _viewer: Person) -> tuple[int, int]:
    """Stories, and characters of what is read of them; `target`: of the ratings. Raises InputError where a study's
    ratings cannot be learnt.
    """
    stories, texts = 0, set[str]()
    for item in sets:
        if item.study is None:
            continue
        if rated:
            usable = usable_stories(rated_stories.judged_texts(_viewer, item.study, target), item.name)
            stories += len(usable)
            texts |= {text for story in usable for text in (story.text, *story.references)}
        else:
            records = corpora.records_of_study(_viewer, item.study)
            stories += len(records)
            texts |= {whole_story(record.prompt, record.text) for record in records}
    return stories, sum(map(len, texts))


@st.cache_data(max_entries=8, show_spinner="Counting the stories' sentences")
def _sizes(sets: tuple[StorySet, ...], words: int, _chosen: TrainingStories) -> dict[str, Size]:
    return {story_set.name: size_of(texts, words) for story_set, texts in zip(sets, _chosen.texts, strict=True)}


def _check_name(viewer: Person, name: str) -> None:
    checkpoints.check_free(viewer, name)
    for state in (JobState.QUEUED, JobState.RUNNING):
        if any(job.settings["name"] == name for job in jobs.of_kind("train", most=100, state=state)):
            raise InputError(f"A checkpoint named {name!r} is being trained; choose another name.")


def _size(size: float) -> str:
    for unit in ("kB", "MB"):
        size /= 1000
        if size < 1000:
            return f"{max(1, size):.0f} {unit}"
    return f"{size / 1000:.1f} GB"
