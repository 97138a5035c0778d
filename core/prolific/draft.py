"""A study as it is drafted on Prolific: what participants read, how many of them, what they get, and every code."""

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.annotation.panel import End
from core.annotation.studies import Study
from core.errors import InputError
from core.recruitment import PROLIFIC, is_local

DEVICES = ("desktop", "tablet", "mobile")
LONGEST_NAME, LONGEST_DESCRIPTION = 120, 10_000
MOST_PLACES, MOST_MINUTES = 100_000, 24 * 60
REVIEW, RETURN = "MANUALLY_REVIEW", "REQUEST_RETURN"
_RETURN_REASONS = {
    End.FULL: "All stories of this study were rated or in somebody's hands when you came.",
    End.NOT_QUALIFIED: "You did not qualify for this study.",
    End.NO_CONSENT: "You did not agree to take part.",
    End.ALREADY_DONE: "You had finished this study before.",
    End.CLOSED: "The study was not open when you came.",
}
"""Ends that nobody has handed anything in for, and what the participant is told who is asked to return."""
_TYPES = {End.COMPLETE: "COMPLETED", End.NO_CONSENT: "NO_CONSENT"}


@dataclass(frozen=True)
class CompletionCode:
    """The code of an end, and what Prolific does with a submission that has it; `reason`: why it is to be returned."""

    end: End
    code: str
    action: str
    reason: str = ""

    def body(self) -> dict[str, Any]:
        """As the API takes it."""
        action = {"action": self.action, **({"return_reason": self.reason} if self.action == RETURN else {})}
        return {"code": self.code, "code_type": _TYPES.get(self.end, "OTHER"), "actions": [action]}


@dataclass(frozen=True)
class Numbers:
    """What the size of a draft follows from.

    `left`: ratings (panels, stories, pairs) that are still to come and in nobody's hands; `a_person`: how many one
    person can give; `most_at_once`: the most of them that no two can come from one person. `minutes`: the median of
    one, None before the first; `hundredths`: what one is paid, None where nobody has said.
    """

    left: int
    a_person: int
    most_at_once: int
    minutes: float | None
    hundredths: int | None

    @property
    def places(self) -> int:
        """How many people that takes, if each gives all they can; 1 where nothing is left."""
        shared = math.ceil(self.left / self.a_person) if self.a_person else 0
        return max(1, shared, self.most_at_once)

    @property
    def whole_minutes(self) -> int | None:
        """How long one person is at work, rounded up."""
        return None if self.minutes is None else max(1, math.ceil(self.minutes * max(1, self.a_person)))

    @property
    def reward(self) -> int | None:
        """What one person gets for all they can give, in hundredths."""
        return None if self.hundredths is None else self.hundredths * max(1, self.a_person)


@dataclass(frozen=True)
class Draft:
    """All that is sent to make the draft. `reward` in hundredths of the account's currency.

    `secured`: whether Prolific signs the addresses; `project`: the id of one, "" for the account's first.
    """

    name: str
    internal_name: str
    description: str
    address: str
    places: int
    minutes: int
    reward: int
    codes: tuple[CompletionCode, ...]
    devices: tuple[str, ...] = DEVICES
    secured: bool = True
    project: str = ""

    @property
    def hourly(self) -> int:
        """What an hour is paid, in hundredths."""
        return round(self.reward * 60 / self.minutes)

    @property
    def rewards(self) -> int:
        """What all places are paid, in hundredths, without fees and tax."""
        return self.reward * self.places

    def check(self, *, tried_out: bool = False) -> None:
        """Raise InputError for what Prolific would refuse. `tried_out`: it is a stand-in on this machine, whose
        participants are here too.
        """
        for what, text, most in (
            ("name", self.name, LONGEST_NAME),
            ("description", self.description, LONGEST_DESCRIPTION),
        ):
            if not text.strip() or len(text) > most or "\0" in text:
                raise InputError(f"The {what} that participants read has 1 to {most:,} characters.")
        for what, number, most in (("places", self.places, MOST_PLACES), ("minutes", self.minutes, MOST_MINUTES)):
            if not 1 <= number <= most:
                raise InputError(f"The number of {what} lies between 1 and {most:,}, not {number:,}.")
        if self.reward < 1:
            raise InputError("A participant's reward is nothing; say first what is paid (Monitor, Payments).")
        if not self.devices or not set(self.devices) <= set(DEVICES):
            raise InputError(f"Choose the devices among {', '.join(DEVICES)}.")
        if not tried_out and (is_local(self.address) or not self.address.startswith("https://")):
            raise InputError(
                "Participants cannot open this server's address, or not safely; set FABULA_ADDRESS to the one that "
                "begins with https://."
            )

    def body(self) -> dict[str, Any]:
        """As the API takes it."""
        paragraphs = filter(None, (part.strip() for part in self.description.split("\n")))
        return {
            "name": self.name.strip(),
            "internal_name": self.internal_name,
            "description": "".join(f"<p>{html.escape(part, quote=False)}</p>" for part in paragraphs),
            "external_study_url": self.address,
            **({"is_external_study_url_secure": True} if self.secured else {}),  # which not every workspace knows
            "prolific_id_option": "url_parameters",
            "completion_codes": [code.body() for code in self.codes],
            "total_available_places": self.places,
            "estimated_completion_time": self.minutes,
            "reward": self.reward,
            "device_compatibility": list(self.devices),
            "peripheral_requirements": [],
            "filters": [],
            **({"project": self.project.strip()} if self.project.strip() else {}),
        }


def proposed(study: Study, numbers: Numbers, address: str, changes: Mapping[str, Any]) -> Draft:
    """The draft of a study whose participants come to `address`; `changes`: what somebody wants otherwise, by field.

    Raises InputError where the study is not on Prolific, and for a length of time or a reward that nobody has said.
    """
    if study.recruitment.platform != PROLIFIC:
        raise InputError("This study takes nobody from Prolific; choose it under Recruit on the study's page People.")
    wanted = {name: value for name, value in changes.items() if value is not None}
    minutes = wanted.get("minutes", numbers.whole_minutes)
    if minutes is None:
        raise InputError("Nobody has handed anything in yet, so Fabula knows no pace; say how many minutes it takes.")
    if numbers.reward is None:
        raise InputError("Say first what is paid (Monitor, Payments): the reward is that, times what a person can do.")
    wording = study.scheme.wording
    draft = Draft(
        name="Read and rate short stories",
        internal_name=study.name,
        description=wording.task if len(study.scheme.criteria) == 1 else wording.task_of_criteria,
        address=address,
        places=numbers.places,
        minutes=minutes,
        reward=numbers.reward,
        codes=codes_of(study),
        secured=study.recruitment.secured,
    )
    return replace(draft, **wanted)


def codes_of(study: Study) -> tuple[CompletionCode, ...]:
    """Every end's code with its action: whoever may have handed something in is reviewed, others are asked to return.

    People who are paused by rule come to "not qualified" with work handed in, so with that rule it is reviewed.
    """
    reviewed = {End.COMPLETE, End.EXPIRED}
    if study.rules.pause_after and study.scheme.controls:
        reviewed.add(End.NOT_QUALIFIED)
    return tuple(
        CompletionCode(end, study.codes[end], REVIEW)
        if end in reviewed
        else CompletionCode(end, study.codes[end], RETURN, _RETURN_REASONS[end])
        for end in End
        if end in study.codes
    )
