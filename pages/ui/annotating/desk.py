"""Where the form's answers go: into the database, or, in a preview, only into this session."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import streamlit as st

from core.annotation.panel import AnnotatorTurn, Answer, Doubt
from core.annotation.spans import Span
from core.annotation.studies import Study
from core.people import Person
from db.annotation import assignments, onboarding, panel_submission
from db.people import people
from db.ratings import ratings
from db.studies import studies

WANTS_PANEL, BETWEEN = "wants_panel", "between_panels"
"""Parts of the session's state: the viewer wants another panel; they read what became of the last one."""


class Desk(Protocol):
    """What the screens of an annotator ask for. Each raises FabulaError where it cannot be done."""

    @property
    def stores(self) -> bool:
        """Whether what is answered goes into the database."""

    def key(self, part: str) -> str:
        """The key of a part of the session's state: what one desk has done says nothing of another's work."""

    def study(self) -> Study: ...

    def turn(self, *, claim: bool) -> AnnotatorTurn: ...

    def answer_consent(self, *, given: bool | None, read: str | None = None) -> None: ...

    def answer_item(self, attempt: int, token: str, overall: int | None, error_types: Mapping[str, int]) -> None: ...

    def save_value(self, token: str, value: int | None, criterion: str) -> Answer: ...

    def save_comment(self, token: str, comment: str) -> Answer: ...

    def save_deduction(self, token: str, error_type: str, points: int | None) -> Answer: ...

    def mark(self, token: str, error_type: str, span: Span) -> Answer: ...

    def unmark(self, token: str, error_type: str, span: Span) -> Answer: ...

    def doubts(self, panel_token: str) -> tuple[Doubt, ...]: ...

    def submit(self, panel_token: str) -> None: ...

    def appeal(self, note: str) -> None: ...

    def answer_closing(self, comment: str) -> None: ...


def begin_panel(desk: Desk) -> None:
    """The viewer wants a panel."""
    st.session_state[desk.key(BETWEEN)] = False
    st.session_state[desk.key(WANTS_PANEL)] = True


@dataclass(frozen=True)
class AnnotatorsDesk:
    """An annotator at work: everything is in the database before the page goes on."""

    annotator: Person
    stores: bool = True

    def key(self, part: str) -> str:
        return part

    def study(self) -> Study:
        return studies.get(self.annotator.study_id or 0)

    def turn(self, *, claim: bool) -> AnnotatorTurn:
        return assignments.turn(self.annotator, claim=claim)

    def answer_consent(self, *, given: bool | None, read: str | None = None) -> None:
        people.answer_consent(self.annotator, given=given, read=read)

    def answer_item(self, attempt: int, token: str, overall: int | None, error_types: Mapping[str, int]) -> None:
        onboarding.answer_item(self.annotator, attempt, token, overall, error_types)

    def save_value(self, token: str, value: int | None, criterion: str) -> Answer:
        return ratings.save_value(self.annotator, token, value, criterion)

    def save_comment(self, token: str, comment: str) -> Answer:
        return ratings.save_comment(self.annotator, token, comment)

    def save_deduction(self, token: str, error_type: str, points: int | None) -> Answer:
        return ratings.save_deduction(self.annotator, token, error_type, points)

    def mark(self, token: str, error_type: str, span: Span) -> Answer:
        return ratings.mark(self.annotator, token, error_type, span)

    def unmark(self, token: str, error_type: str, span: Span) -> Answer:
        return ratings.unmark(self.annotator, token, error_type, span)

    def doubts(self, panel_token: str) -> tuple[Doubt, ...]:
        return panel_submission.doubts(self.annotator, panel_token)

    def submit(self, panel_token: str) -> None:
        panel_submission.submit(self.annotator, panel_token)

    def appeal(self, note: str) -> None:
        panel_submission.appeal(self.annotator, note)

    def answer_closing(self, comment: str) -> None:
        people.answer_closing(self.annotator, comment)
