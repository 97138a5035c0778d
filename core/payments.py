"""What a study pays: an amount per panel, by when it was handed in, and sums. Money is counted in hundredths."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from core.errors import InputError

MOST = Decimal(10_000)
"""A panel's or a bonus's amount lies below that: more is a slip of the keyboard."""
_CURRENCY = re.compile(r"[A-Z]{3}")
_COMMA = re.compile(r"[0-9]+,[0-9]{1,2}")


@dataclass(frozen=True)
class Rate:
    """What a panel is paid, in hundredths, from a moment on; `since` None: from the study's beginning."""

    hundredths: int
    since: datetime | None = None


@dataclass(frozen=True)
class Pay:
    """What a study pays for a panel; no rates: nobody has said.

    A person is owed what was promised when they handed in, so a new rate holds from then on and the earlier ones stay.
    `rates`: the oldest first. `currency`: three letters, ISO 4217.
    """

    currency: str = ""
    rates: tuple[Rate, ...] = ()

    @property
    def amount(self) -> Decimal | None:
        """What a panel handed in now is paid."""
        return Decimal(self.rates[-1].hundredths) / 100 if self.rates else None

    def hundredths(self, at: datetime) -> int:
        """What a panel handed in at this moment (UTC) is paid; 0 where nothing was said."""
        return next((rate.hundredths for rate in reversed(self.rates) if rate.since is None or rate.since <= at), 0)

    def changed(self, hundredths: int, currency: str, since: datetime | None) -> "Pay":
        """Return the pay with another rate from `since` on; None: one rate for everything."""
        if since is None or not self.rates:
            return Pay(currency, (Rate(hundredths),))
        return Pay(currency, (*self.rates, Rate(hundredths, since)))

    def text(self, hundredths: int) -> str:
        """A sum of this study's money, as people read it."""
        return money(hundredths, self.currency)

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        rates = [[rate.hundredths, rate.since.isoformat() if rate.since else None] for rate in self.rates]
        return {"currency": self.currency, "rates": rates}


@dataclass(frozen=True)
class Sums:
    """Of a person or a study: panels and money (hundredths) owed, paid, withheld; bonuses, and what is paid of them."""

    owed_panels: int = 0
    paid_panels: int = 0
    withheld_panels: int = 0
    owed: int = 0
    paid: int = 0
    withheld: int = 0
    bonus: int = 0
    bonus_paid: int = 0

    @property
    def due(self) -> int:
        """What paying everything would pay: panels owed, and bonuses that were not paid yet."""
        return self.owed + self.bonus - self.bonus_paid

    def __add__(self, other: "Sums") -> "Sums":
        """Both together."""
        return Sums(*(mine + others for mine, others in zip(vars(self).values(), vars(other).values(), strict=True)))


def pay_from(stored: Mapping[str, Any]) -> Pay:
    """The pay that `as_dict` stored; {} for none."""
    rates = tuple(
        Rate(hundredths, datetime.fromisoformat(since) if since else None)
        for hundredths, since in stored.get("rates", [])
    )
    return Pay(stored.get("currency", ""), rates)


def in_hundredths(amount: Decimal | str, what: str) -> int:
    """An amount of money in hundredths: 1.50, or 1,50 as much of the world writes it.

    Raises InputError, naming `what` it is, for anything but 0 to below `MOST`: a comma that could part thousands too.
    """
    if isinstance(amount, str) and _COMMA.fullmatch(amount.strip()):
        amount = amount.replace(",", ".")
    try:
        value = Decimal(amount)
    except InvalidOperation:
        raise InputError(f"The {what} is a number like 1.50, not {str(amount)[:40]!r}.") from None
    if not value.is_finite() or not 0 <= value < MOST or value * 100 != int(value * 100):
        raise InputError(f"The {what} lies between 0 and {MOST - 1:,}, with at most two decimals; it is {value:.40}.")
    return int(value * 100)


def check_currency(code: str) -> str:
    """The code in capitals; raises InputError unless it has three letters."""
    result = code.strip().upper()
    if not _CURRENCY.fullmatch(result):
        raise InputError("A currency is a code of three letters, like EUR, USD or GBP.")
    return result


def money(hundredths: int, currency: str) -> str:
    """A sum as people read it, e.g. 1,234.50 EUR."""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'−' if hundredths < 0 else ''}{whole:,}.{rest:02d} {currency}".rstrip()
