"""What a training will cost and whether it can be, before it runs."""

import streamlit as st

from core.durations import duration
from core.errors import InputError
from core.jobs import JobState
from core.models.catalogue import Role, answers_at_once, locate
from core.models.shape import check_layers, shape_of, usual_layers
from core.people import Person
from core.training.estimate import Size, check_sizes, checkpoint_bytes, seconds, size_of, works
from core.training.overlap import judged_among
from core.training.stories import StorySet
from core.training.union_order import UnionOrder
from db import checkpoints, jobs, overlap
from pages.ui.text import escaped
from pages.ui.train_stories import Chosen

LOOK_AGAIN = 30
"""Seconds after which ratings may have come that make a study a rated one."""


def estimate(viewer: Person, order: UnionOrder, chosen: Chosen) -> str:
    """Sentences on stories, time and size. Raises FabulaError where it cannot be trained."""
    sizes = _sizes(chosen.sets, order.words, chosen)
    check_sizes(sizes)
    if order.name:
        _check_name(viewer, order.name)
    top, size = 0, ""
    if answers_at_once(order.base or None, Role.BASE):
        source = locate(order.base or None, Role.BASE)
        checkpoints.check_untrained(viewer, order.settings(), source.at_revision)
        layers = order.layers or usual_layers(source)
        check_layers(source, layers)
        stories = sum(one.stories for one in sizes.values())
        top = max(layers)
        size = f" The checkpoint will take about {_size(checkpoint_bytes(order, shape_of(source), layers, stories))}."
    pairs = sum(one.pairs for one in sizes.values())
    time, guessed = seconds(works(order, sum(one.characters for one in sizes.values()), top), jobs.speeds())
    basis = "a first guess: this machine has not run all of it yet" if guessed else "at the speed of the last run here"
    fetched = "" if top else " The base is prepared or fetched first, which comes on top."
    return f"{pairs:,} stories and a negative of each, about {duration(max(time, 1))} ({basis}).{size}{fetched}"


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
