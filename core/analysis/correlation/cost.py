"""Whether more data is worth its price: what doubling the stories, or the ratings per story, would bring and cost."""

from dataclasses import dataclass
from math import ceil

from core.analysis.correlation.sample_size import Advice, Extrapolation, SampleSizeStep
from core.annotation.unit import Unit
from core.payments import Pay
from core.wording import digits, real_minus

FINE = 0.02
"""Widths below this are written with four decimals."""
VERDICTS = {
    Advice.STORIES: "Rating more stories tells more than as many further ratings of these: pay for stories.",
    Advice.RATINGS: "Rating these stories again tells more than as many ratings of others: pay for ratings.",
    Advice.EITHER: "More stories, or more ratings of these, tell about as much for the same number of further ratings; "
    "rating again needs no new stories.",
    Advice.UNKNOWN: "Whether more stories or more ratings of these tell more cannot be said.",
}


@dataclass(frozen=True)
class Price:
    """What something costs: ratings, panels, and money in hundredths."""

    ratings: int
    panels: int
    hundredths: int


def price(more: Extrapolation, unit: Unit, pay: Pay) -> Price | None:
    """What doubling costs, whether of stories or of ratings, at the study's present rate; None where it pays nothing or
    nothing is collected.

    A panel holds all stories of a prompt where the study's unit is the panel, else one. Rejected panels come on top.
    """
    if more.undefined or not pay.rates:
        return None
    held = more.stories / more.prompts if unit.of_prompt else 1.0
    return price_of(more.stories * more.ratings, held, pay)


def price_of(ratings: int, held: float, pay: Pay) -> Price:
    """What so many ratings cost, `held` in a panel, at the present rate; no money where nothing is paid."""
    panels = ceil(ratings / held - 1e-9)
    return Price(ratings, panels, panels * pay.rates[-1].hundredths if pay.rates else 0)


def width_text(width: float) -> str:
    """A width with as many decimals as it needs."""
    return digits(width, ".3f") if width >= FINE else digits(width, ".4f")


def _r(step: SampleSizeStep) -> str:
    return real_minus(digits(step.r, ".3f"))


def _first(steps: tuple[SampleSizeStep, ...]) -> SampleSizeStep:
    return next(step for step in steps if step.extrapolated)


def advice_opening(more: Extrapolation) -> str:
    """Where the same number of further ratings tells more; without that, what twice as many stories would bring.

    Of a defined extrapolation.
    """
    if more.no_ratings is None and more.advice is not Advice.UNKNOWN:
        return VERDICTS[more.advice]
    return (
        f"Twice as many stories would bring the 95 % interval of r from a width of {width_text(more.now.width)} to "
        f"about {width_text(_first(more.by_stories).width)}."
    )


def advice_sentence(more: Extrapolation) -> str:
    """Whether more ratings or more stories are worth their price, in plain words with their numbers."""
    if more.undefined:
        return f"Undefined: {more.undefined}."
    now, twice = more.now, _first(more.by_stories)
    stories = (
        f"The 95 % interval of r is {width_text(now.width)} wide at {more.stories:,} stories by the normal "
        "approximation, and a little wider or narrower by the bootstrap of the other tabs. Twice as many stories would "
        f"make it about {width_text(twice.width)}"
    )
    if more.no_ratings:
        return f"{stories}. What more ratings a story would do cannot be told: {more.no_ratings}."
    again = _first(more.by_ratings)
    return (
        f"{stories}; twice as many ratings a story ({again.size} instead of {more.ratings}) about "
        f"{width_text(again.width)}, with r going from {_r(now)} to about {_r(again)} as noise is averaged out. "
        f"{VERDICTS[more.advice]}"
    )


def price_sentence(cost: Price, pay: Pay) -> str:
    """What doubling costs, in a sentence."""
    return (
        f"Either doubling takes {cost.ratings:,} further ratings: {cost.panels:,} valid panels, "
        f"{pay.text(cost.hundredths)} at {pay.text(pay.rates[-1].hundredths)} each. Rejected panels come on top."
    )
