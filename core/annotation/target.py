"""The target of an analysis: which of a study's criteria, or which mean of several, is the human judgment."""

from dataclasses import dataclass, replace

from core.annotation.criterion import OVERALL, PREFERENCE, Criterion
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.scores import WON

MEAN = "mean:"
_MEAN_OF, _OVERALL, _BESIDE_PEOPLE = "mean of ", "overall rating", "comparison with the human story"
_COMPARED = {
    -3: "Far worse than",
    -2: "Much worse than",
    -1: "Worse than",
    0: "As good as",
    1: "Better than",
    2: "Much better than",
    3: "Far better than",
}


@dataclass(frozen=True)
class Target:
    """What metrics are held against: one criterion, or the mean of several that one rater gave of one story."""

    criteria: tuple[str, ...]
    beside_people: bool = False
    """Of pairs in which every system's story stands beside a human one: how it compares with that, which is a rating
    of it like any other, since what it is compared with is always the same.
    """

    @property
    def text(self) -> str:
        """As `--target` and the address write it."""
        return self.criteria[0] if len(self.criteria) == 1 else MEAN + ",".join(self.criteria)

    @property
    def is_preference(self) -> bool:
        """Whether it is which of two stories was preferred: then a story's ratings are its comparisons, each won (1),
        lost (0) or neither (.5).
        """
        return self.criteria == (PREFERENCE,) and not self.beside_people

    @property
    def title(self) -> str:
        """What it is called on a page and in a figure."""
        if self.criteria == (OVERALL,):
            return _OVERALL
        if self.beside_people:
            return _BESIDE_PEOPLE
        if self.is_preference:
            return WON
        if len(self.criteria) == 1:
            return self.criteria[0]
        return f"{_MEAN_OF}{', '.join(self.criteria[:-1])} and {self.criteria[-1]}"


def in_a_sentence(title: str) -> str:
    """The title of a target behind a preposition: criteria are names, what is made of them or beside them is not."""
    return f"the {title}" if title.startswith((_MEAN_OF, _OVERALL, _BESIDE_PEOPLE)) else title


def one_of_several(scheme: Scheme, target: Target) -> str:
    """What it is called beside other criteria; "" where the scheme has no others."""
    return target.title if len(scheme.criteria) > 1 else ""


def usual_target(scheme: Scheme) -> Target:
    """The overall rating where the scheme asks for one, else its first criterion; of pairs, what is preferred."""
    return _of(scheme, scheme.main.name)


def _of(scheme: Scheme, name: str) -> Target:
    return Target((name,), beside_people=scheme.pairs is not None and scheme.pairs.against_human)


def target_of(scheme: Scheme, text: str | None) -> Target:
    """Read `overall`, the name of a criterion, `mean:A,B` or `preference`; nothing is the usual one.

    Raises InputError, naming the targets there are, for one that the scheme does not have.
    """
    if text is None or not text.strip():
        return usual_target(scheme)
    wanted = text.strip()
    if not wanted.casefold().startswith(MEAN):
        return _of(scheme, scheme.criterion(wanted).name)
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
    if target.beside_people:
        return _beside_people(scheme)
    criteria = [scheme.criterion(name) for name in target.criteria]
    if len(criteria) == 1:
        return scheme.asking(criteria[0])
    first = criteria[0]
    if any(criterion.steps != first.steps for criterion in criteria):
        raise InputError(f"The {target.title} would mix scales; choose criteria that are rated on the same one.")
    return scheme.asking(Criterion("mean of criteria", f"The {target.title}.", first.scale, "interval"))


def question_of(scheme: Scheme, target: Target) -> str:
    """What the form asks people for this target; "" of a mean of several criteria, for which no form asks."""
    return "" if len(target.criteria) > 1 else on_target(scheme, target).question


def _beside_people(scheme: Scheme) -> Scheme:
    """What pairs say of a system's story: how it compares with the human one, and the Turing score M1 of a system, the
    share of its ratings in which it is at least as good (Perception Score, 2020).
    """
    steps = scheme.main.steps
    scale = tuple((step, f"{_COMPARED[step]} the human story") for step in steps)
    asked = scheme.asking(Criterion(PREFERENCE, scheme.question, scale, scheme.level))
    return replace(asked, shares=(("m1", tuple(step for step in steps if step >= 0)),))
