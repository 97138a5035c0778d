"""What a training will cost and whether it can be, before it runs."""

from typing import cast

import streamlit as st

from core.checkpoints.overlap import judged_among
from core.durations import duration
from core.errors import InputError
from core.jobs import JobState
from core.models.catalogue import Role, answers_at_once, locate
from core.models.shape import check_layers, shape_of
from core.people import Person
from core.stories import whole_story
from core.training.bleurt.order import BleurtOrder
from core.training.bleurt.settings import usable
from core.training.engine.cost import Work, seconds
from core.training.engine.judged_order import JudgedOrder
from core.training.engine.order import Order
from core.training.engine.stories import StorySet
from core.training.language_model.order import LanguageOrder
from core.training.orders import Plain
from core.training.ruber.order import RuberOrder
from core.training.union.estimate import Size, check_sizes, checkpoint_bytes, size_of, works
from core.training.union.order import UnionOrder
from db.jobs import jobs
from db.training import checkpoints, corpora, overlap, rated_stories
from pages.ui.shared.text import escaped
from pages.ui.train.stories import Chosen

FETCHED = " The base is prepared or fetched first, which comes on top."
LOOK_AGAIN = 30
"""Seconds after which ratings may have come that make a study a rated one."""


def estimate(viewer: Person, order: Order, chosen: Chosen) -> str:
    """Sentences on stories, time and size. Raises FabulaError where it cannot be trained."""
    if isinstance(order, Plain):
        return _plain(viewer, order, chosen)
    return _union(viewer, cast(UnionOrder, order), chosen)


def _union(viewer: Person, order: UnionOrder, chosen: Chosen) -> str:
    sizes = _sizes(chosen.sets, order.words, chosen)
    check_sizes(sizes)
    if order.name:
        _check_name(viewer, order.name)
    top, size = 0, ""
    if answers_at_once(order.base or None, Role.BASE):
        source = locate(order.base or None, Role.BASE)
        checkpoints.check_untrained(viewer, order.settings(), source.at_revision)
        layers = order.layers_of(source)
        check_layers(source, layers)
        stories = sum(one.stories for one in sizes.values())
        top = max(layers)
        size = f" The checkpoint will take about {_size(checkpoint_bytes(order, shape_of(source), layers, stories))}."
    pairs = sum(one.pairs for one in sizes.values())
    time = _time(works(order, sum(one.characters for one in sizes.values()), pairs, top))
    fetched = "" if top else FETCHED
    return f"{pairs:,} stories and a negative of each, {time}.{size}{fetched}"


def _time(phases: list[Work]) -> str:
    time, guessed = seconds(phases, jobs.speeds())
    basis = "a first guess: this machine has not run all of it yet" if guessed else "at the speed of the last run here"
    return f"about {duration(max(time, 1))} ({basis})"


def _plain(viewer: Person, order: Plain, chosen: Chosen) -> str:
    """Of all others."""
    if not chosen.sets:
        raise InputError("Choose a study." if order.of_ratings else "Choose stories to train on.")
    if order.name:
        _check_name(viewer, order.name)
    here = answers_at_once(order.base or None, order.role)
    if here:
        source = locate(order.base or None, order.role)
        if not order.of_ratings:
            checkpoints.check_untrained(viewer, order.settings(), source.at_revision)
        if isinstance(order, JudgedOrder):
            order.layers_of(source)  # a recipe may not fit a base
    if isinstance(order, RuberOrder | LanguageOrder):
        texts = [text for some in chosen.texts for text in some]
        stories, characters = len(texts), sum(map(len, texts))
    else:
        stories, characters = _in_studies(chosen.sets, isinstance(order, BleurtOrder), viewer)
    fetched = "" if here else FETCHED
    return f"{stories:,} stories, {_time(order.works(characters))}.{fetched}"


@st.cache_data(max_entries=8, ttl=LOOK_AGAIN, show_spinner="Counting the stories")
def _in_studies(sets: tuple[StorySet, ...], rated: bool, _viewer: Person) -> tuple[int, int]:
    """Stories, and characters of what is read of them. Raises InputError where a study's ratings cannot be learnt."""
    stories, texts = 0, set[str]()
    for one in sets:
        if one.study is None:
            continue
        if rated:
            found = usable(rated_stories.judged_texts(_viewer, one.study), one.name)
            stories += len(found)
            texts |= {text for story in found for text in (story.text, *story.references)}
        else:
            records = corpora.records_of_study(_viewer, one.study)
            stories += len(records)
            texts |= {whole_story(record.prompt, record.text) for record in records}
    return stories, sum(map(len, texts))


@st.cache_data(max_entries=8, show_spinner="Counting the stories' sentences")
def _sizes(sets: tuple[StorySet, ...], words: int, _chosen: Chosen) -> dict[str, Size]:
    return {one.name: size_of(texts, words) for one, texts in zip(sets, _chosen.texts, strict=True)}


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


def overlapping(viewer: Person, chosen: Chosen) -> str:
    """What there is to know of stories that people have rated, as Markdown; "" where there are none."""
    found = _judged(chosen.sets, viewer, chosen)
    if not found:
        return ""
    each = "; ".join(f"{count:,} of {escaped(study)}" for study, count in sorted(found.items()))
    return (
        f"People have rated stories of studies that are among these: {each}. What a metric that was trained on them "
        "says of them is no evidence: choose other stories, or insist."
    )


@st.cache_data(max_entries=8, ttl=LOOK_AGAIN, show_spinner="Looking for stories that people have rated")
def _judged(sets: tuple[StorySet, ...], _viewer: Person, _chosen: Chosen) -> dict[str, int]:
    del sets
    return judged_among((text for texts in _chosen.texts for text in texts), overlap.judged(_viewer))
