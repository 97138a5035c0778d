"""A study's scores and judgments side by side, ready for an analysis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from core.arrays import Bools, Floats, Ints, finite
from core.stored_texts import strings_at, words_of

IMPORTED = "file:"
"""How the signature of scores begins that another program made."""
RATED, WON = "mean rating", "share of comparisons won"
OF_A_SYSTEM = f"mean {WON}"
"""What the human judgment of a story is, in words."""

OWN_REFERENCE = "the story is its own reference"
"""Why a story has no score of a metric that would compare it with itself: it took a BLEU from .12 to .52 once."""
NOT_YET = "there is no score yet"
"""Why a story has none where no reason is stored."""


def judgment_of(judgment: str, whose: str) -> str:
    """`mean rating of a story`, `share of comparisons won by a story`."""
    return f"{judgment} {'by' if judgment.endswith(WON) else 'of'} {whose}"


class RatingChoice(StrEnum):
    """Whose ratings make up the human judgment."""

    VALID = "Valid ones"
    ALL = "With rejected panels"


@dataclass(frozen=True)
class ScoreColumn:
    """One metric's scores, one a story in the table's order, NaN where there is none; reasons by index.

    `weights`: of the stories in a system's mean, where they do not count alike; NaN where there is no score.
    """

    metric: str
    signature: str
    values: Floats
    reasons: Mapping[int, str]
    weights: Floats | None = None

    @property
    def scored(self) -> int:
        """How many stories have a number."""
        return finite(self.values)

    @property
    def own_references(self) -> int:
        """How many stories are left out because they would be compared with themselves, in a blend's part too."""
        return sum(reason.endswith(OWN_REFERENCE) for reason in self.reasons.values())

    def take(self, rows: Ints) -> "ScoreColumn":
        """Of these stories alone, numbered anew."""
        reasons = {}
        if self.reasons:
            reasons = {new: self.reasons[old] for new, old in enumerate(rows.tolist()) if old in self.reasons}
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, values=self.values[rows], reasons=reasons, weights=weights)


@dataclass(frozen=True)
class PairColumn:
    """What one judge says of pairs of stories, each pair once: `first`, `second`: their keys; `prompts`: theirs.

    `forward`, `backward`: -1 the first story is better, 0 both are equal, 1 the second is, as said with the first
    shown first, and with the second shown first; NaN where nothing is said, for the `reasons` (by index) that are kept.
    """

    metric: str
    signature: str
    prompts: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    forward: Floats
    backward: Floats
    reasons: Mapping[int, str]

    @property
    def answered(self) -> Bools:
        """Of which pairs it has said something in both orders."""
        return np.asarray(np.isfinite(self.forward) & np.isfinite(self.backward))

    @property
    def verdicts(self) -> Floats:
        """What it comes to: where the orders disagree, it has called both equal; NaN where one of them is missing."""
        return np.where(self.answered, np.where(self.forward == self.backward, self.forward, 0.0), np.nan)


def _none() -> Floats:
    return np.empty((0, 0))


@dataclass(frozen=True)
class ScoreTable:
    """The systems' stories of a study in import order; those that name no system are of NAMELESS. Of an analysis of
    pairs people's stories too, whose system is "human".

    `human`: the mean of each story's ratings, NaN where there is none. `ratings` (stories x the most ratings that a
    story has): the ratings themselves, from the left, NaN where a story has fewer; 0 x 0 where they were not asked
    for. `averaged`: how many raters are behind those of each story's ratings that came as means, which are in `human`
    and not in `ratings`; empty where there are none. `votes`: by error type, how many of a story's ratings give it;
    every type of the scheme. `compared`: the judgments are shares of comparisons won, and `averaged` says of how many.
    `criteria`: where the scheme has several, each story's mean rating on every one of them, NaN where there is none;
    `criterion`: which of these `human` is of, or which mean of them. `under_way`: the names of metrics that have scores
    still to come.
    """

    keys: Sequence[str]
    prompts: Sequence[str]
    systems: Sequence[str]
    texts: Sequence[str]
    human: Floats
    columns: tuple[ScoreColumn, ...]
    ratings: Floats = field(default_factory=_none)
    votes: Mapping[str, Ints] = field(default_factory=dict)
    averaged: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    criteria: Mapping[str, Floats] = field(default_factory=dict)
    compared: bool = False
    criterion: str = ""
    under_way: frozenset[str] = frozenset()

    def is_under_way(self, column: ScoreColumn) -> bool:
        """Whether its metric has scores still to come; a judge is one of each criterion: `judge:coherence`."""
        return not self.under_way.isdisjoint((column.metric, column.metric.partition(":")[0]))

    @property
    def on(self) -> str:
        """For behind "people" or "r": on which of several criteria; "" where there is one."""
        return f" on {self.criterion}" if self.criterion else ""

    @property
    def judgment(self) -> str:
        """What a story's human judgment is, in words."""
        return WON if self.compared else RATED

    @property
    def words(self) -> Ints:
        """How many words each story has, as white space separates them."""
        return words_of(self.texts)

    @property
    def rated(self) -> int:
        """How many stories have a human judgment."""
        return finite(self.human)

    @property
    def behind(self) -> Ints:
        """How many ratings each story's judgment rests on, those behind means too."""
        single = np.isfinite(self.ratings).sum(1) if len(self.ratings) else np.zeros(len(self.keys), dtype=np.intp)
        return single + self.averaged if len(self.averaged) else single

    @property
    def given(self) -> int:
        """How many ratings there are together, those behind means too."""
        return int(self.behind.sum())

    def take(self, rows: Ints) -> "ScoreTable":
        """Of these stories alone, by their numbers."""
        return ScoreTable(
            strings_at(self.keys, rows),
            strings_at(self.prompts, rows),
            strings_at(self.systems, rows),
            strings_at(self.texts, rows),
            self.human[rows],
            tuple(column.take(rows) for column in self.columns),
            self.ratings[rows] if len(self.ratings) else self.ratings,
            {name: votes[rows] for name, votes in self.votes.items()},
            self.averaged[rows] if len(self.averaged) else self.averaged,
            {name: means[rows] for name, means in self.criteria.items()},
            self.compared,
            self.criterion,
            self.under_way,
        )
