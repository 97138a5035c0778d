"""Preferences: which of two stories of the same prompt people find better, or that both are about equal."""

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Bools, Ints
from core.errors import InputError
from core.stories import NAMELESS


@dataclass(frozen=True)
class Preferences:
    """Judgments of pairs of stories of the same prompt, one entry a judgment (n of them).

    `systems`: names, sorted; "human" is one where people's stories take part. `prompts`: keys of the prompts.
    `prompt` (n): index into `prompts`. `first`, `second` (n): index into `systems` of the side shown first (left) and
    second (right). `choice` (n): -k..k, below 0 where the first is better, 0 where both are equal, above 0 where the
    second is; its size is the strength. `first_story`, `second_story` (n): keys of the stories. `rater` (n): a number
    a rater, -1 where unknown. `sides_known`: whether `first` and `second` say on which side a story stood; where they
    do not, nothing can be said of sides.

    Raises InputError where lengths or indices do not fit, and where a system or a story stands against itself; only
    stories that name no system may be compared with one another.
    """

    systems: tuple[str, ...]
    prompts: tuple[str, ...]
    prompt: Ints
    first: Ints
    second: Ints
    choice: Ints
    first_story: tuple[str, ...]
    second_story: tuple[str, ...]
    rater: Ints
    sides_known: bool = True

    def __post_init__(self) -> None:
        columns = (self.first, self.second, self.choice, self.first_story, self.second_story, self.rater)
        if any(len(column) != self.judgments for column in columns):
            raise InputError("The columns of the preferences differ in length; give one entry a judgment in each.")
        for name, column, known in (
            ("prompt", self.prompt, len(self.prompts)),
            ("first system", self.first, len(self.systems)),
            ("second system", self.second, len(self.systems)),
        ):
            if wrong := np.flatnonzero((column < 0) | (column >= known)).tolist():
                raise InputError(
                    f"Judgment {wrong[0] + 1:,} has the {name} number {column[wrong[0]]}; "
                    f"there are {known:,}, numbered from 0."
                )
        same = [row for row in np.flatnonzero(~self.between).tolist() if self.systems[self.first[row]] != NAMELESS]
        if same:
            system = self.systems[self.first[same[0]]]
            raise InputError(
                f"Judgment {same[0] + 1:,} sets the system {system!r} against itself; compare two different systems."
            )
        for number, (one, other) in enumerate(zip(self.first_story, self.second_story, strict=True), start=1):
            if one == other:
                raise InputError(
                    f"Judgment {number:,} sets the story {one!r} against itself; compare two different stories."
                )

    @property
    def judgments(self) -> int:
        """How many judgments there are."""
        return len(self.prompt)

    @property
    def tied(self) -> Bools:
        """Of each judgment, whether both stories are equal in it."""
        return np.asarray(self.choice == 0)

    @property
    def between(self) -> Bools:
        """Of each judgment, whether it is between two systems; else neither story names one."""
        return np.asarray(self.first != self.second)

    @property
    def judged_prompts(self) -> int:
        """How many prompts have a judgment."""
        return len(np.unique(self.prompt))

    def take(self, rows: Ints) -> "Preferences":
        """These judgments alone, by their numbers; systems and prompts keep theirs."""
        return replace(
            self,
            prompt=self.prompt[rows],
            first=self.first[rows],
            second=self.second[rows],
            choice=self.choice[rows],
            first_story=tuple(self.first_story[row] for row in rows.tolist()),
            second_story=tuple(self.second_story[row] for row in rows.tolist()),
            rater=self.rater[rows],
        )
