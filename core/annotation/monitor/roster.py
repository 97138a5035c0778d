"""Everybody who has worked in a study, a row each: what they did, how fast, how well, and what they are owed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median

from core.annotation.monitor.flags import in_short
from core.annotation.monitor.weak_systems import MeanRating
from core.annotation.panel_summary import PanelSummary
from core.annotation.raters import AgreementSummary
from core.payments import Pay, Sums
from core.people import Person, Role

IMPORTED = "imported"
"""The state of somebody who has never had a link, and whose panels are nothing to decide on."""


@dataclass(frozen=True)
class Member:
    """Somebody who may rate in a study, or has. `state`: why they can go on or not, in plain words.

    `bonus`: in hundredths. `rater`: of somebody who is no person here (any more) the name that their panels are kept
    under, else "". `paused`: by the rule about rejected panels.
    """

    person: Person
    called: str
    state: str
    bonus: int = 0
    bonus_reason: str = ""
    bonus_paid: int = 0
    rater: str = ""
    paused: bool = False
    closing_comment: str = ""

    @property
    def key(self) -> int | str:
        """Tells them from the other members, as `PanelSummary.whose` does of their panels."""
        return self.rater or self.person.id or 0


@dataclass(frozen=True)
class InHand:
    """A panel begun and not handed in. `live`: its place is held until `until`; after that another may take it.
    `revoked`: whoever began it has no link any more.
    """

    person_id: int | None
    called: str
    since: datetime
    answered: int
    answers: int
    until: datetime | None
    live: bool
    revoked: bool


@dataclass(frozen=True)
class AnnotatorRow:
    """One person's work. `minutes`: the median of a panel, `pace`: words a minute; None where no time is known.

    `agreement`: with the others over the ratings that count, None where none is shared. `flags`: how many
    panels have one, and why, in short.
    """

    member: Member
    panels: int
    valid: int
    rejected: int
    flags: str
    minutes: float | None
    pace: float | None
    agreement: AgreementSummary | None
    sums: Sums
    withheld: tuple[str, ...] = ()
    """Why panels go unpaid, each reason once."""

    @property
    def rate(self) -> float | None:
        """Share of the panels that were rejected."""
        return self.rejected / self.panels if self.panels else None


@dataclass(frozen=True)
class StudyData:
    """All that the figures of a study's people and panels are made of; panels the oldest first.

    `begun`: when the first panel was begun, None where none was. `means`: how stories are rated, by where they are
    from; none where no controls are rated.
    """

    pay: Pay
    panels: tuple[PanelSummary, ...]
    members: tuple[Member, ...]
    agreement: Mapping[int, AgreementSummary] = field(default_factory=dict)
    begun: datetime | None = None
    means: tuple[MeanRating, ...] = ()


def sums(panels: Iterable[PanelSummary], pay: Pay, bonus: int = 0, bonus_paid: int = 0) -> Sums:
    """What is owed, paid and withheld for these panels; a try of somebody who runs studies is not owed."""
    number, total = Counter[str](), Counter[str]()
    for panel in panels:
        state = panel.payment or "due"
        if panel.own_try and state == "due":
            continue
        number[state] += 1
        total[state] += pay.hundredths(panel.submitted_at)
    return Sums(
        owed_panels=number["due"],
        paid_panels=number["paid"],
        withheld_panels=number["withheld"],
        owed=total["due"],
        paid=total["paid"],
        withheld=total["withheld"],
        bonus=bonus,
        bonus_paid=bonus_paid,
    )


def roster(data: StudyData, flagged: Mapping[int, tuple[str, ...]]) -> tuple[AnnotatorRow, ...]:
    """One row per person, in the order of the members, then one a rater who is none of them: every panel is in one row.

    `flagged`: by the ids of the panels with remarks.
    """
    theirs: dict[int | str, list[PanelSummary]] = {member.key: [] for member in data.members}
    for panel in data.panels:
        theirs.setdefault(panel.whose, []).append(panel)
    members = {member.key: member for member in data.members}
    return tuple(_row(members.get(key) or _nobody(str(key)), panels, data, flagged) for key, panels in theirs.items())


def _nobody(rater: str) -> Member:
    """Whose panels came with an export, or who was erased and is no member any more."""
    return Member(Person(None, rater, Role.ANNOTATOR), rater, "not known here", rater=rater)


def _row(
    member: Member, panels: list[PanelSummary], data: StudyData, flagged: Mapping[int, tuple[str, ...]]
) -> AnnotatorRow:
    timed = [panel for panel in panels if panel.seconds > 0]
    seconds = sum(panel.seconds for panel in timed)
    remarks = [flagged[panel.id] for panel in panels if panel.id in flagged]
    return AnnotatorRow(
        member,
        panels=len(panels),
        valid=sum(panel.valid for panel in panels),
        rejected=sum(not panel.valid for panel in panels),
        flags=f"{len(remarks):,}: {in_short(remarks)}" if remarks else "0",
        minutes=median(panel.seconds for panel in timed) / 60 if timed else None,
        pace=sum(panel.words for panel in timed) / seconds * 60 if seconds else None,
        agreement=data.agreement.get(member.person.id) if member.person.id is not None else None,
        sums=sums(panels, data.pay, member.bonus, member.bonus_paid),
        withheld=tuple(dict.fromkeys(panel.payment_reason for panel in panels if panel.payment == "withheld")),
    )
