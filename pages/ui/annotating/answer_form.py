"""What every form of an answer shares: the row of buttons, and the line that says whether the answer is saved."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from core.annotation.criterion import Criterion
from core.annotation.panel import Answer
from core.annotation.scheme import Scheme
from pages.ui.annotating.desk import Desk
from pages.ui.shared.text import escaped, problem

FEW_STEPS = 3
"""A scale of so many steps shows their labels; a longer one shows numbers, and labels its ends."""

SAVED = ":green[:material/cloud_done: Saved]"
NOT_STORED = ":orange[Preview: not stored]"


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
    about = [] if few else [", ".join(f"{value} {escaped(name.lower())}" for value, name in criterion.scale)]
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
    (lowest, worst), (highest, best) = criterion.scale[0], criterion.scale[-1]
    return f"{lowest} {escaped(worst.lower())} to {highest} {escaped(best.lower())}"


def saved_line(desk: Desk, scheme: Scheme, answer: Answer, failure: str | None, words: list[str]) -> None:
    """Whether an answer is in the database, after other `words`; why the last change is not; what is missing."""
    if failure is not None:
        words.append(":red[your last change was **not** saved]")
    elif not desk.stores:
        words.append(NOT_STORED)
    elif answer.saved_at is not None:
        words.append(f"{SAVED} at {local_time(answer.saved_at):%H:%M:%S}")
    left = sum(name not in answer.values for name in scheme.names)
    if left:
        words.append("not rated yet" if left == len(scheme.names) else f"{left} of {len(scheme.names)} left")
    st.markdown(" · ".join(words))
    if failure is not None:
        problem(failure)


def local_time(time: datetime) -> datetime:
    """A time in the zone of the viewer's browser, where it says which."""
    return time.astimezone(_zone(str(st.context.timezone)))


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    """The zone of a name that a browser sent, UTC where there is none. Kept: to look it up walks through files."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return UTC
