"""The target of an analysis: which of a study's criteria, or which mean of several, is the human judgment."""

from dataclasses import dataclass

from core.annotation.criterion import OVERALL, PREFERENCE, Criterion
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.scores import WON

MEAN = "mean:"


@dataclass(frozen=True)
class Target:
    """What metrics are held against: one criterion, or the mean of several that one rater gave of one story."""

    criteria: tuple[str, ...]

    @property
    def text(self) -> str:
        """As `--target` and the address write it."""
        return self.criteria[0] if len(self.criteria) == 1 else MEAN + ",".join(self.criteria)

    @property
    def is_preference(self) -> bool:
        """Whether it is which of two stories was preferred: then a story's ratings are its comparisons, each won (1),
        lost (0) or neither (.5).
        """
        return self.criteria == (PREFERENCE,)

    @property
    def title(self) -> str:
        """What it is called on a page and in a figure."""
        if self.criteria == (OVERALL,):
            return "overall rating"
        if self.is_preference:
            return WON
        if len(self.criteria) == 1:
            return self.criteria[0]
        return f"mean of {', '.join(self.criteria[:-1])} and {self.criteria[-1]}"


def usual_target(scheme: Scheme) -> Target:
    """The overall rating where the scheme asks for one, else its first criterion; of pairs, what is preferred."""
    return Target((scheme.main.name,))


def target_of(scheme: Scheme, text: str | None) -> Target:
    """Read `overall`, the name of a criterion, `mean:A,B` or `preference`; nothing is the usual one.

    Raises InputError, naming the targets there are, for one that the scheme does not have.
    """
    if text is None or not text.strip():
        return usual_target(scheme)
    wanted = text.strip()
    if not wanted.casefold().startswith(MEAN):
        return Target((scheme.criterion(wanted).name,))
    names = [scheme.criterion(part).name for part in wanted[len(MEAN) :].split(",")]
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise InputError("A mean is of two or more different criteria, such as mean:coherence,empathy.")
    return Target(tuple(names))


def on_target(scheme: Scheme, target: Target) -> Scheme:
    """The scheme as an analysis of this target sees it: that one question alone, on its scale.

    Raises InputError for the mean of criteria on several scales.
    """
    if target.is_preference:
        return scheme.asking(Criterion(PREFERENCE, scheme.question, ((0, "Lost"), (1, "Won")), "interval"))
    criteria = [scheme.criterion(name) for name in target.criteria]
    if len(criteria) == 1:
        return scheme.asking(criteria[0])
    first = criteria[0]
    if any(criterion.steps != first.steps for criterion in criteria):
        raise InputError(f"The {target.title} would mix scales; choose criteria that are rated on the same one.")
    return scheme.asking(Criterion("mean of criteria", f"The {target.title}.", first.scale, "interval"))
