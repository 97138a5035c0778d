"""Decisions about submissions, sent to Prolific one after the other, each kept as soon as it is done there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.errors import FabulaError, PlatformError
from core.formats.prolific import Decision, Submission
from core.prolific.client import APPROVED, AWAITING_REVIEW, REJECTED, Prolific


class Outcome(StrEnum):
    """What became of a decision that was to be sent."""

    SENT = "sent"
    WAS_SO = "was so already"
    """Decided so on Prolific before: by hand there, or by a sending that broke off after it."""
    LEFT = "left"


@dataclass(frozen=True)
class SentDecision:
    """One decision and what became of it; `remark`: why it was left."""

    submission: Submission
    outcome: Outcome
    remark: str = ""


@dataclass(frozen=True)
class Sending:
    """What became of a review: the decisions that were gone through, and the sentence that stopped it, if any."""

    decisions: tuple[SentDecision, ...]
    stopped: str = ""

    def number(self, outcome: Outcome) -> int:
        """How many decisions came to this."""
        return sum(decision.outcome is outcome for decision in self.decisions)


def send(
    prolific: Prolific,
    submissions: Sequence[Submission],
    keep: Callable[[Submission], None],
    on_progress: Callable[[int], object],
) -> Sending:
    """Send each decision and call `keep` with it once Prolific has it; `on_progress` gets how many are gone through.

    Where a submission stands is asked first, so that one which is decided already is kept and not sent again. One that
    Prolific refuses is left with a remark; what would befall the next one too stops the rest, and what was done until
    then is kept: sent again, it goes on from there.
    """
    done: list[SentDecision] = []
    for submission in submissions:
        try:
            result = _decide(prolific, submission)
            if result.outcome is not Outcome.LEFT:
                keep(submission)
        except PlatformError as error:
            if error.general:
                return Sending(tuple(done), str(error))
            result = SentDecision(submission, Outcome.LEFT, str(error))
        except FabulaError as error:
            return Sending(tuple(done), str(error))
        done.append(result)
        on_progress(len(done))
    return Sending(tuple(done))


def _decide(prolific: Prolific, submission: Submission) -> SentDecision:
    wanted = APPROVED if submission.decision is Decision.APPROVE else REJECTED
    status = prolific.submission(submission.submission_id).status
    if status == wanted:
        return SentDecision(submission, Outcome.WAS_SO)
    if status != AWAITING_REVIEW:
        return SentDecision(submission, Outcome.LEFT, f"On Prolific it is {status.lower()}, not awaiting review.")
    if submission.decision is Decision.APPROVE:
        prolific.approve(submission.submission_id)
    else:
        prolific.reject(submission.submission_id, submission.category, submission.reason)
    return SentDecision(submission, Outcome.SENT)
