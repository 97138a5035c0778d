"""Money in hundredths: what is promised holds, and nothing is lost to rounding."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.payments import Pay, Rate, Sums, check_currency, in_hundredths, money, pay_from

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@given(st.integers(0, 999_999))
def test_an_amount_as_written_is_read_exactly(hundredths: int) -> None:
    written = f"{Decimal(hundredths) / 100:.2f}"
    assert in_hundredths(written, "pay") == hundredths
    assert in_hundredths(f" {written.replace('.', ',')} ", "pay") == hundredths
    assert money(hundredths, "EUR").replace(",", "") == f"{written} EUR"


@pytest.mark.parametrize(
    "amount", ["", "a lot", "-1", "1.005", "NaN", "Infinity", "10000", "1e9", "1,500", "1,000.50", "1,", ",5", "0x10"]
)
def test_what_is_no_amount_is_refused_in_one_sentence(amount: str) -> None:
    with pytest.raises(InputError, match="The bonus"):
        in_hundredths(amount, "bonus")


def test_an_amount_that_is_too_long_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as refused:
        in_hundredths("9" * 10_000, "pay")
    assert len(str(refused.value)) < 200


def test_currencies() -> None:
    assert check_currency(" eur ") == "EUR"
    for code in ("", "EURO", "E1R", "€", "=1+1"):
        with pytest.raises(InputError, match="three letters"):
            check_currency(code)


def test_a_new_rate_holds_from_its_moment_on() -> None:
    pay = Pay().changed(150, "EUR", None).changed(200, "EUR", NOON)
    assert [pay.hundredths(NOON + timedelta(seconds=s)) for s in (-86_400, -1, 0, 1)] == [150, 150, 200, 200]
    assert pay.amount == Decimal("2.00")
    assert pay_from(pay.as_dict()) == pay
    assert pay.changed(300, "EUR", None).rates == (Rate(300),)
    assert pay_from({}) == Pay()
    assert (Pay().amount, Pay().hundredths(NOON)) == (None, 0)


def test_the_first_rate_is_for_everything() -> None:
    assert Pay().changed(150, "USD", NOON).hundredths(NOON - timedelta(days=1)) == 150


def test_sums_add_up() -> None:
    both = Sums(owed=150, bonus=50, bonus_paid=20) + Sums(owed_panels=2, owed=100, paid=7)
    assert both == Sums(owed_panels=2, owed=250, paid=7, bonus=50, bonus_paid=20)
    assert both.due == 280


def test_money_as_people_read_it() -> None:
    assert [money(n, "GBP") for n in (0, 5, 123_456, -150)] == ["0.00 GBP", "0.05 GBP", "1,234.56 GBP", "−1.50 GBP"]
    assert money(150, "") == "1.50"
