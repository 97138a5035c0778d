"""The desk of a preview, which stores nothing: a study's own screens, with answers kept in the viewer's session."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from core.annotation.panel import AnnotatorTurn, Answer, Doubt, End
from core.annotation.rehearsal import Rehearsal, RehearsalStep
from core.annotation.spans import Span
from core.annotation.studies import Study
from core.people import Person
from db.annotation import panel_submission, previews
from pages.ui.annotating.desk import BETWEEN, WANTS_PANEL


@dataclass(frozen=True)
class PreviewDesk:
    """A viewer who tries a study; where the study was changed meanwhile they begin anew."""

    viewer: Person
    tried: Study
    stores: bool = False

    def key(self, part: str) -> str:
        shown = hash((self.tried.scheme, self.tried.practice, self.tried.consent))
        return f"preview-{self.tried.id}-{shown}-{part}"

    @property
    def rehearsal(self) -> Rehearsal:
        """How far they are."""
        most = previews.panels_per_annotator(self.viewer, self.tried.id)
        kept: Rehearsal | None = st.session_state.get(self.key("rehearsal"))
        return Rehearsal(most) if kept is None else replace(kept, most=most)

    def _keep(self, changed: Rehearsal) -> None:
        st.session_state[self.key("rehearsal")] = changed

    def go_to(self, step: RehearsalStep) -> None:
        """Begin anew at one part; of panels always another one."""
        self._keep(self.rehearsal.gone_to(step))
        st.session_state.pop(self.key(f"practice-seen-{self.tried.id}"), None)
        st.session_state[self.key(BETWEEN)] = False
        st.session_state[self.key(WANTS_PANEL)] = step is RehearsalStep.PANEL

    def look_at(self, end: str) -> None:
        """Show one of the ends; that of somebody who is paused where it is none of the seven."""
        rehearsal = self.rehearsal.gone_to(RehearsalStep.END)
        if end in set(End):
            self._keep(replace(rehearsal, end=End(end)))
        else:
            self._keep(replace(rehearsal, end=End.NOT_QUALIFIED, failed=self.tried.rules.pause_after))

    def study(self) -> Study:
        return self.tried

    def turn(self, *, claim: bool) -> AnnotatorTurn:
        now = self.rehearsal
        if claim and now.turn(self.tried).end is None and now.held is None:
            panel = previews.panel(self.viewer, self.tried.id, now.begun % max(1, now.most))
            now = replace(now, end=End.FULL) if panel is None else now.with_panel(panel)
            self._keep(now)
        return now.turn(self.tried)

    def answer_consent(self, *, given: bool | None, read: str | None = None) -> None:
        del read  # the text is the one on the page
        self._keep(replace(self.rehearsal, consent=given, end=None))

    def answer_item(self, attempt: int, token: str, overall: int | None, error_types: Mapping[str, int]) -> None:
        self._keep(self.rehearsal.practise(self.tried, attempt, token, overall, error_types))

    def _answered(self, changed: Rehearsal, token: str) -> Answer:
        self._keep(changed)
        return changed.answer_of(token)

    def save_value(self, token: str, value: int | None, criterion: str) -> Answer:
        return self._answered(self.rehearsal.rated(self.tried.scheme, token, value, criterion), token)

    def save_comment(self, token: str, comment: str) -> Answer:
        return self._answered(self.rehearsal.commented(token, comment), token)

    def save_deduction(self, token: str, error_type: str, points: int | None) -> Answer:
        return self._answered(self.rehearsal.deducted(self.tried.scheme, token, error_type, points), token)

    def mark(self, token: str, error_type: str, span: Span) -> Answer:
        return self._answered(self.rehearsal.marked(self.tried.scheme, token, error_type, span), token)

    def unmark(self, token: str, error_type: str, span: Span) -> Answer:
        return self._answered(self.rehearsal.unmarked(token, error_type, span), token)

    def doubts(self, panel_token: str) -> tuple[Doubt, ...]:
        now = self.rehearsal
        if not now.holds(panel_token):
            return ()
        result = now.doubts(self.tried.scheme)
        self._keep(replace(now, asked=True))
        return result

    def submit(self, panel_token: str) -> None:
        now = self.rehearsal
        if now.holds(panel_token):  # else it is handed in already: a second press changes nothing
            self._keep(now.handed_in(self.tried))

    def appeal(self, note: str) -> None:
        self._keep(self.rehearsal.with_note(note, panel_submission.LONGEST_APPEAL))

    def answer_closing(self, comment: str) -> None:
        self._keep(self.rehearsal.with_closing(comment))
