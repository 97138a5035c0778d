"""A panel with every rating, from which what the Monitor shows of it is found in the plainest way."""

from dataclasses import dataclass
from datetime import datetime

from core.annotation.panel_summary import ControlPair, PanelSummary, UnitKey


@dataclass(frozen=True, slots=True)
class WholePanel:
    """A panel that was handed in; `ratings`: the rated stories' (story id, rating on the main criterion), controls left
    out; `others`: ratings on the other criteria. Of pairs `ratings` are of two stories, and `compared` are all answers
    as they are stored.
    """

    id: int
    study_id: int
    annotator: str
    person_id: int | None
    unit: UnitKey
    prompt: str
    ratings: tuple[tuple[int, float], ...]
    human: tuple[float, ...]
    negative: tuple[float, ...]
    contradictions: int
    words: int
    seconds: float
    state: str
    valid: bool
    reason: str
    overridden: bool
    payment: str
    payment_reason: str
    appeal: str
    submitted_at: datetime
    payment_category: str = ""
    others: tuple[float, ...] = ()
    straight: int = 0
    stories: int = 1
    inattentive: bool = False
    controls: tuple[ControlPair, ...] = ()
    turned: bool = False
    compared: tuple[float, ...] = ()

    @property
    def note_waits(self) -> bool:
        """Whether nobody has decided on its note, where none was left on what was rejected by hand."""
        return bool(self.appeal) and not self.valid and not self.overridden

    @property
    def brief(self) -> PanelSummary:
        """The same panel without its single ratings."""
        given = [overall for _, overall in self.ratings] + [*self.human, *self.negative, *self.others]
        given = list(self.compared) or given
        return PanelSummary(
            id=self.id,
            person_id=self.person_id,
            annotator=self.annotator,
            unit=self.unit,
            prompt=self.prompt,
            answers=len(given),
            lowest=min(given, default=0.0),
            highest=max(given, default=0.0),
            human=min(self.human, default=None),
            negative=max(self.negative, default=None),
            contradictions=self.contradictions,
            straight=self.straight,
            stories=self.stories,
            inattentive=self.inattentive,
            words=self.words,
            seconds=self.seconds,
            submitted_at=self.submitted_at,
            state=self.state,
            valid=self.valid,
            reason=self.reason,
            overridden=self.overridden,
            payment=self.payment,
            payment_reason=self.payment_reason,
            noted=bool(self.appeal),
            controls=self.controls,
            turned=self.turned,
            note_waits=self.note_waits,
        )
