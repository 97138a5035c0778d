"""What doubling costs."""

import pytest

from core.analysis.correlation.cost import advice_sentence, price, price_sentence, width_text
from core.analysis.correlation.sample_size import Extrapolation, extrapolation
from core.annotation.unit import Unit
from core.payments import Pay, Rate
from tests.core.analysis.correlation.sample_size import noisy_study

PAY = Pay("EUR", (Rate(100), Rate(150)))


def test_a_panel_holds_all_stories_of_a_prompt() -> None:
    result = extrapolation(*noisy_study(300, 4, noise=1.0))
    panels = price(result, Unit.PANEL, PAY)
    single = price(result, Unit.STORY, PAY)
    assert panels is not None
    assert single is not None
    assert (panels.ratings, panels.panels, panels.hundredths) == (1200, 240, 36_000)
    assert (single.ratings, single.panels, single.hundredths) == (1200, 1200, 180_000)
    assert price_sentence(panels, PAY) == (
        "Either doubling takes 1,200 further ratings: 240 valid panels, 360.00 EUR at 1.50 EUR each. "
        "Rejected panels come on top."
    )


def test_no_price_without_pay_or_data() -> None:
    assert price(extrapolation(*noisy_study(300, 4, noise=1.0)), Unit.PANEL, Pay()) is None
    assert price(Extrapolation(0, 0, 0, undefined="nothing"), Unit.PANEL, PAY) is None


def test_the_sentence_gives_its_numbers() -> None:
    result = extrapolation(*noisy_study(300, 4, noise=1.0))
    text = advice_sentence(result)
    assert width_text(result.now.width) in text
    assert "by the normal approximation" in text
    assert "(8 instead of 4)" in text
    assert text.endswith("pay for stories.")


@pytest.mark.parametrize(("width", "text"), [(0.1234, "0.123"), (0.02, "0.020"), (0.01234, "0.0123")])
def test_small_widths_keep_their_digits(width: float, text: str) -> None:
    assert width_text(width) == text
