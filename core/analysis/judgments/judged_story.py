"""A rated story and its ratings, one by one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating of a story: the overall one, and the names of the error types given.

    `annotator`: who gave it, None where an import hides that. `panel`: the assignment it belongs to. `position`: the
    story's place in that panel as it was shown, from 1; None for imports. `points`: taken off, by error type; none
    where the scheme takes none. `times`: how many ratings of this story by this annotator it is the mean of. `raters`:
    how many raters' mean it came as, 1 of a single rating. `compared`: it is the share of so many comparisons that the
    story won.
    """

    overall: float
    error_types: frozenset[str] = frozenset()
    annotator: int | None = None
    panel: int | None = None
    position: int | None = None
    points: tuple[tuple[str, int], ...] = ()
    times: int = 1
    raters: int = 1
    compared: bool = False


@dataclass(frozen=True)
class JudgedStory:
    """A rated story: the ratings that count (possibly none), and those of rejected panels.

    `group`: its system, or its source where no system wrote it. `control`: it is in the panels only to judge them.
    """

    prompt: str
    group: str
    ratings: tuple[Rating, ...]
    control: bool = False
    rejected: tuple[Rating, ...] = ()

    @property
    def mean(self) -> float:
        """Mean overall rating: the human judgment. Of a story with no rating that counts there is none.

        A mean of several raters weighs as many ratings.
        """
        return sum(rating.overall * rating.raters for rating in self.ratings) / self.behind

    @property
    def behind(self) -> int:
        """How many ratings its judgment rests on, those behind means too."""
        return sum(rating.raters for rating in self.ratings)

    @property
    def rejected_single(self) -> tuple[Rating, ...]:
        """Those of rejected panels, where they are ratings of one person each."""
        return tuple(rating for rating in self.rejected if not rating.compared)

    @property
    def single(self) -> tuple[Rating, ...]:
        """The ratings without those that came as means, or are shares of comparisons won."""
        return tuple(rating for rating in self.ratings if rating.raters == 1 and not rating.compared)
