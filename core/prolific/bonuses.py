"""Bonuses paid by Prolific: set up, confirmed by a person, and paid once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.errors import InputError, PlatformError
from core.payments import money
from core.prolific.client import Prolific

MOST = 200
"""Bonuses in one payment, as Prolific recommends."""
UNKNOWN = (
    "Whether Prolific has paid these bonuses is not known. Look at the submissions there in some minutes, then say "
    "whether they were paid: no other is sent until you have."
)


@dataclass(frozen=True)
class Bonus:
    """What is still to be paid to an annotator, by the submission that they came with."""

    annotator: int
    submission_id: str
    hundredths: int


@dataclass(frozen=True)
class BonusPayment:
    """A payment that is set up on Prolific; `total`: what it takes from the account, with fees and tax, in hundredths.

    `later`: bonuses that did not fit in: beyond `MOST`, or of another study on Prolific.
    """

    id: str
    bonuses: tuple[Bonus, ...]
    total: int
    later: int = 0

    @property
    def amount(self) -> int:
        """What the participants get, in hundredths."""
        return amount_of(self.bonuses)


def amount_of(bonuses: Sequence[Bonus]) -> int:
    """What they are together, in hundredths."""
    return sum(bonus.hundredths for bonus in bonuses)


def as_rows(bonuses: Sequence[Bonus]) -> str:
    """As the API takes them: a line each, with two decimals."""
    return "\n".join(f"{bonus.submission_id},{Decimal(bonus.hundredths) / 100:.2f}" for bonus in bonuses)


def set_up(prolific: Prolific, due: Sequence[Bonus]) -> BonusPayment:
    """Set a payment up, of those that belong to the first one's study on Prolific; nothing is paid.

    Raises InputError where nothing is due and where Prolific has understood another sum, PlatformError.
    """
    if not due:
        raise InputError("No bonus of a participant from Prolific is due.")
    study_id, chosen = "", list[Bonus]()
    for bonus in due[:MOST]:
        theirs = prolific.submission(bonus.submission_id).study_id
        study_id = study_id or theirs
        if theirs == study_id:
            chosen.append(bonus)
    made = prolific.set_up_bonuses(study_id, as_rows(chosen))
    payment = BonusPayment(made.id, tuple(chosen), made.total, len(due) - len(chosen))
    if made.amount != payment.amount:
        raise InputError(
            f"Prolific has understood other sums: {money(made.amount, '')} in all, not {money(payment.amount, '')}. "
            "Nothing was paid."
        )
    return payment


def pay(
    prolific: Prolific, payment: BonusPayment, begin: Callable[[BonusPayment], None], end: Callable[[bool], None]
) -> None:
    """Pay what is set up. `begin` keeps beforehand that it is being paid; `end` keeps whether it was.

    Raises PlatformError: where Prolific has refused, `end` has kept that; where nobody knows, it is left to a person.
    """
    begin(payment)
    try:
        prolific.pay_bonuses(payment.id)
    except PlatformError as error:
        if error.certain:
            end(False)
            raise
        raise PlatformError(f"{error} {UNKNOWN}", certain=False, general=True) from None
    end(True)
