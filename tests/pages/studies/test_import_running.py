"""An import is done once and told once, wherever a press ends the run of the page that follows it."""

from typing import Any

import pytest
import streamlit as st

from core.errors import InputError
from pages.ui.import_data import running
from pages.ui.import_data.running import RUNNING, ImportResult, Tell, begin, begin_anew, finished, follow


class EndedError(Exception):
    """As Streamlit ends a run: wherever it asks for the session's state, or draws."""


class State(dict[str, Any]):
    """The session's state, in which a press ends the run at the look of this number."""

    ends_at = 0

    def _look(self) -> None:
        self.ends_at -= 1
        if self.ends_at == 0:
            raise EndedError

    def __getitem__(self, key: str) -> Any:
        self._look()
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._look()
        super().__setitem__(key, value)

    def get(self, key: str, default: Any = None) -> Any:
        self._look()
        return super().get(key, default)

    def setdefault(self, key: str, default: Any = None) -> Any:
        self._look()
        return super().setdefault(key, default)


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> State:
    state = State()
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "rerun", lambda: None)
    monkeypatch.setattr(running, "remember", lambda study: state.__setitem__("chosen", study))
    return state


@pytest.mark.parametrize("moment", range(1, 12))
def test_a_second_press_imports_nothing_twice(state: State, moment: int) -> None:
    works = []

    def work(tell: Tell) -> ImportResult:
        works.append(tell)
        return "Imported 9 ratings.", 7

    state.ends_at = moment
    for _ in range(2):
        try:
            begin("file", work, "Importing")
            follow("file")
        except EndedError:
            continue
    state.ends_at = 0
    assert len(works) == 1
    assert state.get(RUNNING) == {}
    assert state.get("chosen") == 7
    assert finished() == ("Imported 9 ratings.", 7)


def test_what_failed_may_be_begun_again(state: State) -> None:
    def fails(tell: Tell) -> ImportResult:
        raise InputError("The file has no rows.")

    for _ in range(2):
        begin("file", fails, "Importing")
        with pytest.raises(InputError, match="no rows"):
            follow("file")
    assert state.get(RUNNING) == {}
    assert finished() is None


def test_it_begins_anew_though_the_run_that_kept_the_result_was_ended(state: State) -> None:
    begin("file", lambda tell: ("Imported 9 ratings.", 7), "Importing")
    work = state[RUNNING]["file"]
    follow("file")
    state[RUNNING]["file"] = work
    begin_anew()
    assert finished() is None
    assert state[RUNNING] == {}
