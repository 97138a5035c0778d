"""The figures of a study in progress, shared by all viewers and recomputed only as often as is worth its cost."""

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import streamlit as st

from core.annotation.monitor.forecast import Forecast, forecast
from core.annotation.monitor.overview import Overview, overview
from core.annotation.quality import StudyProgress
from db.annotation import slots
from db.monitor import monitor
from db.studies import studies

SHARE = 0.015
"""Of a core that making the figures anew may take while panels come in: so those of a very large study are at times
half a minute old."""
QUICK = 0.05
"""Seconds of processor time that are not worth saving."""


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Collecting garbage among a hundred thousand rows that are all still wanted takes a third of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _Figures:
    """The newest figures of one study; one thread makes them, the others wait for it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._made: Overview | None = None
        self._version = ""
        self._next = 0.0

    def current(self, study_id: int, *, at_once: bool) -> tuple[Overview, str]:
        """The figures and the version of the data that they are of; `at_once`: of the newest, whatever it costs."""
        with self._turn:
            if self._made is None or ((at_once or self._due()) and self._version != monitor.version(study_id)):
                began = time.thread_time()
                self._version = monitor.version(study_id)
                with _without_collecting():
                    self._made = overview(monitor.read(study_id), studies.get(study_id).rules)
                took = time.thread_time() - began
                self._next = time.monotonic() + (took / SHARE if took > QUICK else 0.0)
            return self._made, self._version

    def is_newer(self, study_id: int, version: str) -> bool:
        """Whether there is something else to show than the figures of this version, now."""
        if version != self._version:
            return True
        return self._due() and version != monitor.version(study_id)

    def _due(self) -> bool:
        return time.monotonic() >= self._next


@st.cache_resource(max_entries=8, show_spinner=False)
def figures(study_id: int) -> _Figures:
    """Those of this study."""
    del study_id  # what they are kept under
    return _Figures()


def progress(study_id: int) -> StudyProgress:
    """How far the study is at this moment."""
    held = sum(in_hand.live for in_hand in monitor.in_hand(study_id))
    return replace(_filled(study_id, monitor.version(study_id)), open=held)


@st.cache_data(max_entries=64, show_spinner=False)
def _filled(study_id: int, version: str) -> StudyProgress:
    """All of it but what is in hand, which changes by the clock, too."""
    del version  # what the result is kept under
    return slots.progress(study_id)


def imported(study_id: int) -> int:
    """How much of it came in with imports."""
    return _imported(study_id, monitor.version(study_id))


@st.cache_data(max_entries=64, show_spinner=False)
def _imported(study_id: int, version: str) -> int:
    del version  # what the result is kept under
    return sum(slots.imported(study_id).values())


@st.cache_data(max_entries=64, show_spinner=False)
def panels_left(open_slots: int, valid: int, rejected: int) -> Forecast:
    """The forecast, which takes a moment for a large study."""
    return forecast(open_slots, valid, rejected)


@st.cache_resource(max_entries=2, show_spinner="Reading the ratings")
def every_rating(study_id: int, version: str) -> dict[int, list[tuple[int, float]]]:
    """The ratings of every panel: what other rules are tried on."""
    del version  # what the result is kept under
    with _without_collecting():
        return monitor.ratings_of(study_id)


def clock(at: datetime) -> str:
    """A time of today or of a day, as people read it."""
    return f"{at:%d %b, %H:%M} UTC"
