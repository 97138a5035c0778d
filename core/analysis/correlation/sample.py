"""The stories of an analysis: which filters were set, and how many stories were left out and why."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

import numpy as np

from core.analysis.stories.listing import Selection
from core.arrays import Bools
from core.scores import ScoreTable


@dataclass(frozen=True)
class Filter:
    """Stories to keep. `systems`: theirs, all where empty. `shortest`, `longest`: words, both included. `error_type`:
    only stories to which at least one rating gives it; all where empty. `selection`: only its stories; all where None.
    """

    systems: frozenset[str] = frozenset()
    shortest: int | None = None
    longest: int | None = None
    error_type: str = ""
    selection: Selection | None = None


@dataclass(frozen=True)
class Sample:
    """The stories that are left, and `excluded`: how many each condition has left out, in words, the first to apply."""

    table: ScoreTable
    excluded: Mapping[str, int]


def sample(table: ScoreTable, chosen: Filter, selected: Container[str] = ()) -> Sample:
    """Keep the stories that meet every condition; one that fails two is counted under the first. `selected`: the keys
    of the chosen selection's stories.
    """
    kept = np.ones(len(table.keys), dtype=bool)
    excluded: dict[str, int] = {}

    def only(name: str, meets: Bools) -> None:
        excluded[name] = int(np.count_nonzero(kept & ~meets))
        kept[:] &= meets

    if chosen.selection is not None:
        meets = np.fromiter((key in selected for key in table.keys), dtype=bool, count=len(table.keys))
        only(f"outside the selection {chosen.selection.name}", meets)
    if chosen.systems:
        only("of other systems", np.array([system in chosen.systems for system in table.systems], dtype=bool))
    if chosen.shortest is not None or chosen.longest is not None:
        lengths = table.words
        if chosen.shortest is not None:
            only(f"shorter than {chosen.shortest:,} words", lengths >= chosen.shortest)
        if chosen.longest is not None:
            only(f"longer than {chosen.longest:,} words", lengths <= chosen.longest)
    if chosen.error_type:
        votes = table.votes.get(chosen.error_type, np.zeros(len(table.keys), dtype=np.intp))
        only(f"that nobody gave {chosen.error_type}", votes > 0)
    return Sample(table if kept.all() else table.take(np.flatnonzero(kept)), excluded)
