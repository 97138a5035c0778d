"""What a plan is asked, and what it answers: designs with different numbers of ratings a story, and their price."""

from dataclasses import dataclass, field, replace

from core.analysis.correlation.cost import price_of
from core.annotation.unit import Unit
from core.errors import InputError
from core.payments import Pay
from core.settings import setting

RATINGS = (1, 2, 3, 5, 7)
"""A story, of the designs that are compared."""
MOST_SYSTEMS = 100


@dataclass(frozen=True)
class Setup:
    """What all designs share: each prompt has one story of every system, and every story as many ratings.

    `prompts`: how many there are, None for as many as it takes. `pay`: of a panel, which holds all stories of a prompt
    where the `unit` is the panel, and else one. `story_hundredths`: what a story costs, in hundredths.
    """

    systems: int = setting(2, "Systems that each prompt has a story of.", label="Systems", least=2, most=MOST_SYSTEMS)
    power: float = setting(0.8, "How likely the difference is to be found if it is there.", label="Power")
    alpha: float = setting(0.05, "How likely one is found that is not there.", label="Alpha")
    corrected: bool = setting(
        True,
        "Divide alpha by the pairs of systems, as Holm's first step and Bonferroni do.",
        label="Correct for all pairs of systems",
    )
    prompts: int | None = setting(
        None, "Prompts that you have: also what difference they can show.", label="Prompts that you have", least=2
    )
    unit: Unit = Unit.PANEL
    pay: Pay = field(default_factory=Pay)
    story_hundredths: int = 0

    def checked(self) -> "Setup":
        """Itself; raises InputError for what cannot be planned with."""
        if not 2 <= self.systems <= MOST_SYSTEMS:
            raise InputError(f"A plan compares 2 to {MOST_SYSTEMS} systems, not {self.systems}.")
        if not 0 < self.alpha < 0.5:
            raise InputError(f"Alpha lies between 0 and .5, such as .05; it is {self.alpha:g}.")
        if not self.alpha < self.power < 1 or self.power > 0.999:
            raise InputError(f"The power lies between alpha and .999, such as .8; it is {self.power:g}.")
        if self.prompts is not None and self.prompts < 2:
            raise InputError(f"A design has two prompts or more, not {self.prompts}.")
        return self

    @property
    def pairs(self) -> int:
        """How many pairs of systems there are."""
        return self.systems * (self.systems - 1) // 2

    @property
    def level(self) -> float:
        """The alpha of one pair of systems."""
        return self.alpha / self.pairs if self.corrected else self.alpha

    @property
    def priced(self) -> bool:
        """Whether a design costs money, as far as anybody has said."""
        return bool(self.pay.rates) or self.story_hundredths > 0


@dataclass(frozen=True)
class Design:
    """So many `ratings` a story. `prompts`: needed to see the difference, None where it takes more than anybody has.

    `total`: ratings in all; `hundredths`: their price and that of the stories, None where nobody has said what is paid.
    `seen`: the least difference that the prompts there are can show; None where their number was not said, or none is
    large enough. `within`: whether it needs no more prompts than there are. `cheapest`: of those, by price or else by
    ratings.
    """

    ratings: int
    prompts: int | None
    stories: int | None = None
    total: int | None = None
    panels: int | None = None
    hundredths: int | None = None
    seen: float | None = None
    within: bool = True
    cheapest: bool = False


def design(setup: Setup, ratings: int, prompts: int | None, seen: float | None) -> Design:
    """The design with its totals and its price."""
    if prompts is None:
        return Design(ratings, None, seen=seen, within=False)
    stories = prompts * setup.systems
    held = float(setup.systems) if setup.unit.of_prompt else 1.0
    cost = price_of(stories * ratings, held, setup.pay)
    money = cost.hundredths + stories * setup.story_hundredths if setup.priced else None
    within = setup.prompts is None or prompts <= setup.prompts
    return Design(ratings, prompts, stories, cost.ratings, cost.panels, money, seen, within)


def with_cheapest(designs: list[Design]) -> tuple[Design, ...]:
    """The designs, the cheapest that can be had marked: the first of equal ones."""
    possible = [one for one in designs if one.within]
    if not possible:
        return tuple(designs)
    best = min(possible, key=lambda one: (one.hundredths or 0, one.total or 0))
    return tuple(replace(one, cheapest=one is best) for one in designs)
