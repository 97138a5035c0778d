"""What every form of an answer shares: the row of buttons, and the line that says whether the answer is saved."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from core.annotation.criterion import Criterion
from core.annotation.panel import Answer
from core.annotation.scale import step_words
from core.annotation.scheme import Scheme
from core.languages.words import joined
from pages.ui.annotating.desk import Desk
from pages.ui.shared.annotators_words import lowered, say, words
from pages.ui.shared.text import escaped, problem

FEW_STEPS = 3
"""A scale of so many steps shows their labels; a longer one shows numbers, and labels its ends."""


def saved_sign() -> str:
    """What stands beside an answer that is in the database."""
    return f":green[:material/cloud_done: {say('saving.saved')}]"


def not_stored() -> str:
    """What stands beside an answer of a preview."""
    return f":orange[{say('saving.preview')}]"


def rating_control(
    criterion: Criterion,
    label: str,
    key: str,
    names: Mapping[int, str],
    save: Callable[..., None],
    args: tuple[object, ...],
    *,
    named: bool = False,
) -> None:
    """The question's answer as a row of buttons: the names of few steps, or where they are `named`; else numbers."""
    few = named or len(names) <= FEW_STEPS
    steps = [f"{value} {escaped(lowered(name))}" for value, name in criterion.scale]
    about = [] if few else [joined(words(), steps, "lists.comma", "lists.comma")]
    about += [escaped(criterion.example)] if criterion.example else []
    st.segmented_control(
        label,
        list(names),
        format_func=lambda value: escaped(names[value]) if few else str(value),
        key=key,
        required=True,  # a second tap on the same answer does not take it back
        help="\n\n".join(about) or None,
        width="stretch",
        on_change=save,
        args=args,
    )


def ends(criterion: Criterion) -> str:
    """What the lowest and the highest number mean; "" where the steps' labels can be seen."""
    if len(criterion.scale) <= FEW_STEPS:
        return ""
    (lowest, worst), (highest, best) = (
        (step, escaped(lowered(step_words(step, label)))) for step, label in (criterion.scale[0], criterion.scale[-1])
    )
    both = say("story.ends", lowest=lowest, worst=worst, highest=highest, best=best)
    return " ".join(both.split())  # a step may have no words


def saved_line(desk: Desk, scheme: Scheme, answer: Answer, failure: str | None, before: list[str]) -> None:
    """Whether an answer is in the database, after what comes `before`; why the last change is not; what is missing."""
    said = list(before)
    if failure is not None:
        said.append(f":red[{say('saving.not_saved')}]")
    elif not desk.stores:
        said.append(not_stored())
    elif answer.saved_at is not None:
        said.append(saved_at(answer.saved_at, saved_sign()))
    left, asked = sum(name not in answer.values for name in scheme.names), len(scheme.names)
    if left:
        said.append(say("saving.not_rated") if left == asked else say("saving.left", left=left, all=asked))
    st.markdown(" · ".join(said))
    if failure is not None:
        problem(failure)


def saved_at(time: datetime, saved: str) -> str:
    """That an answer was saved (the word for it, or a sign) at a time, in the zone of the viewer's browser."""
    local = time.astimezone(_zone(str(st.context.timezone)))
    return say("saving.saved_at", saved=saved, time=f"{local:%H:%M:%S}")


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    """The zone of a name that a browser sent, UTC where there is none. Kept: to look it up walks through files."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return UTC
